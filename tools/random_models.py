#!/usr/bin/env python3
"""Writes random ONNX programs whose sizes depend on several symbols, as food for tools/compare_onnxruntime.py.

  tools/random_models.py FOLDER --seeds FROM TO

One model per seed (TO is not among them), the same one each time. A choice of the symbols and contents of the inputs go
with every program while it grows: each node is run by onnxruntime on its own before it is taken, so that the contents of
every tensor are known, and an operator that does not fit is dropped. So the program runs at that choice, which the
model's metadata name (`sizes`); at other sizes it may well be wrong, and the checks have to say so.

tools/random_scope.py is how a graph grows, tools/random_steps.py what it grows by.

Left out is what onnxruntime does in its own way: outputs of loops that make no trip, Resize to no elements, and Split by
number into a last part that may be empty.

Exit 0: written. 77: onnx or onnxruntime is not installed.
"""
import argparse
import os
import sys

try:
    import numpy as np
    from onnx import helper, save

    import random_steps  # noqa: F401, the steps that a scope chooses from
    from random_scope import BOOL, F32, I64, OPSETS, Misfit, Scope, declared, read_by, run
except ImportError as missing:
    print(f"skipped: {missing.name} is not installed for {sys.executable}")
    sys.exit(77)


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
    nodes = s.number(12, 45)
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
