"""Measures peers: CPU time of this process, minimum over repetitions that alternate between the sides."""
import gc
import time

REPEATS = 7
# A run of a peer is repeated for LEAST_NANOSECONDS. Before that, runs of WARMING_NANOSECONDS do not count.
# Both constants equal those of our side (cpu_clock.h).
WARMING_NANOSECONDS = 3_000_000
LEAST_NANOSECONDS = 10_000_000


def repeat(run, least):
    runs, start = 0, time.process_time_ns()
    while True:
        run()
        runs += 1
        taken = time.process_time_ns() - start
        if taken >= least:
            return taken / runs


def cpu_time(run, warm=True):
    gc.collect()
    gc.disable()
    if warm:
        repeat(run, WARMING_NANOSECONDS)
    taken = repeat(run, LEAST_NANOSECONDS)
    gc.enable()
    return taken


def table(rows, head):
    cells = [head] + rows
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    for row in cells:
        print("  ".join(cell.ljust(widths[0]) if i == 0 else cell.rjust(widths[i]) for i, cell in enumerate(row)))


def ratio(peer, own):
    return f"{peer / own:.1f}x" if peer else "fails"
