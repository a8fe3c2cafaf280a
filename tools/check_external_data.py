#!/usr/bin/env python3
"""Writes models with external data into other folders and loads the results with onnxruntime.

    tools/check_external_data.py PROGRAM

The data is an initializer and a tensor in a branch of an If. `dimwise infer -o`, `set -o`, `generalize -o` and
`infer --output-dir` write the model into the folder of the model, above it, below it and beside it. The program must
write a model that onnxruntime loads and that computes the same, or refuse and write nothing. Exits with 77 (skipped) if
onnx or onnxruntime is not installed.
"""
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

PROGRAM = os.path.abspath(sys.argv[1])
WEIGHT = np.arange(64 * 4, dtype=np.float32).reshape(64, 4)
BIAS = np.arange(4, dtype=np.float32)
X = np.ones((3, 64), np.float32)
EXPECTED = X @ WEIGHT + BIAS


def external(name, array, location, offset):
    tensor = numpy_helper.from_array(array, name)
    length = len(tensor.raw_data)
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in (("location", location), ("offset", str(offset)), ("length", str(length))):
        entry = tensor.external_data.add()
        entry.key, entry.value = key, value
    return tensor


def write_model(folder, location, branches_outside=True):
    """Writes model.onnx and its data into the folder. The bias is in both branches of an If."""
    branch = lambda name: helper.make_graph(
        [helper.make_node("Identity", [f"bias_{name}"], [name])], name, [],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, [4])],
        [external(f"bias_{name}", BIAS, location, WEIGHT.nbytes) if branches_outside else
         numpy_helper.from_array(BIAS, f"bias_{name}")])
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["product"]),
        helper.make_node("If", ["yes"], ["b"], then_branch=branch("then"), else_branch=branch("else")),
        helper.make_node("Add", ["product", "b"], ["y"])
    ]
    graph = helper.make_graph(
        nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [3, 64]),
                     helper.make_tensor_value_info("yes", TensorProto.BOOL, [])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["N", 4])], [external("w", WEIGHT, location, 0)])
    data = os.path.join(folder, location)
    os.makedirs(os.path.dirname(data), exist_ok=True)
    with open(data, "wb") as file:
        file.write(WEIGHT.tobytes() + BIAS.tobytes())
    path = os.path.join(folder, "model.onnx")
    with open(path, "wb") as file:
        file.write(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)],
                                     ir_version=8).SerializeToString())
    return path


def problem_of(path, onnx_loads):
    """Returns why the model at the path cannot be used, or nothing."""
    try:
        options = ort.SessionOptions()
        options.log_severity_level = 4
        session = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        result = session.run(["y"], {"x": X, "yes": np.array(True)})[0]
        if onnx_loads:
            onnx.load(path)
            onnx.checker.check_model(path)
    except Exception as error:  # pylint: disable=broad-except
        return str(error)
    return None if np.array_equal(result, EXPECTED) else "it computes other numbers"


COMMANDS = {
    "infer": ["infer"],
    "set": ["set", "--input", "x[0]=3"],
    "generalize": ["generalize", "--input", "x[0]=batch"],
}
# A folder for the output, relative to that of the model; the location of the data; the option; whether the model is
# written. onnx.load refuses files with several hard links; onnxruntime loads them, except in branches.
CASES = [
    (".", "w.bin", None, True),
    (".", "data/w.bin", None, True),
    ("..", "w.bin", None, True),
    ("..", "data/w.bin", None, True),
    ("data", "data/w.bin", None, True),
    ("data", "w.bin", None, False),
    ("../other", "w.bin", None, False),
    ("../other", "w.bin", "copy", True),
    ("../other", "data/w.bin", "copy", True),
    ("../other", "w.bin", "link", True),
    ("..", "w.bin", "copy", True),
]


def run(arguments, folder):
    return subprocess.run([PROGRAM, *arguments, "-q"], cwd=folder, capture_output=True, text=True, check=False)


def check(command, case):
    place, location, option, written = case
    with tempfile.TemporaryDirectory() as root:
        folder = os.path.join(root, "models")
        model = write_model(folder, location, branches_outside=option != "link")
        assert problem_of(model, True) is None
        target_folder = os.path.normpath(os.path.join(folder, place))
        os.makedirs(target_folder, exist_ok=True)
        target = os.path.join(target_folder, "out.onnx")
        extra = [] if option is None else ["--external-data", option]
        done = run([*COMMANDS[command][:1], model, *COMMANDS[command][1:], "-o", target, *extra], root)
        if not written:
            if done.returncode == 2 and "--external-data copy" in done.stderr and not os.path.exists(target):
                return None
            return f"exit code {done.returncode}, not a refusal: {done.stderr}"
        if done.returncode != 0:
            return f"exit code {done.returncode}: {done.stderr}"
        left = [name for name in os.listdir(target_folder) if "bin." in name or "onnx." in name]
        return f"temporary files {left}" if left else problem_of(target, option != "link")


def check_folder():
    """Two models that share a data file are written into another folder."""
    with tempfile.TemporaryDirectory() as root:
        folder = os.path.join(root, "models")
        os.makedirs(os.path.join(folder, "sub"))
        write_model(folder, "w.bin")
        write_model(os.path.join(folder, "sub"), "w.bin")
        os.rename(os.path.join(folder, "sub", "model.onnx"), os.path.join(folder, "sub", "MODEL.ONNX"))
        out = os.path.join(root, "out")
        if run(["infer", folder, "--output-dir", out], root).returncode != 2:
            return "a folder is written although its data is elsewhere"
        done = run(["infer", folder, "--output-dir", out, "--external-data", "copy"], root)
        if done.returncode != 0:
            return f"exit code {done.returncode}: {done.stderr}"
        return problem_of(os.path.join(out, "model.onnx"), True) or problem_of(
            os.path.join(out, "sub", "MODEL.ONNX"), True)


def check_failure():
    """The model cannot be written, because a folder has its name. Its data must not be copied either."""
    with tempfile.TemporaryDirectory() as root:
        model = write_model(os.path.join(root, "models"), "w.bin")
        target = os.path.join(root, "other", "out.onnx")
        os.makedirs(target)
        done = run(["infer", model, "-o", target, "--external-data", "copy"], root)
        left = os.listdir(os.path.join(root, "other"))
        refused = done.returncode == 2 and "Is a directory" in done.stderr
        return None if refused and left == ["out.onnx"] else f"{done.returncode}, {left}: {done.stderr}"


def main():
    failures = 0
    results = {(command, case): check(command, case) for command in COMMANDS for case in CASES}
    results["--output-dir"] = check_folder()
    results["a folder as the target"] = check_failure()
    for name, problem in results.items():
        if problem is not None:
            failures += 1
            print(f"{name}: {problem}")
    print(f"{len(results)} cases, {failures} failures")
    return 1 if failures else 0


sys.exit(main())
