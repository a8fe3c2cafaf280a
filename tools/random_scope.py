"""Grows a random program: a graph, and the contents of all its tensors at chosen sizes.

`Scope.size` makes these programs hard to infer: for a size that has to be 6, it returns an expression that is 6 at the
chosen sizes, such as `Shape(x)[1]*2`, `N - M//3`, or the minimum of two others.
"""
import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

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
    """The values in a scope do not allow a step."""


def step(weight, regions=False):
    def add(function):
        STEPS.append((weight, regions, function))
        return function
    return add


def declared(name, contents, ranked=False):
    """Returns a value without sizes, which have to be inferred."""
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
    """Returns the contents of the outputs. `inputs` maps names to contents."""
    graph = helper.make_graph(nodes, "g", [declared(n, c) for n, c in inputs.items()],
                              [helper.make_empty_tensor_value_info(o) for o in outputs])
    model = helper.make_model(graph, opset_imports=OPSETS, ir_version=10, functions=functions)
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), QUIET, ["CPUExecutionProvider"])
        return session.run(outputs, inputs)
    except Exception as refused:  # kernels raise exceptions of any type
        raise Misfit(str(refused)) from None


class Scope:
    """A growing graph: its nodes, and the contents of all values that they may read."""

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
        """Adds a node if onnxruntime runs it. Returns the name of its result, or a list of names."""
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
        """Returns a tensor, preferably a recent one."""
        found = self.tensors(dtype, ranks, test)
        return self.one_of(found[-5:] if self.chance(0.6) else found)

    # Sizes.

    def dim(self, name, axis):
        """Returns the size of an axis as a scalar, in one of the forms that exporters write."""
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
        """Returns a scalar that has this value at the chosen sizes and any value at others."""
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
        """Returns Where(condition, ...) with the value of `number`."""
        condition = self.condition(data=False)
        return self.node("Where", condition, *((number, other) if self.of(condition) else (other, number)))

    def elsewhere(self, name, more):
        """Returns a sum that is computed in another number type."""
        kind = self.one_of([np.int32, np.float32, np.float64])
        there = self.node("Cast", name, to=helper.np_dtype_to_tensor_dtype(np.dtype(kind)))
        return self.node("Cast", self.node("Add", there, self.constant(more, kind)), to=TensorProto.INT64)

    def sizes(self, numbers):
        """Returns a vector of sizes with these values."""
        whole = [n for n in self.tensors() if list(self.of(n).shape) == list(numbers)]
        if whole and self.chance(0.3):
            return self.node("Shape", self.one_of(whole))
        if not len(numbers) or self.chance(0.1):
            return self.constant(numbers)
        parts = [self.constant([n]) if self.chance(0.3) else self.node("Unsqueeze", self.size(n), self.constant([0]))
                 for n in numbers]
        return parts[0] if len(parts) == 1 else self.node("Concat", *parts, axis=0)

    def condition(self, data=None):
        """Returns a Boolean scalar that depends on sizes or data, sometimes one that was used before."""
        known = self.tensors(BOOL, [0])
        if data is None and known and self.chance(0.3):
            return self.one_of(known)
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
        """Returns the nodes as the body of a region. Each output is defined in it; onnxruntime needs most ranks."""
        results = [self.node("Identity", o) for o in outputs]
        return helper.make_graph(self.nodes, self.name("g"), [declared(i, self.of(i), i not in unranked) for i in inputs],
                                 [declared(r, self.of(r), o not in unranked) for o, r in zip(outputs, results)])
