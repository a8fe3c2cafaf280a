#!/usr/bin/env python3
"""Writes random ONNX programs whose sizes depend on several symbols, as food for tools/compare_onnxruntime.py.

  tools/random_models.py FOLDER --seeds FROM TO

One model per seed (TO is not among them), the same one each time. A choice of the symbols and contents of the inputs go
with every program while it grows: each node is run by onnxruntime on its own before it is taken, so that the contents of
every tensor are known, and an operator that does not fit is dropped. So the program runs at that choice, which the
model's metadata name (`sizes`); at other sizes it may well be wrong, and the checks have to say so.

What makes these programs nasty is `Scope.size`: where an operator needs a number that the choice says is 6, it gets
`Shape(x)[1]*2`, or `N - M//3`, or the smaller of two others, whatever is 6 this time.

Left out is what onnxruntime does in its own way: outputs of loops that make no trip, Resize to no elements, and Split by
number into a last part that may be empty.

Exit 0: written. 77: onnx or onnxruntime is not installed.
"""
import argparse
import os
import random
import sys

try:
    import numpy as np
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper, save
except ImportError as missing:
    print(f"skipped: {missing.name} is not installed for {sys.executable}")
    sys.exit(77)

MOST_ELEMENTS = 3000
MOST_RANK = 5
OPSETS = [helper.make_opsetid("", 21), helper.make_opsetid("local", 1)]
F32, I64, BOOL = np.dtype(np.float32), np.dtype(np.int64), np.dtype(np.bool_)
QUIET = onnxruntime.SessionOptions()
QUIET.log_severity_level = 4
QUIET.intra_op_num_threads = 1
QUIET.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
STEPS = []  # (weight, whether it has regions, function of a scope)


class Misfit(Exception):
    """What a step wants does not fit what there is."""


def step(weight, regions=False):
    def add(function):
        STEPS.append((weight, regions, function))
        return function
    return add


def declared(name, contents, ranked=False):
    """A value without its sizes: whatever is known of them has to be inferred."""
    if isinstance(contents, list):
        return helper.make_tensor_sequence_value_info(name, helper.np_dtype_to_tensor_dtype(contents[0].dtype), None)
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(contents.dtype),
                                         [None] * contents.ndim if ranked else None)


def read_by(nodes):
    for node in nodes:
        yield from node.input
        for attribute in node.attribute:
            yield from read_by(attribute.g.node)


def run(nodes, inputs, outputs, functions):
    """The contents of outputs; inputs are contents by name."""
    graph = helper.make_graph(nodes, "g", [declared(n, c) for n, c in inputs.items()],
                              [helper.make_empty_tensor_value_info(o) for o in outputs])
    model = helper.make_model(graph, opset_imports=OPSETS, ir_version=10, functions=functions)
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), QUIET, ["CPUExecutionProvider"])
        return session.run(outputs, inputs)
    except Exception as refused:  # whatever a kernel throws
        raise Misfit(str(refused)) from None


class Scope:
    """A graph that grows: its nodes, and the contents of all that they may read."""

    def __init__(self, rng, names, functions, outer=None):
        self.rng, self.names, self.functions, self.outer = rng, names, functions, outer
        self.nodes, self.weights, self.own, self.constants = [], [], [], set(outer.constants if outer else ())
        self.values = dict(outer.values) if outer else {}
        self.depth = outer.depth + 1 if outer else 0

    def name(self, prefix="t"):
        self.names[prefix] = self.names.get(prefix, 0) + 1
        return f"{prefix}{self.names[prefix]}"

    def keep(self, name, contents):
        self.values[name] = contents
        self.own.append(name)
        return name

    def node(self, op, *inputs, outputs=1, **attributes):
        """Adds a node if onnxruntime runs it; the name of its result, or a list of them."""
        names = [self.name() for _ in range(outputs)]
        node = helper.make_node(op, inputs, names, name=f"{op}_{names[0]}", **attributes)
        read = {name: self.values[name] for name in dict.fromkeys(read_by([node])) if name in self.values}
        results = run([node], read, names, self.functions)
        for result in results:
            parts = result if isinstance(result, list) else [result]
            if not parts or any(p.size > MOST_ELEMENTS or p.ndim > MOST_RANK for p in parts):
                raise Misfit("too large")
        self.nodes.append(node)
        for name, result in zip(names, results):
            self.keep(name, result if isinstance(result, list) else np.asarray(result))
        return names if outputs > 1 else names[0]

    def constant(self, contents, dtype=I64):
        contents = np.asarray(contents, dtype)
        name = self.keep(self.name("c"), contents)
        self.constants.add(name)
        if self.depth == 0 and self.rng.random() < 0.7:
            self.weights.append(numpy_helper.from_array(contents, name))
        else:
            self.nodes.append(helper.make_node("Constant", [], [name], value=numpy_helper.from_array(contents)))
        return name

    def weight(self, *shape):
        return self.constant(np.round(self.rng.normal(size=shape), 2), F32)

    def chance(self, probability):
        return self.rng.random() < probability

    def one_of(self, some):
        if not len(some):
            raise Misfit("nothing fits")
        return some[int(self.rng.integers(len(some)))]

    def number(self, least, most):
        return self.one_of(range(least, most + 1))

    def of(self, name):
        return self.values[name]

    def tensors(self, dtype=None, ranks=range(MOST_RANK + 1), test=lambda _: True, own=False):
        return [name for name in (self.own if own else self.values) if isinstance(self.values[name], np.ndarray)
                and (dtype is None or self.values[name].dtype == dtype) and self.values[name].ndim in ranks
                and name not in self.constants and test(self.values[name])]

    def pick(self, dtype=F32, ranks=range(MOST_RANK + 1), test=lambda _: True):
        """A tensor, a recent one more often."""
        found = self.tensors(dtype, ranks, test)
        return self.one_of(found[-5:] if self.chance(0.6) else found)

    # Sizes.

    def dim(self, name, axis):
        """The size of an axis as a scalar, in one of the ways that exporters have."""
        rank = self.of(name).ndim
        axis_again = axis - rank if self.chance(0.4) else axis
        way = self.number(0, 3)
        if way == 0:
            return self.node("Gather", self.node("Shape", name), self.constant(axis_again))
        if way == 1:
            end = {"end": axis + 1} if axis + 1 < rank or self.chance(0.5) else {}
            return self.node("Squeeze", self.node("Shape", name, start=axis_again, **end))
        if way == 2:
            ends = self.constant([axis + 1 if self.chance(0.7) else np.iinfo(np.int64).max if axis + 1 == rank else axis + 1])
            return self.node("Reshape", self.node("Slice", self.node("Shape", name), self.constant([axis]), ends),
                             self.constant([]))
        if rank == 1:
            return self.node("Size", name)
        return self.node("ReduceMax", self.node("Shape", name, start=axis, end=axis + 1), keepdims=0)

    def size(self, number, depth=2):
        """A scalar that is this number at the choice of sizes, and at others whatever it is."""
        axes = [(n, a) for n in self.tensors(ranks=range(1, MOST_RANK + 1)) for a in range(self.of(n).ndim)]
        same = [(n, a) for n, a in axes if self.of(n).shape[a] == number]
        known = self.tensors(I64, [0], lambda c: c == number)
        if known and self.chance(0.3):
            return self.one_of(known)
        if same and self.chance(0.5 if depth else 0.8):
            return self.dim(*self.one_of(same))
        if depth == 0 or not axes or self.chance(0.2):
            return self.constant(number)
        name, axis = self.one_of(axes)
        base = self.of(name).shape[axis]
        ways = [lambda b: self.node("Add", b, self.size(number - base, depth - 1)),
                lambda b: self.node("Sub", b, self.size(base - number, depth - 1)),
                lambda b: self.choice(b, self.size(number, depth - 1)),
                lambda b: self.elsewhere(b, number - base)]
        if base and number % base == 0:
            ways.append(lambda b: self.node("Mul", b, self.size(number // base, depth - 1)))
        if base <= number:
            ways.append(lambda b: self.node("Max", b, self.size(number, depth - 1)))
        if base >= number:
            ways.append(lambda b: self.node("Min", b, self.size(number, depth - 1)))
        parts = [k for k in range(2, base + 2) if base // k == number]
        if parts:
            ways += 2 * [lambda b: self.node("Div", b, self.constant(self.one_of(parts)))]
        remains = [k for k in range(2, base + 3) if base % k == number]
        if remains:
            ways += 2 * [lambda b: self.node("Mod", b, self.constant(self.one_of(remains)))]
        if number < 0:
            ways.append(lambda b: self.node("Neg", self.size(-number, depth - 1)))
        return self.one_of(ways)(self.dim(name, axis))

    def choice(self, other, number):
        """Where(condition, ...) that gives number."""
        condition = self.condition(data=False)
        return self.node("Where", condition, *((number, other) if self.of(condition) else (other, number)))

    def elsewhere(self, name, more):
        """A sum that another type of numbers computes."""
        kind = self.one_of([np.int32, np.float32, np.float64])
        there = self.node("Cast", name, to=helper.np_dtype_to_tensor_dtype(np.dtype(kind)))
        return self.node("Cast", self.node("Add", there, self.constant(more, kind)), to=TensorProto.INT64)

    def sizes(self, numbers):
        """A vector of sizes that has these numbers."""
        whole = [n for n in self.tensors() if list(self.of(n).shape) == list(numbers)]
        if whole and self.chance(0.3):
            return self.node("Shape", self.one_of(whole))
        if not len(numbers) or self.chance(0.1):
            return self.constant(numbers)
        parts = [self.constant([n]) if self.chance(0.3) else self.node("Unsqueeze", self.size(n), self.constant([0]))
                 for n in numbers]
        return parts[0] if len(parts) == 1 else self.node("Concat", *parts, axis=0)

    def condition(self, data=None):
        """A scalar of bool that sizes or data decide."""
        if data if data is not None else self.chance(0.4):
            name = self.pick(test=lambda c: c.size)
            middle = float(np.round(self.of(name).mean(), 2))
            return self.node("Greater", self.node("ReduceMean", name, keepdims=0), self.constant(middle, F32))
        a, b = self.number(0, 8), self.number(0, 8)
        return self.node(self.one_of(["Greater", "Less", "Equal", "GreaterOrEqual"]), self.size(a, 1), self.size(b, 1))

    # Whole graphs.

    def steps(self, count, regions=True):
        for _ in range(count):
            some = [s for s in STEPS if regions or not s[1]]
            weights = np.array([s[0] for s in some], float)
            try:
                some[int(self.rng.choice(len(some), p=weights / weights.sum()))][2](self)
            except Misfit:
                pass

    def inner(self, closed=False):
        scope = Scope(self.rng, self.names, self.functions, self)
        if closed:
            scope.values, scope.constants = {}, set()
        return scope

    def given(self, contents):
        return self.keep(self.name(f"i{np.ndim(contents)}_"), contents)

    def graph(self, inputs, outputs, unranked=()):
        """The nodes as the body of a region. Its outputs are made in it, each once; onnxruntime wants most ranks."""
        results = [self.node("Identity", o) for o in outputs]
        return helper.make_graph(self.nodes, self.name("g"), [declared(i, self.of(i), i not in unranked) for i in inputs],
                                 [declared(r, self.of(r), o not in unranked) for o, r in zip(outputs, results)])


# Element by element, products.

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


# The same elements in another shape.

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


# Parts.

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


# Shapes that numbers and data decide.

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
    """Vectors of sizes as a whole."""
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
    else:
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
    """What a trip makes of a state; whether its size cannot run away."""
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
        called = s.one_of(s.functions)  # its formals are named by their ranks
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


def program(seed, attempt):
    """A model, or none where onnxruntime does not take it as a whole."""
    s = Scope(np.random.default_rng([seed, attempt]), {}, [])
    symbols = {name: s.number(1, 7) for name in "NMKL"[:s.number(2, 4)]}
    inputs = {}
    for k in range(s.number(2, 4)):
        shape = [s.one_of(list(symbols)) if s.chance(0.8) else s.number(1, 4) for _ in range(s.number(1, 4) if k < 2 else s.number(0, 2))]
        sizes = [symbols.get(n, n) for n in shape]
        contents = [s.rng.random(sizes), s.rng.integers(0, 2, sizes), s.rng.random(sizes) < 0.5][max(k - 1, 0)]
        kind = [F32, I64, BOOL][max(k - 1, 0)]
        inputs[s.keep(f"x{k}", np.asarray(contents, kind))] = shape
    nodes = s.number(12, 50)
    while len(s.nodes) < nodes:
        s.steps(1)
    made = [o for node in s.nodes for o in node.output]
    read = set(read_by(s.nodes))
    given = {i: s.of(i) for i in inputs}
    weights = {w.name: s.of(w.name) for w in s.weights}
    try:
        run(s.nodes, {**given, **weights}, made, s.functions)
    except Misfit:
        return None
    values = [helper.make_tensor_value_info(i, helper.np_dtype_to_tensor_dtype(s.of(i).dtype), shape) for i, shape in inputs.items()]
    outputs = [declared(o, s.of(o)) for o in made if o not in read and s.chance(0.95)]
    graph = helper.make_graph(s.nodes, f"random{seed}", values, outputs or [declared(made[-1], s.of(made[-1]))], s.weights)
    model = helper.make_model(graph, opset_imports=OPSETS, ir_version=10, functions=s.functions)
    helper.set_model_props(model, {"sizes": " ".join(f"{name}={size}" for name, size in symbols.items())})
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--seeds", nargs=2, type=int, default=(0, 40), metavar=("FROM", "TO"))
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    for seed in range(*options.seeds):
        model = next(filter(None, (program(seed, attempt) for attempt in range(20))), None)
        if model is not None:
            save(model, os.path.join(options.folder, f"random{seed}.onnx"))


if __name__ == "__main__":
    main()
