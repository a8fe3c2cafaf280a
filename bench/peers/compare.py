#!/usr/bin/env python3
"""Measures Dimwise against its peers in one run: CPU time, minimum of seven repetitions that alternate, and the ratio.
New sizes for a model in memory, against OpenVINO's reshape, are measured by new_sizes.py.

  compare.py --program dimwise --in-process dimwise_peers --work FOLDER [--models FOLDER] [--only TEXT]

In process, from the bytes of a model in memory to all shapes:
  onnx     the C++ core of onnx.shape_inference, called with the bytes and default options. Its result is a
           serialized model, so its time includes writing one.
  script   onnxruntime's symbolic_shape_infer, also from bytes.
  tract    loading and analysis of a model from a file, because it does not accept bytes. It reads the weights too,
           so it fails on models without them, and evaluates constants. Skipped if its wheel is not installed.
script and tract are repeated less often on models that exceed their time budget. A peer that fails has no time.

Whole process: the program from start to end. This comes first, while this process is small, because the system
includes the memory of the process before exec in the measurement.
"""
import argparse
import contextlib
import gc
import importlib.util
import io
import logging
import os
import subprocess
import sys
import time
import warnings

import new_sizes
from timing import REPEATS, cpu_time, ratio, table

BUDGET_SECONDS = 20  # per slow peer and model


class Ours:
    def __init__(self, program):
        self.process = subprocess.Popen([program, "infer"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.nodes = 0

    def time(self, path):
        self.process.stdin.write(path + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().split()
        if not answer:
            raise RuntimeError("our side stopped")
        self.nodes = int(answer[1])
        return int(answer[0])


def onnx_core(path, data):
    from onnx.onnx_cpp2py_export import shape_inference
    return lambda: shape_inference.infer_shapes(data, False, False, False)


def script(path, data):
    import onnx
    from onnxruntime.tools.symbolic_shape_infer import SymbolicShapeInference

    def run():
        with contextlib.redirect_stdout(io.StringIO()):
            if SymbolicShapeInference.infer_shapes(onnx.load_from_string(data), auto_merge=True) is None:
                raise RuntimeError("declined")
    return run


def tract_analysis(path, data):
    import tract
    reader = tract.onnx()
    return lambda: reader.load(path).analyse()


PEERS = {"onnx": onnx_core, "script": script, "tract": tract_analysis}
LONG = {"script", "tract"}  # peers with long runs


def installed_peers():
    """Returns the installed peers. tract has no wheel for some systems."""
    if importlib.util.find_spec("tract"):
        return PEERS
    return {name: make for name, make in PEERS.items() if name != "tract"}


def measure(ours, path, peers):
    """Returns the minimum time of each side in nanoseconds; None if it fails."""
    with open(path, "rb") as file:
        data = file.read()
    runs = {name: make(path, data) for name, make in peers.items()}
    least = {"dimwise": None, **dict.fromkeys(peers)}
    spent = dict.fromkeys(LONG, 0)
    for repeat in range(REPEATS):
        took = {"dimwise": ours.time(path)}
        for name, run in list(runs.items()):
            long = name in LONG
            if long and repeat > 0 and spent[name] * (repeat + 1) / repeat > BUDGET_SECONDS * 1e9:
                continue
            try:
                took[name] = cpu_time(run, warm=not long)
            except Exception:
                gc.enable()
                del runs[name]
                least[name] = None
                continue
            if long:
                spent[name] += took[name]
        for name, nanoseconds in took.items():
            least[name] = min(nanoseconds, least[name] or nanoseconds)
    return least


def whole_process(arguments):
    """Returns CPU seconds, elapsed seconds, and the maximum resident size in MB, each the minimum of the repetitions."""
    results = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        results.append((usage.ru_utime + usage.ru_stime, time.perf_counter() - start, usage.ru_maxrss / 1024))
    return tuple(min(column) for column in zip(*results))


def in_process(program, paths):
    ours, peers = Ours(program), installed_peers()
    rows, over = [], {name: {} for name in peers}
    for name, path in paths.items():
        least = measure(ours, path, peers)
        own = least["dimwise"]
        row = [name, str(ours.nodes), f"{own / 1e3:.1f}", f"{own / max(ours.nodes, 1):.0f}"]
        for peer in peers:
            row += [f"{least[peer] / 1e3:.{0 if peer in LONG else 1}f}" if least[peer] else "-", ratio(least[peer], own)]
            if least[peer] and (peer != "script" or ours.nodes >= 200):
                over[peer][name] = least[peer] / own
        rows.append(row)
        print(f"\r\033[K{name}", end="", file=sys.stderr) if sys.stderr.isatty() else None
    print("\r\033[K", end="", file=sys.stderr) if sys.stderr.isatty() else None
    print("In process, from bytes in memory to all shapes: microseconds of CPU time")
    table(rows, ["model", "nodes", "dimwise", "ns/node", *(word for peer in peers for word in (peer, "ratio"))])
    for peer, called, aim in (("onnx", "onnx", 10), ("script", "the script, models of 200 nodes and more", 200),
                              ("tract", "tract", None)):
        if over.get(peer):
            worst = min(over[peer], key=over[peer].get)
            print(f"least ratio over {called}: {over[peer][worst]:.1f} ({worst})" + (f"; the aim is {aim}" if aim else ""))
    if "tract" not in peers:
        print("tract: skipped; it is not installed")


def processes(program, paths, large):
    print("Whole process, from start to end: least of each column")
    rows = []

    def row(name, arguments, nodes=0):
        cpu, clock, memory = whole_process([program, *arguments])
        each = f"{(cpu - start_up) / nodes * 1e9:.0f}" if nodes else ""
        rows.append([name, f"{cpu * 1e3:.1f}", f"{clock * 1e3:.1f}", f"{memory:.0f}", each])
        return cpu

    start_up = 0
    start_up = row("start-up (--version)", ["--version"])
    for name, nodes in (("chain of 1k", 1_000), ("chain of 10k", 10_000), ("chain of 100k", 100_000)):
        if name in paths:
            row(f"infer, {name}", ["infer", paths[name]], nodes)
    row("infer, 1.5 GB of weights", ["infer", large])
    table(rows, ["", "CPU ms", "clock ms", "peak MB", "ns/node"])
    print("aims: start-up 3 ms; 200 ns a node; the large model 50 ms and 50 MB\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--in-process", required=True)
    parser.add_argument("--work", required=True, help="the folder for our own models")
    parser.add_argument("--models", help="a folder with additional models")
    parser.add_argument("--only", default="", help="only models whose name contains this text")
    arguments = parser.parse_args()
    written = subprocess.run([sys.executable, os.path.join(os.path.dirname(__file__), "models.py"), arguments.work],
                             stdout=subprocess.PIPE, text=True, check=True).stdout
    paths = dict(line.split("\t") for line in written.splitlines())
    processes(arguments.program, paths, paths.pop("large"))
    for name in sorted(os.listdir(arguments.models)) if arguments.models else ():
        if name.endswith(".onnx"):
            paths[name.removesuffix(".onnx")] = os.path.join(arguments.models, name)
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    paths = {name: os.path.abspath(path) for name, path in paths.items() if arguments.only in name}
    ours = os.path.abspath(arguments.in_process)
    os.chdir(arguments.work)  # the script writes a file to the current folder when it fails
    in_process(ours, paths)
    new_sizes.compare(ours, paths)
    print("rten: skipped; its crate is not available offline")


if __name__ == "__main__":
    main()
