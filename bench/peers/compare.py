#!/usr/bin/env python3
"""Dimwise beside its peers, in one run: CPU time, the least of seven repeats that take turns, and the ratio.
New sizes of a model that is there already, beside OpenVINO's reshape, are measured by new_sizes.py.

  compare.py --program dimwise --in-process dimwise_peers --work FOLDER [--models FOLDER] [--only TEXT]

In process, from the bytes of a model in memory to all shapes:
  onnx     the C++ core of onnx.shape_inference, called with the bytes and its default options. It hands its
           answer out as the bytes of a model, so writing them is part of its time.
  script   onnxruntime's symbolic_shape_infer, from the bytes as well.
  tract    its loading and analysis of the model, from a file, for it takes no bytes; it reads the weights too, so
           that a model without them is one that it fails on, and computes what is constant. Left out where its
           wheel is not installed.
A model that takes one of the last two longer than its budget is measured with fewer repeats; where one fails, the time
until it gave up does not count.

Whole process: the program from its start to its end, as a person waits for it. This comes first, while this
process is small: the system counts the memory of a process from before the program is loaded into it.
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

BUDGET_SECONDS = 20  # of a peer whose runs are long, for one model


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
LONG = {"script", "tract"}  # whose runs are long


def installed_peers():
    """Those that are there. tract may be missing: it has no wheel for every system."""
    if importlib.util.find_spec("tract"):
        return PEERS
    return {name: make for name, make in PEERS.items() if name != "tract"}


def measure(ours, path, peers):
    """The least time of each side in nanoseconds; None where it fails."""
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
    """CPU seconds, seconds by the clock, and the largest resident size in MB, least of the repeats."""
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
    parser.add_argument("--work", required=True, help="where our own models are written")
    parser.add_argument("--models", help="a folder of further models")
    parser.add_argument("--only", default="", help="models whose name has this in it")
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
    os.chdir(arguments.work)  # where the script fails, it leaves a file behind
    in_process(ours, paths)
    new_sizes.compare(ours, paths)
    print("rten: skipped; its crate would have to be downloaded")


if __name__ == "__main__":
    main()
