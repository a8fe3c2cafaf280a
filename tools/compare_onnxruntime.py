#!/usr/bin/env python3
"""Compares shape programs with real runs of onnxruntime.

  tools/compare_onnxruntime.py DIMWISE MODEL_OR_FOLDER... [--runs N] [--numbers] [-v]

Each model is compiled with `dimwise compile --emit python`. Its symbols get random sizes. The model runs on random
inputs of these sizes with every tensor as an output, and the shape of every tensor that the program knows is compared.
Data-dependent sizes are taken from the run, stage by stage. If a guard of the program fails, onnxruntime must reject
the run too. Runs that onnxruntime rejects for other reasons (contents, missing operators) are counted separately. So
are runs in which it deviates from ONNX (`own_way`).

With --numbers the model is also inferred at the sizes of each run (`dimwise infer --set`). Inferred numbers must then
equal the real ones.

If the metadata of a model contain sizes at which it runs (`sizes`: "N=3 M=4", written by tools/random_models.py), it
runs at these sizes first and then at similar ones. If onnxruntime runs it there, it must compile.

Exit 0: no difference. 1: a difference. 2: the comparison failed. 77: onnx or onnxruntime is not installed.
"""
import argparse
import collections
import importlib.util
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import traceback

try:
    import numpy as np
    import onnx
    import onnxruntime
except ImportError as missing:
    print(f"skipped: {missing.name} is not installed for {sys.executable}")
    sys.exit(77)

MOST_ELEMENTS = 4_000_000
MOST_SECONDS = 60
SIZES = [1, 2, 3, 4, 5, 7, 8, 16, 32]


def models_of(paths):
    for path in paths:
        if os.path.isdir(path):
            for folder, _, files in sorted(os.walk(path)):
                yield from (os.path.join(folder, f) for f in sorted(files) if f.endswith(".onnx"))
        else:
            yield path


def compile_model(dimwise, path):
    """Returns the program as a module, or the reason why there is none."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "shapes.py")
        try:
            done = subprocess.run([dimwise, "compile", path, "--emit", "python", "-o", out], capture_output=True, text=True,
                                  timeout=MOST_SECONDS)
        except subprocess.TimeoutExpired:
            return None, f"not compiled within {MOST_SECONDS} s"
        if done.returncode != 0:
            return None, (done.stderr.strip().splitlines() or ["?"])[0]
        spec = importlib.util.spec_from_file_location("shapes", out)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module, ""


def session_of(path):
    """Returns a session with every tensor of the graph as an output, its inputs and its nodes."""
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
    return onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"]), inputs, model.graph.node


def sizes_of(value, sizes):
    """Returns the sizes of an input as the file declares them."""
    if not value.type.tensor_type.HasField("shape"):
        raise TypeError(f"input {value.name} has no rank")
    shape = []
    for axis, dim in enumerate(value.type.tensor_type.shape.dim):
        name = dim.dim_param or f"{value.name}_d{axis}"
        if dim.HasField("dim_value") and dim.dim_value >= 0:  # a negative number means unknown
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


def named_sizes(path):
    """Returns the sizes at which the model runs according to its metadata."""
    named = [p.value for p in onnx.load(path, load_external_data=False).metadata_props if p.key == "sizes"]
    return {pair.split("=")[0]: int(pair.split("=")[1]) for text in named for pair in text.split()}


def some_sizes(symbols, named, run):
    if not named:
        return {s: random.choice(SIZES) for s in symbols}
    changed = random.sample(sorted(symbols), min(len(symbols), (run + 1) // 2))
    return {s: random.choice(SIZES[:7]) if s in changed else named[s] for s in symbols}


def inputs_for(inputs, sizes):
    given = {}
    for value in inputs:
        if not value.type.HasField("tensor_type"):
            raise TypeError(f"input {value.name} is no tensor")
        shape = sizes_of(value, sizes)
        if np.prod([max(s, 1) for s in shape]) > MOST_ELEMENTS:
            raise TypeError("the sizes are too large")
        given[value.name] = tensor_for(value, shape)
    return given


def runs_at(path, sizes):
    """Returns whether onnxruntime runs the model at these sizes."""
    try:
        session, inputs, _ = session_of(path)
        session.run(None, inputs_for(inputs, sizes))
        return True
    except Exception:  # kernels raise exceptions of any type
        return False


def own_way(node, message, real):
    """Returns why onnxruntime runs a program that is invalid or violates an assumption; None if Dimwise is wrong."""
    operands = [real[name] for name in node.input if name in real] if node is not None else []
    if not operands:
        return None
    if node.op_type in ["MaxPool", "AveragePool"] and "larger than the input" in message:
        return "windows of a pool that stick out"  # it rounds a negative number of steps up
    if node.op_type == "Concat" and any(o.size == 0 for o in operands):
        return "operands of Concat without elements"  # it skips them, whatever their sizes are
    if node.op_type == "ConcatFromSequence" and any(part.size == 0 for part in operands[0]):
        return "operands of Concat without elements"
    if node.op_type == "GatherND" and operands[-1].shape[-1] == 0:
        return "tuples of GatherND that are empty"  # it returns all of data for each
    if node.op_type == "Reshape" and 0 in operands[-1]:
        return "sizes of Reshape that are computed as 0"  # a computed 0 is assumed not to copy another size
    return None


def false_claim(kind, node, message, real, tally, where):
    """Counts a guard or an error that does not hold in a run."""
    why = own_way(node, message, real)
    tally[why or kind] += 1
    if why is None:
        print(f"{where}: {message}, and onnxruntime runs it")


def false_check(message, nodes, real, tally, where):
    node = next((n for n in nodes if message.endswith(f"({n.op_type} '{n.name}')")), None)
    false_claim("FALSE CHECK", node, message, real, tally, where)


def differs(value, shape, nodes, real, tally, where):
    """Counts a tensor whose real shape differs."""
    maker = next((n for n in nodes if value in n.output), None)
    if maker is not None and maker.op_type == "ArgMax" and real[maker.input[0]].size == 0:
        tally["ArgMax of no elements"] += 1  # ArgMax keeps the sizes of its operand
        return
    tally["SHAPES THAT DIFFER"] += 1
    print(f"{where}: {value} is {list(real[value].shape)}, not {shape}")


def may_refuse(program, t):
    """Returns whether a guard fails in a branch, in a loop or in unused code, as far as sizes decide that."""
    done = {0}
    for k, stage in enumerate(program.STAGES):
        if stage["after"] in done and not any(s in program.DATA for s in stage["needs"]):
            done.add(k)
            if stage["run"](t) != 0:
                return True
    return False


def compare_numbers(dimwise, path, sizes, nodes, real, tally, where):
    """Compares the inference at numbers with the run."""
    numbers = [f"--set={symbol}={size}" for symbol, size in sizes.items()]
    done = subprocess.run([dimwise, "infer", path, "--format", "json", *numbers],
                          capture_output=True, text=True)
    answer = json.loads(done.stdout)
    for wrong in (d for d in answer["diagnostics"] if d["severity"] == "error"):
        node = next((n for n in nodes if n.name == wrong["node"]), None)
        false_claim("FALSE ERROR", node, f"{wrong['message']} ({wrong['op']} {wrong['node']})", real, tally, where)
    for value, about in answer["values"].items():
        shape, tensor = about.get("shape"), real.get(value)
        if shape is None or not hasattr(tensor, "shape"):
            continue
        if len(shape) != tensor.ndim or any(isinstance(s, int) and s != r for s, r in zip(shape, tensor.shape)):
            differs(value, shape, nodes, real, tally, f"{where} at numbers")
        else:
            tally["shapes alike at numbers"] += 1


def one_run(program, session, inputs, nodes, tally, options, path, name, named, run):
    sizes = some_sizes([s for s in program.SYMBOLS if s not in program.DATA], named, run)
    t = program.new_table()
    for symbol, size in sizes.items():
        t[program.SYMBOLS[symbol]] = size
    code = program.stage_0(t)
    if code != 0 and not named:  # try to satisfy the guards with equal symbols
        size = random.choice(SIZES)
        for symbol in sizes:
            t[program.SYMBOLS[symbol]] = sizes[symbol] = size
        code = program.stage_0(t)
    given = inputs_for(inputs, sizes)
    try:
        names = [o.name for o in session.get_outputs()]
        real = {**given, **dict(zip(names, session.run(names, given)))}
    except Exception as refused:  # kernels raise exceptions of any type
        alone = code == 0 and not may_refuse(program, t)
        tally["refused by onnxruntime alone" if alone else "refused by both"] += 1
        if options.v and alone:
            print(f"{name}: {sizes}: onnxruntime: {str(refused)[:200]}")
        return
    if code != 0:
        return false_check(program.message(code), nodes, real, tally, f"{name}: {sizes}")
    for k, stage in enumerate(program.STAGES):
        if stage["where"]:
            continue  # branches, loops and unused code
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
                return false_check(program.message(code), nodes, real, tally, f"{name}: {sizes}: stage {k}")
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
            differs(value, shape, nodes, real, tally, f"{name}: {sizes}")
    tally["runs"] += 1
    if options.numbers:
        compare_numbers(options.dimwise, path, sizes, nodes, real, tally, f"{name}: {sizes}")


def compare_model(path, options, tell):
    """Compares the runs of a model with a fixed seed, and returns the counts."""
    random.seed(1)
    np.random.seed(1)
    name = os.path.basename(path) if os.path.basename(path) != "model.onnx" else os.path.basename(os.path.dirname(path))
    named = named_sizes(path)
    began = time.monotonic()
    program, why = compile_model(options.dimwise, path)
    if options.v and time.monotonic() - began > 1:
        print(f"{name}: compiled in {time.monotonic() - began:.1f} s")
    if program is None:
        false_error = named and runs_at(path, named)
        if options.v or false_error:
            print(f"{name}: {why}")
        return tell({"FALSE ERROR" if false_error else "not compiled": 1})
    try:
        session, inputs, nodes = session_of(path)
    except Exception as refused:
        if options.v:
            print(f"{name}: {str(refused)[:200]}")
        return tell({"not loaded by onnxruntime": 1})
    tell({"models": 1})
    for run in range(options.runs):
        tally = collections.Counter()
        try:
            one_run(program, session, inputs, nodes, tally, options, path, name, named, run)
        except (TypeError, NameError, SyntaxError) as not_made:
            if options.v:
                print(f"{name}: {not_made}")
            return tell({"inputs that are not made": 1})
        tell(tally)


def apart(work):
    """Runs `work` in a child process, because some contents crash a kernel of onnxruntime."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        code = 1
        try:
            with os.fdopen(write, "w") as out:
                work(lambda counts: print(json.dumps(counts), file=out, flush=True))
            code = 0
        except Exception:
            traceback.print_exc()
        sys.stdout.flush()
        os._exit(code)
    os.close(write)
    tally = collections.Counter()
    with os.fdopen(read) as told:
        for line in told:
            tally.update(json.loads(line))
    ended = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(ended):
        tally["ended by onnxruntime"] += 1
    elif ended != 0:
        sys.exit(2)
    return tally


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dimwise")
    parser.add_argument("models", nargs="+")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--numbers", action="store_true", help="infer at the sizes of each run as well")
    parser.add_argument("-v", action="store_true", help="print why onnxruntime rejects a run")
    options = parser.parse_args()
    tally = collections.Counter()
    for path in models_of(options.models):
        tally.update(apart(lambda tell: compare_model(path, options, tell)))
    for what, count in sorted(tally.items()):
        print(f"{count:8} {what}")
    sys.exit(1 if any(tally[what] for what in ["SHAPES THAT DIFFER", "FALSE CHECK", "FALSE ERROR"]) else 0)


if __name__ == "__main__":
    main()
