#!/usr/bin/env python3
"""Writes random ONNX programs whose sizes depend on several symbols, as input for tools/compare_onnxruntime.py.

  tools/random_models.py FOLDER --seeds FROM TO

Writes a model per seed below TO. A seed always gives the same model. Sizes for the symbols and contents for the inputs
are chosen first. Each new node is run by onnxruntime, so that the contents of all tensors are known; a node that fails
is dropped. So the program runs at the chosen sizes, which are stored in its metadata (`sizes`). At other sizes it may
be invalid, and then its guards must fail.

tools/random_scope.py implements the growth of a graph, tools/random_steps.py the steps.

Constructs in which onnxruntime deviates from ONNX are omitted: outputs of loops without a trip, Resize to an empty
result, and Split by a number with a last part that may be empty.

Exit 0: written. 77: onnx or onnxruntime is not installed.
"""
import argparse
import os
import sys

try:
    import numpy as np
    from onnx import helper, save

    import random_steps  # noqa: F401, registers the steps of a scope
    from random_scope import BOOL, F32, I64, OPSETS, Misfit, Scope, declared, read_by, run
except ImportError as missing:
    print(f"skipped: {missing.name} is not installed for {sys.executable}")
    sys.exit(77)


def program(seed, attempt):
    """Returns a model, or None if onnxruntime rejects it as a whole."""
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
