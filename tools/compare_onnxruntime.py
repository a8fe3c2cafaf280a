#!/usr/bin/env python3
"""Compares shape programs with what onnxruntime really computes.

  tools/compare_onnxruntime.py DIMWISE MODEL_OR_FOLDER... [--runs N] [-v]

Each model is compiled with `dimwise compile --emit python`. Its symbols are given random sizes, the model runs with
random inputs of these sizes and with every tensor as an output, and the shape of every tensor that the program knows is
compared. Sizes that data decides are filled in from the run, stage by stage. Where a check of the program fails,
onnxruntime has to refuse the run too; what onnxruntime refuses for reasons of its own (contents, operators that it does
not have) is counted apart.

Exit 0: nothing differs. 1: something does. 77: onnx or onnxruntime is not installed.
"""
import argparse
import collections
import importlib.util
import os
import random
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    import onnxruntime
except ImportError as missing:
    print(f"skipped: {missing.name} is not installed for {sys.executable}")
    sys.exit(77)

MOST_ELEMENTS = 4_000_000
SIZES = [1, 2, 3, 4, 5, 7, 8, 16, 32]


def models_of(paths):
    for path in paths:
        if os.path.isdir(path):
            for folder, _, files in sorted(os.walk(path)):
                yield from (os.path.join(folder, f) for f in sorted(files) if f.endswith(".onnx"))
        else:
            yield path


def compile_model(dimwise, path):
    """The program as a module, or the reason why there is none."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "shapes.py")
        done = subprocess.run([dimwise, "compile", path, "--emit", "python", "-o", out], capture_output=True, text=True)
        if done.returncode != 0:
            return None, (done.stderr.strip().splitlines() or ["?"])[0]
        spec = importlib.util.spec_from_file_location("shapes", out)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module, ""


def session_of(path):
    """A session that gives every tensor of the graph, with its inputs."""
    model = onnx.load(path)
    named = {o.name for o in model.graph.output}
    for node in model.graph.node:
        for name in node.output:
            if name and name not in named:
                model.graph.output.append(onnx.ValueInfoProto(name=name))
                named.add(name)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    weights = {w.name for w in model.graph.initializer}
    inputs = [i for i in model.graph.input if i.name not in weights]
    return onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"]), inputs


def sizes_of(value, sizes):
    """The sizes of an input, as the file declares it."""
    if not value.type.tensor_type.HasField("shape"):
        raise TypeError(f"input {value.name} has no rank")
    shape = []
    for axis, dim in enumerate(value.type.tensor_type.shape.dim):
        name = dim.dim_param or f"{value.name}_d{axis}"
        if dim.HasField("dim_value") and dim.dim_value >= 0:  # a negative one says nothing
            shape.append(dim.dim_value)
        elif name in sizes:
            shape.append(sizes[name])
        else:  # an expression
            shape.append(eval(name, {"__builtins__": {}}, dict(sizes)))
    return shape


def tensor_for(value, sizes):
    kind = value.type.tensor_type.elem_type
    dtype = onnx.helper.tensor_dtype_to_np_dtype(kind)
    if dtype == np.bool_:
        return np.asarray(np.random.rand(*sizes) < 0.5)
    if np.issubdtype(dtype, np.integer):
        return np.asarray(np.random.randint(0, 2, sizes), dtype)
    if np.issubdtype(dtype, np.floating):
        return np.asarray(np.random.rand(*sizes), dtype)
    raise TypeError(f"inputs of {dtype} are not made")


def one_run(program, session, inputs, tally, verbose, name):
    sizes = {s: random.choice(SIZES) for s in program.SYMBOLS if s not in program.DATA}
    t = program.new_table()
    for symbol, size in sizes.items():
        t[program.SYMBOLS[symbol]] = size
    code = program.stage_0(t)
    if code != 0:  # try to meet the checks: all symbols alike
        size = random.choice(SIZES)
        for symbol in sizes:
            t[program.SYMBOLS[symbol]] = sizes[symbol] = size
        code = program.stage_0(t)
    given = {}
    for value in inputs:
        if not value.type.HasField("tensor_type"):
            raise TypeError(f"input {value.name} is no tensor")
        shape = sizes_of(value, sizes)
        if np.prod([max(s, 1) for s in shape]) > MOST_ELEMENTS:
            raise TypeError("the sizes are too large")
        given[value.name] = tensor_for(value, shape)
    try:
        names = [o.name for o in session.get_outputs()]
        real = dict(zip(names, session.run(names, given)))
    except Exception as refused:  # whatever a kernel throws
        tally["refused by both" if code != 0 else "refused by onnxruntime alone"] += 1
        if verbose and code == 0:
            print(f"{name}: {sizes}: onnxruntime: {str(refused)[:200]}")
        return
    if code != 0:
        tally["FALSE CHECK"] += 1
        print(f"{name}: {sizes}: {program.message(code)}, and onnxruntime runs it")
        return
    for k, stage in enumerate(program.STAGES):
        if stage["where"]:
            continue  # branches, loops and what nobody uses
        for symbol in stage["needs"]:
            where = program.DATA.get(symbol)
            if where is None:
                continue
            tensor = real.get(where["value"])
            if tensor is None or not hasattr(tensor, "shape"):
                tally["sizes that cannot be read"] += 1
                return
            element = where["element"]
            t[program.SYMBOLS[symbol]] = int(tensor.shape[where["axis"]] if element is None else tensor.flat[element])
        if k > 0:
            code = stage["run"](t)
            if code != 0:
                tally["FALSE CHECK"] += 1
                print(f"{name}: {sizes}: stage {k}: {program.message(code)}, and onnxruntime runs it")
                return
    for value, about in program.VALUES.items():
        tensor = real.get(value)
        if tensor is None or not hasattr(tensor, "shape") or program.STAGES[about["stage"]]["where"]:
            continue
        shape = program.shape(value, t)
        if shape is None:
            tally["values of unknown rank"] += 1
        elif list(tensor.shape) == shape:
            tally["shapes alike"] += 1
        else:
            tally["SHAPES THAT DIFFER"] += 1
            print(f"{name}: {sizes}: {value} is {list(tensor.shape)}, not {shape}")
    tally["runs"] += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dimwise")
    parser.add_argument("models", nargs="+")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("-v", action="store_true", help="say why onnxruntime refuses a run")
    options = parser.parse_args()
    random.seed(1)
    np.random.seed(1)
    tally = collections.Counter()
    for path in models_of(options.models):
        name = os.path.basename(path) if os.path.basename(path) != "model.onnx" else os.path.basename(os.path.dirname(path))
        program, why = compile_model(options.dimwise, path)
        if program is None:
            tally["not compiled"] += 1
            if options.v:
                print(f"{name}: {why}")
            continue
        try:
            session, inputs = session_of(path)
        except Exception as refused:
            tally["not loaded by onnxruntime"] += 1
            if options.v:
                print(f"{name}: {str(refused)[:200]}")
            continue
        tally["models"] += 1
        for _ in range(options.runs):
            try:
                one_run(program, session, inputs, tally, options.v, name)
            except (TypeError, NameError, SyntaxError) as not_made:
                tally["inputs that are not made"] += 1
                if options.v:
                    print(f"{name}: {not_made}")
                break
    for what, count in sorted(tally.items()):
        print(f"{count:8} {what}")
    sys.exit(1 if tally["SHAPES THAT DIFFER"] or tally["FALSE CHECK"] else 0)


if __name__ == "__main__":
    main()
