"""Writes the models of `make bench-peers` with onnx's helpers. Weights have no data.

Chains and the random graph have value names as exporters write them, because reading names takes much of the time.
"""
import math
import os
import random
import sys

from onnx import TensorProto, helper

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64


class Builder:
    """Collects nodes and constants. Each method returns the name of the value that it adds."""

    def __init__(self):
        self.nodes, self.weights = [], []

    def node(self, op, *inputs, outputs=1, **attributes):
        name = f"/model/layer.{len(self.nodes)}/{op}"
        results = [f"{name}_output_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(op, inputs, results, name=name, **attributes))
        return results[0] if outputs == 1 else results

    def weight(self, *sizes):
        """Adds a weight. Its data is omitted as in a file with external data, except for a vector."""
        tensor = TensorProto(name=f"model.weight.{len(self.weights)}", data_type=FLOAT, dims=sizes)
        if len(sizes) == 1:
            tensor.raw_data = bytes(4 * sizes[0])
        else:
            tensor.data_location = TensorProto.EXTERNAL
            tensor.external_data.add(key="location", value="weights.bin")
            tensor.external_data.add(key="length", value=str(4 * math.prod(sizes)))
        self.weights.append(tensor)
        return tensor.name

    def number(self, value):
        name = f"model.constant.{len(self.weights)}"
        self.weights.append(helper.make_tensor(name, FLOAT, [], [value]))
        return name

    def ints(self, *values, scalar=False):
        name = f"model.constant.{len(self.weights)}"
        self.weights.append(helper.make_tensor(name, INT64, [] if scalar else [len(values)], values))
        return name

    def model(self, inputs, output):
        graph = helper.make_graph(self.nodes, "model", inputs,
                                  [helper.make_tensor_value_info(output, FLOAT, None)], self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def chain(nodes):
    b = Builder()
    ops = ["Relu", "Sigmoid", "Tanh", "Exp"]
    x = "x"
    for i in range(nodes):
        x = b.node(ops[i % len(ops)], x)
    return b.model([helper.make_tensor_value_info("x", FLOAT, ["N", "S", 64])], x)


def random_dag(nodes):
    """Element-wise operators on random earlier results. The seed is fixed."""
    pick = random.Random(1)
    b = Builder()
    values = ["x", "y"]
    for i in range(nodes):
        recent = values[-100:]
        if i % 3 == 0:
            values.append(b.node("Relu", pick.choice(recent)))
        else:
            values.append(b.node(pick.choice(["Add", "Mul", "Sub"]), pick.choice(recent), pick.choice(recent)))
    inputs = [helper.make_tensor_value_info(x, FLOAT, ["N", 64]) for x in ("x", "y")]
    return b.model(inputs, values[-1])


def conv_net(blocks):
    """Residual blocks; each fourth one halves the image and doubles the channels."""
    b = Builder()

    def conv(x, taken, given, size, stride):
        pad = size // 2
        y = b.node("Conv", x, b.weight(given, taken, size, size), kernel_shape=[size] * 2, strides=[stride] * 2,
                   pads=[pad] * 4)
        return b.node("BatchNormalization", y, *(b.weight(given) for _ in range(4)))

    channels = 64
    x = b.node("Relu", conv("x", 3, channels, 7, 2))
    x = b.node("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    for i in range(blocks):
        halves = i % 4 == 3 and channels < 512
        given, stride = (channels * 2, 2) if halves else (channels, 1)
        y = b.node("Relu", conv(x, channels, given, 3, stride))
        y = conv(y, given, given, 3, 1)
        x = b.node("Relu", b.node("Add", y, conv(x, channels, given, 1, stride) if halves else x))
        channels = given
    x = b.node("Flatten", b.node("GlobalAveragePool", x))
    x = b.node("Gemm", x, b.weight(1000, channels), b.weight(1000), transB=1)
    return b.model([helper.make_tensor_value_info("x", FLOAT, ["N", 3, "H", "W"])], x)


def transformer(layers, width=256, heads=4):
    """A transformer with symbolic batch and sequence. The head shapes are computed from the shape of the input."""
    b = Builder()

    def norm(x):
        return b.node("LayerNormalization", x, b.weight(width), b.weight(width))

    def size_of(x, axis):
        return b.node("Unsqueeze", b.node("Gather", b.node("Shape", x), b.ints(axis, scalar=True)), b.ints(0))

    def heads_of(x, perm):
        shape = b.node("Concat", size_of(x, 0), size_of(x, 1), b.ints(heads), b.ints(width // heads), axis=0)
        return b.node("Transpose", b.node("Reshape", x, shape), perm=perm)

    length = b.node("Gather", b.node("Shape", "ids"), b.ints(1, scalar=True))
    numbers = b.node("Range", b.ints(0, scalar=True), length, b.ints(1, scalar=True))
    x = b.node("Add", b.node("Gather", b.weight(8000, width), "ids"), b.node("Gather", b.weight(512, width), numbers))
    x = norm(x)
    for _ in range(layers):
        qkv = b.node("Add", b.node("MatMul", x, b.weight(width, 3 * width)), b.weight(3 * width))
        q, k, v = b.node("Split", qkv, outputs=3, axis=2)
        scores = b.node("MatMul", heads_of(q, [0, 2, 1, 3]), heads_of(k, [0, 2, 3, 1]))
        weights = b.node("Softmax", b.node("Div", scores, b.number(8.0)), axis=-1)
        mixed = b.node("Transpose", b.node("MatMul", weights, heads_of(v, [0, 2, 1, 3])), perm=[0, 2, 1, 3])
        shape = b.node("Concat", size_of(mixed, 0), size_of(mixed, 1), b.ints(-1), axis=0)
        mixed = b.node("MatMul", b.node("Reshape", mixed, shape), b.weight(width, width))
        x = norm(b.node("Add", x, mixed))
        up = b.node("MatMul", x, b.weight(width, 4 * width))
        half = b.node("Mul", up, b.node("Sigmoid", up))
        x = norm(b.node("Add", x, b.node("MatMul", half, b.weight(4 * width, width))))
    return b.model([helper.make_tensor_value_info("ids", INT64, ["N", "S"])], x)


def own_models():
    return {
        "transformer of 2": transformer(2),
        "transformer of 12": transformer(12),
        "conv net of 16": conv_net(16),
        "conv net of 150": conv_net(150),
        "random graph of 10k": random_dag(10_000),
        "chain of 1k": chain(1_000),
        "chain of 10k": chain(10_000),
        "chain of 100k": chain(100_000),
    }


def write_large(path, gigabytes=1.5):
    """A sparse file with a model whose only weight has that size. Its data is a hole at the end of the file."""
    columns = 4096
    rows = int(gigabytes * 1e9) // (4 * columns)
    data = 4 * rows * columns

    def field(number, payload, hole=0):
        """Returns a field of bytes whose last `hole` bytes are at the end of the file."""
        length, out = len(payload) + hole, bytes([number << 3 | 2])
        while length >= 128:
            out, length = out + bytes([length & 127 | 128]), length >> 7
        return out + bytes([length]) + payload

    b = Builder()
    y = b.node("MatMul", "x", "w")
    model = b.model([helper.make_tensor_value_info("x", FLOAT, ["N", rows])], y)
    tensor = TensorProto(name="w", data_type=FLOAT, dims=[rows, columns]).SerializeToString()
    tensor += field(9, b"", data)
    graph = model.graph.SerializeToString() + field(5, tensor, data)
    model.ClearField("graph")
    head = model.SerializeToString() + field(7, graph, data)
    with open(path, "wb") as file:
        file.write(head)
        file.truncate(len(head) + data)


def main():
    """models.py FOLDER: writes the models and prints the name and the path of each."""
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "weights.bin"), "wb") as file:
        file.truncate(1 << 30)  # a hole, for peers that map the file
    for name, model in own_models().items():
        path = os.path.join(folder, name.replace(" ", "_") + ".onnx")
        with open(path, "wb") as file:
            file.write(model.SerializeToString())
        print(f"{name}\t{path}")
    path = os.path.join(folder, "large.onnx")
    write_large(path)
    print(f"large\t{path}")


if __name__ == "__main__":
    main()
