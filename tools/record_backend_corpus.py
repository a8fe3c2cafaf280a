#!/usr/bin/env python3
"""Records the node tests of ONNX's backend as text programs with the shapes of real runs.

  record_backend_corpus.py PROGRAM OUTDIR      needs onnx 1.23.2 (bench/peers/requirements.txt)

The models come from onnx.backend.test.case.node (https://github.com/onnx/onnx, Apache-2.0), whose reference results
give the shapes. OUTDIR gets a file per family of operators, named after the rule file in src/ops that defines the
operator, or `functions` if there is none. src/infer/engine/onnx_backend_test.cc infers the programs. On request it also
rewrites the counts at the head of each file.

A recorded model consists of its inputs with their sizes, its nodes, and after `real` the types of the outputs: [2, 3]
for a tensor, seq([2, 3], [4, 3]) for a sequence, none for an empty optional, ? for anything else. Declared result types
are omitted. Inputs of a few integers include their contents. Names of inner values are shortened.
"""
import collections
import glob
import os
import re
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import onnx
from onnx import SparseTensorProto, TensorProto, numpy_helper

MAX_CONTENTS = 16
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HEAD = f"""# Node tests of ONNX {onnx.__version__} with the shapes of real runs; tools/record_backend_corpus.py wrote them.
# Source: onnx.backend.test.case.node, https://github.com/onnx/onnx. Licence: Apache-2.0.
"""


def shape_of(value):
    if isinstance(value, (TensorProto, SparseTensorProto)):
        return [int(d) for d in value.dims]
    return [int(d) for d in np.shape(value)]


def is_list(value):
    return isinstance(value, (list, tuple))


def drop_shape(type_proto):
    kind = type_proto.WhichOneof("value")
    if kind in ("tensor_type", "sparse_tensor_type"):
        getattr(type_proto, kind).ClearField("shape")
    elif kind in ("sequence_type", "optional_type"):
        drop_shape(getattr(type_proto, kind).elem_type)


def set_sizes(tensor_type, sizes):
    tensor_type.ClearField("shape")
    tensor_type.shape.SetInParent()
    for size in sizes:
        dim = tensor_type.shape.dim.add()
        if size is not None:
            dim.dim_value = size


def set_input_type(type_proto, value):
    """Sets the sizes of an input; for a sequence those that all elements share."""
    kind = type_proto.WhichOneof("value")
    if kind == "tensor_type" and value is not None:
        set_sizes(type_proto.tensor_type, shape_of(value))
    elif kind == "optional_type" and value is not None:
        element = type_proto.optional_type.elem_type
        of_tensor = element.WhichOneof("value") == "tensor_type"
        if of_tensor and is_list(value):
            if not value:
                return drop_shape(type_proto)
            value = value[0]
        set_input_type(element, value)
    elif kind == "sequence_type" and value:
        element = type_proto.sequence_type.elem_type
        shapes = [shape_of(v) for v in value]
        if element.WhichOneof("value") != "tensor_type" or len({len(s) for s in shapes}) > 1:
            return drop_shape(type_proto)
        set_sizes(element.tensor_type, [sizes[0] if len(set(sizes)) == 1 else None for sizes in zip(*shapes)])
    else:
        drop_shape(type_proto)


def drop_claims(graph):
    del graph.value_info[:]
    for output in graph.output:
        output.ClearField("type")
    for node in graph.node:
        node.name = node.doc_string = ""
        for attribute in node.attribute:
            for inner in [attribute.g] if attribute.HasField("g") else attribute.graphs:
                drop_claims(inner)


class Names:
    """Short names for inner values. Inputs, outputs and short names keep their names."""

    def __init__(self, graph):
        self.kept = {v.name for v in [*graph.input, *graph.output]} | {""}
        self.new = {}

    def of(self, name):
        if name in self.kept or len(name) <= 3:
            return name
        if name not in self.new:
            number = len(self.new)
            while f"t{number}" in self.kept:
                number += 1000
            self.new[name] = f"t{number}"
        return self.new[name]

    def apply(self, graph):
        for node in graph.node:
            node.input[:] = map(self.of, node.input)
            node.output[:] = map(self.of, node.output)
            for attribute in node.attribute:
                for inner in [attribute.g] if attribute.HasField("g") else attribute.graphs:
                    self.apply(inner)
        for value in [*graph.input, *graph.output, *graph.initializer]:
            value.name = self.of(value.name)


def contents_of(value_info, value):
    """Returns the contents of an input that may be a constant, or None."""
    if value_info.type.WhichOneof("value") != "tensor_type" or value is None or isinstance(value, (list, tuple, dict)):
        return None
    if value_info.type.tensor_type.elem_type not in (TensorProto.INT64, TensorProto.INT32):
        return None
    shape = shape_of(value)
    if len(shape) > 1 or int(np.prod(shape)) > MAX_CONTENTS:
        return None
    array = numpy_helper.to_array(value) if isinstance(value, TensorProto) else np.asarray(value)
    return [int(x) for x in array.reshape(-1)]


def real(value):
    if value is None:
        return "none"
    if isinstance(value, dict) or is_list(value) and any(isinstance(v, (list, tuple, dict)) for v in value):
        return "?"
    if is_list(value):
        return f"seq({', '.join(str(shape_of(v)) for v in value)})"
    return str(shape_of(value))


def text_of(program, case):
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    inputs, outputs = case.data_sets[0]
    graph = model.graph
    graph.name = case.name
    drop_claims(graph)
    Names(graph).apply(graph)
    for value_info, value in zip(graph.input, inputs):
        set_input_type(value_info.type, value)
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        file.write(model.SerializeToString())
        file.flush()
        # Exit code 1 means that the model has errors, which the test finds too.
        run = subprocess.run([program, "show", "--text", file.name], capture_output=True, text=True)
    if run.returncode > 1:
        sys.exit(f"{case.name}: {run.stderr}")
    text = run.stdout
    head, brace, body = text.partition(") {\n")
    for value_info, value in zip(graph.input, inputs):
        contents = contents_of(value_info, value)
        if contents is not None:
            head, count = re.subn(rf"(?<=[( ])(`?{re.escape(value_info.name)}`?: i(?:64|32)\[\d*\])",
                                  rf"\1 = {{{', '.join(map(str, contents))}}}", head)
            assert count == 1, (case.name, value_info.name, head)
    return head + brace + body + f"real {'; '.join(map(real, outputs))}\n"


def families():
    """Returns the family of each operator: the rule file that defines it."""
    found = {}
    for path in sorted(glob.glob(os.path.join(ROOT, "src/ops/*/*.shape")), key=lambda p: "version" in p):
        domain = os.path.basename(os.path.dirname(path))
        with open(path) as file:
            stem = os.path.splitext(os.path.basename(path))[0]
            for names in re.findall(r"^op\s+(\w+(?:,\s*\w+)*)", file.read(), re.M):
                for name in re.split(r",\s*", names):
                    found.setdefault(("" if domain == "onnx" else domain, name), stem if domain == "onnx" else domain)
    return found


def main():
    program, folder = sys.argv[1:]
    warnings.simplefilter("ignore")
    from onnx.backend.test.case.node import collect_testcases
    cases = {case.name: case for case in collect_testcases(None)}
    family_of = families()
    files = collections.defaultdict(list)
    for name, case in sorted(cases.items()):
        base = cases.get(re.sub(r"_expanded.*", "", name), case)
        # The operator under test is the last node; other nodes prepare its operands.
        node = base.model.graph.node[-1]
        domain = "" if node.domain == "ai.onnx" else node.domain
        files[family_of.get((domain, node.op_type), "functions")].append(text_of(program, case))
    os.makedirs(folder, exist_ok=True)
    for family, texts in files.items():
        with open(os.path.join(folder, f"{family}.models"), "w") as file:
            file.write(HEAD + "# exact: 0 without contents of inputs, 0 with them\n")
            file.writelines("\n" + text for text in texts)


if __name__ == "__main__":
    main()
