"""Measures new input sizes for a model in memory: our ShapeProgram against OpenVINO's Model.reshape.

Both sides have the symbolic model in memory and get new numbers for all input sizes in each run. Our run computes all
distinct expressions and all guards; writing the shapes of all values is measured separately. OpenVINO computes the
shape of every value and stores it in its nodes. The sides alternate, and the minimum over the repetitions counts.
"""
import subprocess
import sys

from timing import REPEATS, cpu_time, ratio, table

SIZES = (256, 320)  # large enough for the windows and paddings of audio models


class Programs:
    """Our side: run_programs.cc."""

    def __init__(self, program):
        self.process = subprocess.Popen([program, "programs"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def time(self, path):
        """Returns the nanoseconds of a run and of writing all shapes, and counts of nodes and guards; or a message."""
        self.process.stdin.write("\t".join([path, *map(str, SIZES)]) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError("our side stopped")
        words = answer.rstrip("\n").split("\t")
        return [int(word) for word in words[1:]] if words[0] == "done" else words[1]


def reshaper(core, path):
    """Returns a function that gives the model other sizes on each call."""
    model = core.read_model(path)
    shapes = []
    for size in SIZES:
        shapes.append({value: [size if d.is_dynamic else d.get_length() for d in value.partial_shape]
                       for value in model.inputs})
    turn = 0

    def run():
        nonlocal turn
        turn = 1 - turn
        model.reshape(shapes[turn])
    return run


def compare(program, paths):
    try:
        import openvino
    except ImportError as missing:
        return print(f"OpenVINO's reshape: skipped; it is not installed ({missing})")
    ours, core, rows, ratios, refused = Programs(program), openvino.Core(), [], {}, []
    for name, path in paths.items():
        counts = ours.time(path)
        if isinstance(counts, str):
            refused.append(f"{name}: not measured: {counts}")
            continue
        try:
            run = reshaper(core, path)
            run(), run()
        except Exception as failure:
            run = None
            print(f"{name}: OpenVINO: {str(failure).strip().splitlines()[-1]}", file=sys.stderr)
        least_run, least_write, least_peer = None, None, None
        for _ in range(REPEATS):
            took_run, took_write = ours.time(path)[:2]
            least_run, least_write = min(took_run, least_run or took_run), min(took_write, least_write or took_write)
            if run:
                took_peer = cpu_time(run)
                least_peer = min(took_peer, least_peer or took_peer)
        nodes, expressions, checks = counts[2:]
        rows.append([name, str(nodes), str(expressions), str(checks), f"{least_run / 1e3:.2f}", f"{least_write / 1e3:.2f}",
                     f"{least_peer / 1e3:.0f}" if least_peer else "-", ratio(least_peer, least_run + least_write)])
        if least_peer:
            ratios[name] = least_peer / (least_run + least_write)
    print(f"\nNew sizes of a model in memory: microseconds of CPU time; OpenVINO {openvino.__version__.split('-')[0]}")
    table(rows, ["model", "nodes", "expressions", "checks", "run", "write", "reshape", "ratio"])
    print(*refused, sep="\n") if refused else None
    if ratios:
        worst = min(ratios, key=ratios.get)
        print(f"run and write together; least ratio: {ratios[worst]:.0f} ({worst})")
