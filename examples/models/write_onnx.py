#!/usr/bin/env python3
"""Writes two of the text programs in this folder as ONNX models: NAME.graph becomes NAME.onnx.

  python3 examples/models/write_onnx.py [--check]

It parses only what these programs need: one graph of onnx operators, and integer attributes. Weights have sizes and no
data, as with external data. --check only reports whether the files are up to date.
"""
import pathlib
import re
import struct
import sys

NAMES = ["transformer", "broken_heads"]
TYPES = {"f32": 1, "i64": 7, "bool": 9}
INT, INTS = 2, 7  # kinds of attributes


def varint(number):
    number &= 2**64 - 1
    out = b""
    while number >= 128:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def integer(field, number):
    return varint(field << 3) + varint(number)


def message(field, *parts):
    body = b"".join(p.encode() if isinstance(p, str) else p for p in parts)
    return varint(field << 3 | 2) + varint(len(body)) + body


def list_of(text):
    return [item.strip() for item in text.split(",") if item.strip()]


def value_info(field, name, element, sizes):
    dims = [message(1, integer(1, int(s)) if s.isdigit() else message(2, s)) for s in sizes]
    return message(field, message(1, name), message(2, message(1, integer(1, TYPES[element]), message(2, *dims))))


def tensor(name, element, sizes, contents):
    parts = [integer(1, int(s)) for s in sizes] + [integer(2, TYPES[element]), message(8, name)]
    if contents is not None:
        parts.append(message(9, struct.pack(f"<{len(contents)}q", *map(int, contents))))
    else:
        parts += [message(13, message(1, "location"), message(2, "weights.bin")), integer(14, 1)]
    return message(5, *parts)


def attribute(name, text):
    if text.startswith("["):
        return message(5, message(1, name), *(integer(8, int(i)) for i in list_of(text[1:-1])), integer(20, INTS))
    return message(5, message(1, name), integer(3, int(text)), integer(20, INT))


def node(results, op, operands, attributes, name):
    return message(1, *(message(1, o) for o in operands), *(message(2, r) for r in results), message(3, name),
                   message(4, op), *(attribute(*a) for a in attributes))


def model_of(text):
    text = re.sub(r"#.*", "", text)
    version = int(re.search(r"opset onnx (\d+)", text)[1])
    name, inputs, body = re.search(r"graph (\w+)\((.*?)\) \{\n(.*)\}", text, re.S).groups()
    nodes, constants = b"", b""
    for line in filter(None, map(str.strip, body.splitlines())):
        if match := re.fullmatch(r"const (\w+): (\w+)\[(.*?)\](?: = \{(.*)\})?", line):
            constant, element, sizes, contents = match.groups()
            constants += tensor(constant, element, list_of(sizes), contents and list_of(contents))
        elif match := re.fullmatch(r"(.+?) = onnx\.(\w+)\(([^;]*)(?:; (.*))?\) @([\w.]+)", line):
            results, op, operands, attributes, label = match.groups()
            pairs = re.findall(r"(\w+)=(\[.*?\]|[^,]+)", attributes or "")
            nodes += node(list_of(results), op, list_of(operands), pairs, label)
        else:
            outputs = list_of(re.fullmatch(r"return (.*)", line)[1])
    graph = nodes + message(2, name) + constants
    for match in re.finditer(r"(\w+): (\w+)\[(.*?)\]", inputs):
        graph += value_info(11, match[1], match[2], list_of(match[3]))
    for output in outputs:
        graph += message(12, message(1, output), message(2, message(1, integer(1, TYPES["f32"]))))
    return integer(1, 8) + message(2, "write_onnx.py") + message(7, graph) + message(8, message(1, ""), integer(2, version))


def main():
    stale = []
    for name in NAMES:
        source = pathlib.Path(__file__).with_name(name + ".graph")
        target, model = source.with_suffix(".onnx"), model_of(source.read_text())
        if "--check" not in sys.argv[1:]:
            target.write_bytes(model)
        elif not target.exists() or target.read_bytes() != model:
            stale.append(target.name)
    if stale:
        sys.exit(f"not as they would be written: {', '.join(stale)}; run {sys.argv[0]}")


if __name__ == "__main__":
    main()
