#!/usr/bin/env python3
"""Counts the instructions of `dimwise infer` on given models for two builds of the program.

  tools/count_instructions.py OLD NEW MODEL... [--jobs 2] [--limit 1.05]

Needs valgrind: each count is the total of callgrind over the whole process. A table shows both counts and their ratio
for each model, and their sums.

Exit 0: no model has a ratio above the limit, and the ratio of the sums is at most 1 or --limit is not given. 1: a limit
is exceeded. 2: a count failed. 77: valgrind is not installed.
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile


class Failure(Exception):
    """A count cannot be taken."""


def instructions(program, model):
    """Returns the number of instructions that `infer` executes."""
    with tempfile.TemporaryDirectory() as folder:
        profile = os.path.join(folder, "callgrind.out")
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", program, "infer",
                               model, "--format", "json"], capture_output=True, text=True, errors="replace")
        total = re.search(r"Collected : ([0-9]+)", done.stderr)
        # Exit code 1: the model has errors, which are a result of inference.
        if done.returncode not in (0, 1) or not total:
            raise Failure(f"{program} on {model}: {(done.stderr.strip().splitlines() or ['no output'])[-1]}")
        return int(total[1])


def row(name, old, new):
    return f"{old / 1e6:14,.1f} {new / 1e6:14,.1f} {new / old:8.3f}  {name}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", help="the program of the old build")
    parser.add_argument("new", help="the program of the new build")
    parser.add_argument("models", nargs="+", metavar="MODEL")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time (2)")
    parser.add_argument("--limit", type=float, help="the largest allowed ratio of a model")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("skipped: valgrind is not installed")
        return 77
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        counts = [[pool.submit(instructions, program, model) for program in (options.old, options.new)]
                  for model in options.models]
        print(f"{'old (millions)':>14} {'new (millions)':>14} {'ratio':>8}  model")
        sums = [0, 0]
        exceeded = False
        try:
            for model, pair in zip(options.models, counts):
                old, new = (count.result() for count in pair)
                sums = [sums[0] + old, sums[1] + new]
                exceeded |= options.limit is not None and new > old * options.limit
                print(row(os.path.basename(model), old, new), flush=True)
        except Failure as failure:
            print(f"count_instructions.py: {failure}", file=sys.stderr)
            return 2
    print(row("sum", *sums))
    exceeded |= options.limit is not None and sums[1] > sums[0]
    return 1 if exceeded else 0


if __name__ == "__main__":
    sys.exit(main())
