#!/usr/bin/env python3
"""Generalizes models with constant sizes and runs them at other sizes.

    tools/check_generalize.py PROGRAM

Each model below has constant sizes, as an exporter writes them, and is made symbolic by `dimwise generalize`. Then
onnxruntime runs the result. At the old size it must compute the same as the model. At other sizes it must compute the
same as the model does sample by sample. All shapes must equal those of `dimwise infer --set`. For models that cannot be
generalized, the program must report the reason. Exits with 77 (skipped) if onnx or onnxruntime is not installed.
"""
import json
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    import onnxruntime as ort
    from onnx import TensorProto, helper, numpy_helper
except ImportError as missing:
    print(f"skipped: {missing}; it needs onnx, onnxruntime and numpy")
    sys.exit(77)

RANDOM = np.random.default_rng(5)


def weight(name, *sizes):
    return numpy_helper.from_array(RANDOM.standard_normal(sizes).astype(np.float32) * 0.2, name)


def ints(name, *numbers, dtype=np.int64):
    return numpy_helper.from_array(np.array(numbers, dtype=dtype), name)


def number(name, value, dtype=np.int64):
    return numpy_helper.from_array(np.array(value, dtype=dtype), name)


def model(nodes, inputs, outputs, initializers, opset=17):
    values = [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in inputs.items()]
    results = [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in outputs.items()]
    graph = helper.make_graph(nodes, "g", values, results, initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def node(op, inputs, outputs, **attributes):
    outputs = outputs.split() if isinstance(outputs, str) else outputs
    return helper.make_node(op, inputs.split() if isinstance(inputs, str) else inputs, outputs, name=f"{op}_{outputs[0]}",
                            **attributes)


def transformer():
    """Heads split and joined by Reshape. Two Reshapes share their sizes; another gets its sizes from a Constant."""
    nodes = [
        node("MatMul", "x wq", "q0"), node("Reshape", "q0 split", "q1"), node("Transpose", "q1", "q", perm=[0, 2, 1, 3]),
        node("MatMul", "x wk", "k0"), node("Reshape", "k0 split", "k1"), node("Transpose", "k1", "k", perm=[0, 2, 3, 1]),
        node("MatMul", "x wv", "v0"), node("Reshape", "v0 all", "v1"), node("Transpose", "v1", "v", perm=[0, 2, 1, 3]),
        node("MatMul", "q k", "scores"), node("Expand", "one mask_sizes", "mask"), node("Add", "scores mask", "masked"),
        node("Softmax", "masked", "p", axis=-1), node("MatMul", "p v", "o0"), node("Transpose", "o0", "o1", perm=[0, 2, 1, 3]),
        node("Constant", "", "join", value_ints=[1, 16, 32]), node("Reshape", "o1 join", "o2"), node("Add", "o2 x", "y"),
    ]
    return model(nodes, {"x": [1, 16, 32]}, {"y": [1, 16, 32]},
                 [weight("wq", 32, 32), weight("wk", 32, 32), weight("wv", 32, 32), ints("split", 1, -1, 4, 8),
                  ints("all", 1, 16, 4, 8), number("one", 1.0, np.float32), ints("mask_sizes", 1, 1, 16, 16)])


def convolution():
    """A Reshape to [1, 512]."""
    nodes = [node("Conv", "x w", "c", pads=[1, 1, 1, 1]), node("Relu", "c", "r"), node("GlobalAveragePool", "r", "a"),
             node("Reshape", "a flat", "f"), node("Gemm", "f fc", "y")]
    return model(nodes, {"x": [1, 3, 8, 8]}, {"y": [1, 10]},
                 [weight("w", 512, 3, 3, 3), ints("flat", 1, 512), weight("fc", 512, 10)])


def recurrent():
    """Constant initial states: a weight, and a ConstantOfShape."""
    nodes = [node("ConstantOfShape", "sizes", "c0"), node("LSTM", ["x", "w", "r", "", "", "h0", "c0"], "s h c", hidden_size=8),
             node("Reshape", "s rows", "y")]
    return model(nodes, {"x": [5, 1, 4]}, {"y": [5, 1, 8]},
                 [weight("w", 1, 32, 4), weight("r", 1, 32, 8), weight("h0", 1, 1, 8), ints("sizes", 1, 1, 8),
                  ints("rows", 5, 1, 8)])


def class_token():
    """A class token before the others: a weight of one sample, as in ViT, and an Expand."""
    nodes = [node("Concat", "token x", "t", axis=1), node("Expand", "other twice", "o"), node("Concat", "t o", "c", axis=1),
             node("MatMul", "c w", "y")]
    return model(nodes, {"x": [1, 6, 4]}, {"y": [1, 8, 4]},
                 [weight("token", 1, 1, 4), weight("other", 1, 1, 4), ints("twice", 1, 1, 4), weight("w", 4, 4)])


def two_samples():
    """The old size is 2, and the sizes of the Reshapes are multiples of 2."""
    nodes = [node("Reshape", "x rows", "a"), node("MatMul", "a w", "b"), node("Reshape", "b back", "c"),
             node("Tile", "one many", "d"), node("Concat", "c d", "y", axis=2)]
    return model(nodes, {"x": [2, 6, 4]}, {"y": [2, 6, 9]},
                 [ints("rows", 12, 4), weight("w", 4, 8), ints("back", 2, 6, 8), weight("one", 1, 6, 1),
                  ints("many", 2, 1, 1)])


def positions():
    """A Slice and a Range that take as many positions of a table as there are tokens."""
    nodes = [node("Slice", "table start end axis", "p"), node("Add", "x p", "a"), node("Range", "zero many step", "ids"),
             node("Gather", "rows ids", "g"), node("Add", "a g", "b"), node("Reshape", "b flat", "y")]
    return model(nodes, {"x": [1, 6, 4]}, {"y": [6, 4]},
                 [weight("table", 1, 64, 4), ints("start", 0), ints("end", 6), ints("axis", 1), number("zero", 0),
                  number("many", 6), number("step", 1), weight("rows", 64, 4), ints("flat", 6, 4)])


def whole_slice():
    """A Slice of a whole axis must stay one."""
    nodes = [node("Slice", "x start end axes", "s"), node("Mul", "s s", "y")]
    return model(nodes, {"x": [1, 6]}, {"y": [1, 6]}, [ints("start", 0, 0), ints("end", 1, 6), ints("axes", 0, 1)])


def slice_of_old():
    """A Slice of a whole axis whose ends are an attribute."""
    nodes = [node("Slice", "x", "s", starts=[0, 0], ends=[1, 6], axes=[0, 1]), node("Mul", "s s", "y")]
    return model(nodes, {"x": [1, 6]}, {"y": [1, 6]}, [], opset=9)


def with_function(*body):
    """A function that is called twice. Its body is not changed."""
    function = helper.make_function("own", "F", ["a"], ["b"], list(body), [helper.make_opsetid("", 17)])
    built = model([helper.make_node("F", ["x"], ["p"], domain="own"), helper.make_node("F", ["x"], ["q"], domain="own"),
                   node("Add", "p q", "y")], {"x": [1, 6]}, {"y": None}, [])
    built.functions.append(function)
    built.opset_import.append(helper.make_opsetid("own", 1))
    return built


def reshape_in_function():
    return with_function(node("Constant", "", "s", value=ints("s", 1, 2, 3)), node("Reshape", "a s", "b"))


def slice_in_function():
    return with_function(node("Constant", "", "start", value=ints("start", 0)), node("Constant", "", "end", value=ints("end", 1)),
                         node("Slice", "a start end", "b"))


def reshape_inlined():
    import onnx.inliner
    return onnx.inliner.inline_local_functions(reshape_in_function())


def computed():
    """Sizes that are partly computed: the batch is a constant, the rest comes from a Shape."""
    nodes = [node("Shape", "x", "s"), node("Gather", "s one", "t", axis=0), node("Concat", "b t minus", "sizes", axis=0),
             node("Reshape", "x sizes", "y")]
    return model(nodes, {"x": [1, 6, 2, 2]}, {"y": [1, 6, 4]}, [ints("one", 1), ints("b", 1), ints("minus", -1)])


def branches():
    """A Reshape inside a branch. It uses an outer constant with other users."""
    then_nodes = [node("Reshape", "x sizes", "t")]
    else_nodes = [node("Reshape", "x sizes", "e0"), node("Neg", "e0", "e")]
    info = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, None)
    nodes = [node("ReduceSum", "x", "sum", keepdims=0), node("Greater", "sum zero", "c"),
             node("If", "c", "y", then_branch=helper.make_graph(then_nodes, "t", [], [info("t")]),
                  else_branch=helper.make_graph(else_nodes, "e", [], [info("e")]))]
    return model(nodes, {"x": [1, 6, 4]}, {"y": [1, 24]}, [ints("sizes", 1, 24), number("zero", 0.0, np.float32)])


def flattened():
    """A Reshape to the rows of all samples and back, as exporters write a linear layer."""
    nodes = [node("Reshape", "x rows", "a"), node("Gemm", "a w", "b"), node("Reshape", "b back", "c"), node("Add", "c x", "d"),
             node("Reshape", "d split", "e"), node("Transpose", "e", "f", perm=[0, 2, 1, 3]), node("Reshape", "f heads", "g"),
             node("Transpose", "g", "h", perm=[0, 2, 1]), node("MatMul", "g h", "i"), node("Reshape", "i apart", "y")]
    return model(nodes, {"x": [1, 6, 8]}, {"y": [1, 2, 6, 6]},
                 [ints("rows", -1, 8), weight("w", 8, 8), ints("back", 1, 6, 8), ints("split", 1, 6, 2, 4),
                  ints("heads", 2, 6, 4), ints("apart", 1, 2, 6, 6)])


def images():
    """Sizes of a Resize, 32-bit ends of a Slice, and a Constant with two users."""
    nodes = [node("Resize", ["x", "", "", "sizes"], "a", mode="nearest"), node("Slice", "a start end", "b"),
             node("Constant", "", "flat", value=ints("v", 1, 3, 64)), node("Reshape", "b flat", "c"), node("Reshape", "x flat", "d"),
             node("Add", "c d", "y")]
    return model(nodes, {"x": [1, 3, 8, 8]}, {"y": [1, 3, 64]},
                 [ints("sizes", 1, 3, 16, 16), ints("start", 0, 0, 0, 0, dtype=np.int32), ints("end", 1, 3, 8, 8, dtype=np.int32)])


def sequence_first(samples=1):
    """Attention with the sequence first, as in torch.nn.MultiheadAttention: the samples share an axis with the heads,
    then with the words."""
    heads, width = 4 * samples, 6 * samples
    nodes = [node("Reshape", "x heads", "h"), node("Transpose", "h", "t", perm=[1, 0, 2]),
             node("Reshape", "t split", "q"), node("Transpose", "q", "k", perm=[0, 1, 3, 2]), node("MatMul", "q k", "scores"),
             node("Softmax", "scores", "weights", axis=-1), node("MatMul", "weights q", "o"),
             node("Transpose", "o", "p", perm=[2, 0, 1, 3]), node("Reshape", "p flat", "f"), node("MatMul", "f w", "g"),
             node("Reshape", "g apart", "r"), node("Add", "r x", "y")]
    return model(nodes, {"x": [6, samples, 32]}, {"y": [6, samples, 32]},
                 [ints("heads", 6, heads, 8), ints("split", samples, 4, 6, 8), ints("flat", width, 32), weight("w", 32, 32),
                  ints("apart", 6, samples, 32)])


def sequence_first_of_two():
    return sequence_first(samples=2)


def pyramid():
    """Features that are resized to the size of others and back to that of the image; an axis split into halves."""
    nodes = [node("Conv", "x w", "a", strides=[2, 2], pads=[1, 1, 1, 1]), node("Conv", "a v", "b", strides=[2, 2], pads=[1, 1, 1, 1]),
             node("Resize", ["b", "", "", "as_a"], "c", mode="nearest"), node("Add", "a c", "d"),
             node("Reshape", "d groups", "e"), node("Transpose", "e", "f", perm=[0, 2, 1, 3, 4]), node("Reshape", "f ungroup", "g"),
             node("Resize", ["g", "", "", "as_x"], "y", mode="nearest")]
    return model(nodes, {"x": [1, 3, 16, 16]}, {"y": [1, 4, 16, 16]},
                 [weight("w", 4, 3, 3, 3), weight("v", 4, 4, 3, 3), ints("as_a", 1, 4, 8, 8), ints("groups", 1, 2, 2, 8, 8),
                  ints("ungroup", 1, 4, 8, 8), ints("as_x", 1, 4, 16, 16)])


def places():
    """All elements by their indices."""
    nodes = [node("Reshape", "x all", "f"), node("Gather", "f numbers", "y", axis=0)]
    return model(nodes, {"x": [1, 4]}, {"y": [1, 4]},
                 [ints("all", -1), numpy_helper.from_array(np.arange(4, dtype=np.int64).reshape(1, 4), "numbers")])


def two_inputs():
    nodes = [node("Concat", "x y", "z", axis=1), node("Reshape", "z flat", "r")]
    return model(nodes, {"x": [1, 6], "y": [1, 2]}, {"r": [1, 8, 1]}, [ints("flat", 1, 8, 1)])


# Model, options of generalize, sizes to run at, and the batch axes of input and output if samples are
# independent.
RUNS = [
    (transformer, ["x[0]=batch"], {"batch": [1, 2, 5]}, (0, 0)),
    (transformer, ["x[0]=batch", "x[1]=seq"], {"batch": [1, 3], "seq": [16, 7]}, None),
    (convolution, ["x[0]=batch"], {"batch": [1, 2, 5]}, (0, 0)),
    (convolution, ["x=batch,_,h,w"], {"batch": [1, 2], "h": [8, 11], "w": [8, 5]}, None),
    (recurrent, ["x[1]=batch"], {"batch": [1, 2, 5]}, (1, 1)),
    (recurrent, ["x[0]=time"], {"time": [5, 2]}, None),
    (class_token, ["x[0]=batch"], {"batch": [1, 2, 5]}, (0, 0)),
    (class_token, ["x[1]=tokens"], {"tokens": [6, 1, 9]}, None),
    (two_samples, ["x[0]=batch"], {"batch": [2, 1, 5]}, (0, 0)),
    (positions, ["x[1]=seq"], {"seq": [6, 1, 13]}, None),
    (whole_slice, ["x[0]=batch"], {"batch": [1, 2, 5]}, (0, 0)),
    (slice_of_old, ["x[0]=batch"], {"batch": [1, 2, 5]}, (0, 0)),
    (reshape_inlined, ["x[0]=batch"], {"batch": [1, 2, 5]}, (0, 0)),
    (computed, ["x[0]=batch"], {"batch": [1, 2, 5]}, (0, 0)),
    (branches, ["x[0]=batch"], {"batch": [1, 2]}, None),
    (flattened, ["x[0]=batch"], {"batch": [1, 2, 5]}, (0, 0)),
    (flattened, ["x[0]=batch", "x[1]=seq"], {"batch": [1, 3], "seq": [6, 2, 9]}, None),
    (images, ["x[0]=batch"], {"batch": [1, 2, 5]}, (0, 0)),
    (sequence_first, ["x[1]=batch"], {"batch": [1, 2, 5]}, (1, 1)),
    (sequence_first, ["x=seq,batch,_"], {"batch": [1, 3], "seq": [6, 2, 9]}, None),
    (sequence_first_of_two, ["x[1]=batch"], {"batch": [2, 1, 5]}, (1, 1)),
    (pyramid, ["x[0]=batch"], {"batch": [1, 2, 5]}, (0, 0)),
    (pyramid, ["x=batch,_,h,w"], {"batch": [1, 2], "h": [16, 11], "w": [16, 5]}, None),
    (two_inputs, ["x[0]=batch", "y[0]=batch"], {"batch": [1, 2, 5]}, (0, 0)),
]

# Models that must be rejected: model, options, and a part of the expected message.
REFUSED = [
    (two_inputs, ["x[0]=batch"], "add --input 'y[0]=batch'"),
    (convolution, ["x[1]=channels"], "channels cannot be made symbolic"),
    (class_token, ["x[2]=width"], "width cannot be made symbolic"),
    (places, ["x[0]=batch"], "takes 4 elements of axis 0"),
    (reshape_in_function, ["x[0]=batch"], "inline_local_functions"),
    (slice_in_function, ["x[0]=batch"], "inline_local_functions"),
]


def observed(path, feeds):
    """Returns all tensors from a run with all of them as outputs, except those in branches."""
    m = onnx.load(path)
    have = {o.name for o in m.graph.output}
    for n in m.graph.node:
        for o in n.output:
            if o and o not in have:
                m.graph.output.append(helper.make_empty_tensor_value_info(o))
    options = ort.SessionOptions()
    options.log_severity_level = 3
    session = ort.InferenceSession(m.SerializeToString(), options, providers=["CPUExecutionProvider"])
    names = [o.name for o in session.get_outputs()]
    return dict(zip(names, session.run(names, feeds)))


def combinations(sizes):
    first = {k: v[0] for k, v in sizes.items()}
    yield first
    for k, v in sizes.items():
        for other in v[1:]:
            yield {**first, k: other}
    yield {k: v[-1] for k, v in sizes.items()}


class Mistake(Exception):
    pass


def check(condition, what):
    if not condition:
        raise Mistake(what)


def run(program, build, words, sizes, independent, folder):
    old, new = os.path.join(folder, "old.onnx"), os.path.join(folder, "new.onnx")
    onnx.save(build(), old)
    asked = [a for w in words for a in ("--input", w)]
    done = subprocess.run([program, "generalize", old, *asked, "-o", new, "--format", "json"], capture_output=True, text=True)
    check(done.returncode == 0, f"exit {done.returncode}: {done.stderr}")
    changes = json.loads(done.stdout)["changes"]
    onnx.checker.check_model(onnx.load(new), full_check=True)
    output = onnx.load(old).graph.output[0].name
    for numbers in combinations(sizes):
        sets = [a for k, v in numbers.items() for a in ("--set", f"{k}={v}")]
        said = json.loads(subprocess.run([program, "infer", new, *sets, "--format", "json"], capture_output=True, text=True).stdout)
        feeds = {}
        for i in onnx.load(new).graph.input:
            shape = [numbers[d.dim_param] if d.dim_param else d.dim_value for d in i.type.tensor_type.shape.dim]
            feeds[i.name] = RANDOM.standard_normal(shape).astype(np.float32)
        real = observed(new, feeds)
        for name, tensor in real.items():
            shape = said["values"][name]["shape"]
            check(list(tensor.shape) == shape, f"{name} is {list(tensor.shape)} at {numbers}, and inferred as {shape}")
        if list(numbers.values()) == [v[0] for v in sizes.values()]:
            expected = observed(old, feeds)
            for name, tensor in expected.items():
                if name in real and name not in {c.get("operand") for c in changes}:
                    check(tensor.shape == real[name].shape, f"{name} has another shape at the old size")
            np.testing.assert_allclose(real[output], expected[output], rtol=1e-4, atol=1e-5)
        elif independent:
            axis_in, axis_out = independent
            was = onnx.load(old).graph.input[0].type.tensor_type.shape.dim[axis_in].dim_value
            for k in range(next(iter(numbers.values()))):
                one = {n: np.repeat(np.take(x, [k], axis_in), was, axis_in) for n, x in feeds.items()}
                alone = np.take(observed(old, one)[output], [0], axis_out)
                np.testing.assert_allclose(np.take(real[output], [k], axis_out), alone, rtol=1e-4, atol=1e-5)
    back = os.path.join(folder, "back.onnx")
    fixed = [f"{k}={v[0]}" for k, v in sizes.items()]
    subprocess.run([program, "set", new, *fixed, "-o", back, "-q"], check=True)
    same = json.loads(subprocess.run([program, "diff", old, back, "--format", "json"], capture_output=True, text=True).stdout)
    check(not same["changed"] and not same["removed"], f"set back, it differs: {same['changed']} {same['removed']}")
    return changes


def main():
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    program, failed = sys.argv[1], 0
    with tempfile.TemporaryDirectory() as folder:
        for build, words, sizes, independent in RUNS:
            title = f"{build.__name__} {' '.join(words)}"
            try:
                changes = run(program, build, words, sizes, independent, folder)
                print(f"ok      {title}: {len(changes)} changes")
            except (Mistake, AssertionError, subprocess.CalledProcessError) as mistake:
                failed += 1
                print(f"FAILED  {title}: {mistake}")
        for build, words, expected in REFUSED:
            old, new = os.path.join(folder, "old.onnx"), os.path.join(folder, "refused.onnx")
            onnx.save(build(), old)
            asked = [a for w in words for a in ("--input", w)]
            done = subprocess.run([program, "generalize", old, *asked, "-o", new], capture_output=True, text=True)
            good = done.returncode == 1 and expected in done.stderr and not os.path.exists(new)
            failed += not good
            print(f"{'ok      ' if good else 'FAILED  '}{build.__name__} {' '.join(words)}: refused" + ("" if good else f"? {done.stderr}"))
    print(f"{len(RUNS) + len(REFUSED) - failed} of {len(RUNS) + len(REFUSED)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
