"""The steps of random programs: each one adds a few nodes to a scope, or raises Misfit."""
import numpy as np
from onnx import TensorProto, helper

from random_scope import BOOL, F32, I64, MOST_RANK, OPSETS, Misfit, step

# Element-wise operators and products.

@step(4)
def unary(s):
    x = s.pick(s.one_of([F32, F32, I64, BOOL]))
    ops = {F32: ["Relu", "Neg", "Sigmoid", "Floor", "Identity", "Softmax"], I64: ["Neg", "Abs", "Identity"], BOOL: ["Not"]}
    s.node(s.one_of(ops[s.of(x).dtype]), x)


@step(8)
def binary(s):
    x = s.pick(s.one_of([F32, F32, I64]))

    def fits(other):
        try:
            return len(np.broadcast_shapes(other.shape, s.of(x).shape)) >= 0
        except ValueError:
            return False
    if s.chance(0.7):
        y = s.pick(s.of(x).dtype, test=fits)
    else:
        shape = [n if s.chance(0.4) else 1 for n in s.of(x).shape][s.number(0, s.of(x).ndim):]
        y = s.constant(np.ones(shape), s.of(x).dtype)
    op = s.one_of(["Add", "Sub", "Mul", "Min", "Max", "Less", "Equal", "Where"])
    pair = (x, y) if s.chance(0.5) else (y, x)
    if op == "Where":
        s.node(op, s.pick(BOOL, test=fits), *pair)
    else:
        s.node(op, *pair)


@step(3)
def matmul(s):
    x = s.pick(ranks=range(1, 5), test=lambda c: c.size)
    k = s.of(x).shape[-1]
    if s.chance(0.6):
        s.node("MatMul", x, s.pick(ranks=range(1, 5), test=lambda c: c.shape[max(c.ndim - 2, 0)] == k))
    else:
        s.node("MatMul", x, s.weight(k, s.number(1, 4)))


@step(1)
def gemm(s):
    x, turn = s.pick(ranks=[2]), s.number(0, 1)
    k = s.of(x).shape[1 - turn]
    ys = s.tensors(F32, [2], lambda c: k in c.shape)
    y = s.one_of(ys) if ys and s.chance(0.7) else s.weight(k, s.number(1, 4))
    s.node("Gemm", x, y, *([s.weight(1)] if s.chance(0.5) else []), transA=turn, transB=int(s.of(y).shape[0] != k))


@step(2)
def einsum(s):
    names = [s.pick(ranks=range(1, 4)) for _ in range(s.number(1, 2))]
    letters, terms = {}, []
    for name in names:
        term = ""
        for n in s.of(name).shape:
            free = [c for c, size in letters.items() if size == n and c not in term]
            term += s.one_of(free) if free and s.chance(0.7) else chr(ord("a") + len(letters))
            letters[term[-1]] = n
        terms.append(term)
    result = [c for c in letters if s.chance(0.6)]
    s.rng.shuffle(result)
    s.node("Einsum", *names, equation=",".join(terms) + "->" + "".join(result))


# Windows.

def windows(s, x):
    spatial = s.of(x).ndim - 2
    about = {"kernel_shape": [s.number(1, 3) for _ in range(spatial)], "strides": [s.number(1, 3) for _ in range(spatial)]}
    if s.chance(0.3):
        about["auto_pad"] = s.one_of(["SAME_UPPER", "SAME_LOWER", "VALID"])
    elif s.chance(0.5):
        about["pads"] = [s.number(0, k - 1) for k in 2 * about["kernel_shape"]]
    return about


@step(2)
def conv(s):
    x = s.pick(ranks=[3, 4], test=lambda c: c.size)
    about, channels = windows(s, x), s.of(x).shape[1]
    group = channels if s.chance(0.2) else 1
    if s.chance(0.6):
        s.node("Conv", x, s.weight(group * s.number(1, 2), channels // group, *about["kernel_shape"]), group=group, **about)
    else:
        s.node("ConvTranspose", x, s.weight(channels, s.number(1, 3), *about["kernel_shape"]), **about)


@step(2)
def pool(s):
    x = s.pick(ranks=[3, 4], test=lambda c: c.size)
    op, about = s.one_of(["MaxPool", "AveragePool", "GlobalAveragePool"]), windows(s, x)
    if any(k > n for k, n in zip(about["kernel_shape"], s.of(x).shape[2:])):
        raise Misfit("a window that sticks out")
    s.node(op, x, **({} if op[0] == "G" else {**about, "ceil_mode": s.number(0, 1)}))


@step(1)
def resize(s):
    x = s.pick(ranks=[2, 3, 4], test=lambda c: c.size)
    rank = s.of(x).ndim
    if s.chance(0.5):
        s.node("Resize", x, "", s.constant([s.one_of([1, 1.5, 2]) for _ in range(rank)], F32), mode="nearest")
    else:
        sizes = s.sizes([n if s.chance(0.5) else s.number(1, 5) for n in s.of(x).shape])
        s.node("Resize", x, "", "", s.node("Max", sizes, s.constant([1])), mode="nearest")


@step(2)
def pad(s):
    x = s.pick(ranks=range(1, 5))
    rank = s.of(x).ndim
    s.node("Pad", x, s.sizes([s.one_of([0, 0, 1, 2, -1]) for _ in range(2 * rank)]),
           mode=s.one_of(["constant", "constant", "edge", "reflect"]))


# Changes of shape that keep the elements.

@step(6)
def reshape(s):
    x = s.pick(s.one_of([F32, F32, I64]), ranks=range(1, MOST_RANK + 1))
    shape, target = list(s.of(x).shape), []
    while shape:
        group, shape = shape[:s.number(1, 2)], shape[1:]
        shape = shape[len(group) - 1:]
        whole = int(np.prod(group))
        parts = [k for k in range(2, whole) if whole % k == 0]
        if parts and s.chance(0.4):
            target += [s.one_of(parts)]
            target += [whole // target[-1]]
        else:
            target.append(whole)
    if s.chance(0.5):
        target[s.number(0, len(target) - 1)] = -1
    s.node("Reshape", x, s.sizes(target))


@step(2)
def axes_come_and_go(s):
    x = s.pick(s.one_of([F32, I64]))
    rank = s.of(x).ndim
    ones = [a for a, n in enumerate(s.of(x).shape) if n == 1]
    way = s.number(0, 3)
    if way == 0:
        s.node("Flatten", x, axis=s.number(0, rank))
    elif way == 1 and ones:
        s.node("Squeeze", x, *([s.constant([s.one_of(ones)])] if s.chance(0.7) else []))
    elif way == 2:
        s.node("Unsqueeze", x, s.constant([s.number(-rank - 1, rank)]))
    else:
        s.node("Transpose", x, **({"perm": [int(a) for a in s.rng.permutation(rank)]} if rank else {}))


@step(3)
def expand(s):
    x = s.pick(s.one_of([F32, I64]), ranks=range(4))
    shape = s.of(x).shape
    if s.chance(0.6):
        target = [s.number(1, 4) for _ in range(s.number(0, 1))] + [s.number(1, 4) if n == 1 or s.chance(0.1) else n for n in shape]
        s.node("Expand", x, s.sizes(target))
    else:
        s.node("Tile", x, s.sizes([s.number(1, 3) for _ in shape]))


# Parts of tensors.

@step(5)
def concat(s):
    x = s.pick(s.one_of([F32, F32, I64]), ranks=range(1, MOST_RANK + 1))
    shape = s.of(x).shape
    axis = s.number(0, len(shape) - 1)
    y = s.pick(s.of(x).dtype, [len(shape)], lambda c: c.size and np.delete(c.shape, axis).tolist() == np.delete(shape, axis).tolist())
    s.node("Concat", *((x, y) if s.chance(0.5) else (y, x, x)), axis=axis - len(shape) if s.chance(0.3) else axis)


@step(3)
def split(s):
    x = s.pick(s.one_of([F32, F32, I64]), ranks=range(1, 5), test=lambda c: max(c.shape) > 1)
    axis = s.one_of([a for a, n in enumerate(s.of(x).shape) if n > 1])
    n = s.of(x).shape[axis]
    if n % 2 == 0 and s.chance(0.3):
        s.node("Split", x, outputs=2, axis=axis, num_outputs=2)
    else:
        first = s.number(1, n - 1)
        s.node("Split", x, s.sizes([first, n - first]), outputs=2, axis=axis)


@step(5)
def slice_some(s):
    x = s.pick(s.one_of([F32, F32, I64]), ranks=range(1, 5), test=lambda c: c.size)
    axis = s.number(0, s.of(x).ndim - 1)
    n, step_by = s.of(x).shape[axis], s.one_of([1, 1, 2, -1, -2])
    start, end = s.number(0, n - 1), s.number(1, n)
    if step_by < 0:
        start, end = s.one_of([n - 1, -1, start]), s.one_of([np.iinfo(np.int64).min, -n - 1, 0])
    elif s.chance(0.4):
        start, end = s.one_of([(0, -1), (-start - 1, np.iinfo(np.int64).max), (start, n + 3)])
    ends = s.constant([end]) if abs(end) > 1000 else s.sizes([end])
    s.node("Slice", x, s.sizes([start]), ends, s.constant([axis]), s.constant([step_by]))


@step(4)
def gather(s):
    x = s.pick(s.one_of([F32, I64]), ranks=range(1, 5), test=lambda c: c.size)
    axis = s.number(0, s.of(x).ndim - 1)
    n = s.of(x).shape[axis]
    if s.chance(0.5):
        indices = s.pick(I64, range(3), lambda c: c.size and (c >= -n).all() and (c < n).all())
    else:
        indices = s.sizes([s.number(-n, n - 1) for _ in range(s.number(1, 3))])
    s.node("Gather", x, indices, axis=axis)


@step(3)
def scatter(s):
    x = s.pick(ranks=range(1, 4), test=lambda c: c.size)
    n, rank = s.of(x).shape[0], s.of(x).ndim
    way = s.number(0, 3)
    if way == 0:
        s.node("GatherElements", x, s.pick(I64, [rank], lambda c: c.size and (c >= -n).all() and (c < n).all()), axis=0)
    elif way == 1:
        s.node("GatherND", x, s.pick(I64, range(1, 4), lambda c: c.size and c.shape[-1] <= rank and (c >= 0).all()))
    elif way == 2:
        indices = s.sizes([s.number(-n, n - 1) for _ in range(s.number(1, 2))])
        rows = s.node("Gather", x, indices, axis=0)
        s.node("ScatterND", x, s.node("Unsqueeze", indices, s.constant([1])), rows)
    else:
        indices = s.pick(I64, [rank], lambda c: c.size and (c >= -n).all() and (c < n).all())
        s.node("ScatterElements", x, indices, s.node("Cast", indices, to=TensorProto.FLOAT), axis=0)


# Shapes that depend on numbers and data.

@step(4)
def ranges(s):
    way = s.number(0, 2)
    if way == 0:
        start, by = s.number(-2, 3), s.one_of([1, 1, 2, 3, -1])
        s.node("Range", s.size(start), s.size(start + by * s.number(1, 5) - s.number(0, 1)), s.constant(by))
    elif way == 1:
        s.node("ConstantOfShape", s.sizes([s.number(1, 5) for _ in range(s.number(0, 3))]))
    else:
        s.node("CumSum", s.pick(s.one_of([F32, I64]), ranks=range(1, 4)), s.constant(0), exclusive=s.number(0, 1))


@step(3)
def decided_by_data(s):
    x = s.pick(ranks=range(1, 4), test=lambda c: c.size)
    axis = s.number(0, s.of(x).ndim - 1)
    n = s.of(x).shape[axis]
    way = s.number(0, 4)
    if way == 0:
        s.node("NonZero", s.node("Greater", x, s.constant(0.5, F32)) if s.chance(0.5) else x)
    elif way == 1:
        s.node("Compress", x, s.pick(BOOL, [1], lambda c: len(c) <= n and c.any()), axis=axis)
    elif way == 2:
        s.node("TopK", x, s.sizes([s.number(1, n)]), outputs=2, axis=axis)
    elif way == 3:
        s.node("Unique", x, outputs=3, **({"axis": axis} if s.chance(0.5) else {}))
    else:
        s.node("OneHot", s.pick(I64, range(3)), s.size(s.number(2, 4)), s.constant([0, 1], F32), axis=s.number(-1, 0))


@step(5)
def reduce(s):
    x = s.pick(s.one_of([F32, I64]), ranks=range(1, MOST_RANK + 1), test=lambda c: c.size)
    rank, op = s.of(x).ndim, s.one_of(["Sum", "Max", "Min", "Prod", "Mean"])
    if s.chance(0.2):
        s.node("ArgMax", x, axis=s.number(-rank, rank - 1), keepdims=s.number(0, 1))
    else:
        axes = [int(a) for a in s.rng.permutation(rank)[:s.number(0, rank)]]
        s.node(f"Reduce{op}", x, *([s.constant(axes)] if s.chance(0.8) else []), keepdims=s.number(0, 1),
               noop_with_empty_axes=s.number(0, 1))


@step(2)
def shape_arithmetic(s):
    """Arithmetic on whole vectors of sizes."""
    x = s.pick(None, range(1, MOST_RANK + 1))
    sizes = s.node("Shape", x) if s.chance(0.6) else s.node("Shape", x, start=s.number(-2, 1))
    for _ in range(s.number(1, 3)):
        op = s.one_of(["Add", "Mul", "Div", "Mod", "CumSum", "Concat", "Max", "Min", "ReduceProd", "Where"])
        if op == "CumSum":
            sizes = s.node(op, sizes, s.constant(0), reverse=s.number(0, 1))
        elif op == "Concat":
            sizes = s.node(op, sizes, s.sizes([s.number(1, 3)]), axis=0)
        elif op == "ReduceProd":
            sizes = s.node(op, sizes, keepdims=1)
        elif op == "Where":
            sizes = s.node(op, s.node("Greater", sizes, s.constant([2])), sizes, s.constant([s.number(1, 3)]))
        else:
            sizes = s.node(op, sizes, s.constant([s.number(1, 4)]))
    if s.of(sizes).size and (s.of(sizes) > 0).all():
        s.node("ConstantOfShape", sizes)


# Sequences.

@step(3)
def sequences(s):
    known = [n for n, c in s.values.items() if isinstance(c, list)]
    if not known or s.chance(0.3):
        x = s.pick(ranks=range(1, 4), test=lambda c: c.size)
        axis = s.number(0, s.of(x).ndim - 1)
        n = s.of(x).shape[axis]
        part = s.number(1, n)
        way = s.number(0, 2)
        if way == 0:
            known = [s.node("SplitToSequence", x, axis=axis, keepdims=s.number(0, 1))]
        elif way == 1:
            known = [s.node("SplitToSequence", x, s.size(part), axis=axis)]
        else:
            known = [s.node("SequenceConstruct", x, *([s.pick(ranks=[s.of(x).ndim])] if s.chance(0.7) else []))]
    sequence = s.one_of(known)
    count, rank = len(s.of(sequence)), s.of(sequence)[0].ndim
    if s.chance(0.4):
        places = [s.size(s.number(0, count))] if s.chance(0.5) else []
        sequence = s.node("SequenceInsert", sequence, s.pick(ranks=[rank]), *places)
    way = s.number(0, 3)
    if way == 0:
        s.node("SequenceLength", sequence)
    elif way == 1:
        s.node("SequenceAt", sequence, s.size(s.number(-count, count - 1)))
    elif all(part.size for part in s.of(sequence)):
        s.node("ConcatFromSequence", sequence, axis=s.number(0, rank - (way == 2)), new_axis=int(way == 3))


# Regions and functions.

@step(4, regions=True)
def branches(s):
    like = s.pick(s.one_of([F32, F32, I64]))
    bodies = []
    condition = s.condition()
    for _ in range(2):
        body = s.inner()
        body.steps(s.number(1, 4), regions=s.depth < 1)
        ranks = [s.of(like).ndim] if s.chance(0.7) else range(MOST_RANK)
        result = (body.tensors(s.of(like).dtype, ranks, own=True) or [like])[-1]
        bodies.append(body.graph([], [result], unranked=[result]))
    s.node("If", condition, then_branch=bodies[0], else_branch=bodies[1])


def next_state(body, state):
    """Returns the result of a trip for a state, and whether its size stays bounded."""
    contents = body.of(state)
    if contents.ndim and contents.size and body.chance(0.5):
        axis = body.number(0, contents.ndim - 1)
        rest = np.delete(contents.shape, axis).tolist()
        same = body.outer.tensors(contents.dtype, [contents.ndim], lambda c: np.delete(c.shape, axis).tolist() == rest)
        if same:
            more = body.one_of(same)
            return body.node("Concat", *((state, more) if body.chance(0.5) else (more, state)), axis=axis), True
        return body.node("Slice", state, body.constant([1]), body.constant([99]), body.constant([axis])), True
    if body.chance(0.5):
        return body.node("Mul", state, body.constant(1, contents.dtype)), True
    made = body.tensors(contents.dtype, [contents.ndim] if body.chance(0.9) else range(MOST_RANK), own=True)
    return body.one_of(made), False


@step(5, regions=True)
def loop(s):
    starts = [s.pick(s.one_of([F32, F32, I64])) for _ in range(s.number(1, 2))]
    scans = s.number(0, 1)
    trips = s.size(s.number(1, 5))
    body = s.inner()
    trip, going = body.given(np.array(0)), body.given(np.array(True))
    states = [body.given(s.of(start)) for start in starts]
    body.steps(s.number(1, 4), regions=s.depth < 1)
    nexts, tame = zip(*[next_state(body, state) for state in states])
    on = going
    if s.chance(0.3):
        on = body.node("Less", trip, body.size(s.number(0, 4), 1))
    elif s.chance(0.2):
        on = body.condition(data=True)
    results = [body.one_of(body.tensors(own=True)) for _ in range(scans)]
    if scans:
        trips = s.node("Max", trips, s.constant(1))
    if not all(tame):
        trips = s.node("Min", trips, s.constant(5))
    unranked = [n for pair in zip(states, nexts) if len({body.of(n).ndim for n in pair}) > 1 or s.chance(0.2) for n in pair]
    graph = body.graph([trip, going, *states], [on, *nexts, *results], unranked)
    s.node("Loop", trips, s.constant(True, BOOL) if s.chance(0.5) else "", *starts, outputs=len(starts) + scans, body=graph)


@step(2, regions=True)
def collect(s):
    """A loop that appends the result of each trip to a sequence."""
    first = s.pick(ranks=range(1, 4), test=lambda c: c.size)
    trips = s.size(s.number(1, 4))
    start = s.node("SequenceConstruct", first)
    body = s.inner()
    trip, going = body.given(np.array(0)), body.given(np.array(True))
    parts = body.given(s.of(start))
    body.steps(s.number(1, 3), regions=False)
    made = body.one_of(body.tensors(F32, [s.of(first).ndim], lambda c: c.size, own=True) or [first])
    result = body.node("SequenceInsert", parts, made)
    collected = s.node("Loop", trips, "", start, body=body.graph([trip, going, parts], [going, result]))
    s.node("SequenceLength", collected)
    if all(part.size for part in s.of(collected)):
        s.node("ConcatFromSequence", collected, axis=s.number(0, s.of(first).ndim - 1))


@step(2, regions=True)
def scan(s):
    start = s.pick(ranks=range(4))
    over = s.pick(ranks=range(1, 4), test=lambda c: c.shape[0])
    body = s.inner()
    state, part = body.given(s.of(start)), body.given(s.of(over)[0])
    body.steps(s.number(1, 3), regions=False)
    new = body.tensors(F32, own=True, test=lambda c: c.shape == s.of(start).shape)
    graph = body.graph([state, part], [body.one_of(new), body.one_of(body.tensors(own=True))])
    s.node("Scan", start, over, outputs=2, body=graph, num_scan_inputs=1)


@step(3, regions=True)
def function(s):
    if s.functions and s.chance(0.5):
        called = s.one_of(s.functions)  # its parameters are named by their ranks
        s.node(called.name, *[s.pick(ranks=[int(i[1])]) for i in called.input], outputs=len(called.output), domain="local")
        return
    inputs = [s.pick() for _ in range(s.number(1, 2))]
    body = s.inner(closed=True)
    formals = [body.given(s.of(i)) for i in inputs]
    body.steps(s.number(2, 5), regions=s.depth < 1)
    results = [n for n in body.tensors(own=True) if n not in formals][-s.number(1, 2):]
    if not results:
        raise Misfit("an empty function")
    made = helper.make_function("local", s.name("f"), formals, results, body.nodes, OPSETS)
    s.functions.append(made)
    try:
        s.node(made.name, *inputs, outputs=len(results), domain="local")
    except Misfit:
        s.functions.remove(made)
        raise
