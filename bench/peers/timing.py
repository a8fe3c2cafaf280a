"""How the peers are timed and told: CPU time of this process, the least of repeats that take turns."""
import gc
import time

REPEATS = 7
# A run of a peer is repeated until it takes this long, as ours is (infer_bytes.cc).
LEAST_NANOSECONDS = 10_000_000


def cpu_time(run):
    gc.collect()
    gc.disable()
    runs, start = 0, time.process_time_ns()
    while True:
        run()
        runs += 1
        taken = time.process_time_ns() - start
        if taken >= LEAST_NANOSECONDS:
            break
    gc.enable()
    return taken / runs


def table(rows, head):
    cells = [head] + rows
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    for row in cells:
        print("  ".join(cell.ljust(widths[0]) if i == 0 else cell.rjust(widths[i]) for i, cell in enumerate(row)))


def ratio(peer, own):
    return f"{peer / own:.1f}x" if peer else "fails"
