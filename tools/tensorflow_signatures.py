#!/usr/bin/env python3
"""Writes signatures of TensorFlow operators in the rule language, from a table of operator definitions.

    tensorflow_signatures.py TABLE --ops Conv2D Pack     prints the signatures of these operators
    tensorflow_signatures.py TABLE --rest FOLDER         prints all operators without a rule in FOLDER/*.shape

TABLE is a JSON file: {"ops": [{"name", "in", "out", "attrs"}, ...]}, the fields of an OpDef. A signature has the
element types and the numbers of the operands and results. Its shapes are unknown: a rule by hand replaces them.
"""

import argparse
import json
import pathlib
import re
import sys

KINDS = {"int": "int", "float": "float", "bool": "bool", "string": "string", "type": "type", "shape": "shape",
         "tensor": "tensor", "list(int)": "ints", "list(float)": "floats", "list(string)": "strings",
         "list(type)": "types", "list(shape)": "shapes"}
TYPES = {"float": "f32", "double": "f64", "half": "f16", "bfloat16": "bf16", "complex64": "c64", "complex128": "c128",
         "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16",
         "uint32": "u32", "uint64": "u64", "bool": "bool", "string": "string", "int4": "i4", "uint4": "u4",
         "float8_e5m2": "f8e5m2", "float8_e4m3fn": "f8e4m3fn", "qint8": "qi8", "quint8": "qu8", "qint16": "qi16",
         "quint16": "qu16", "qint32": "qi32", "resource": "resource", "variant": "variant"}
WORDS = {"and", "as_is", "assume", "each", "else", "ensure", "example", "false", "fn", "fold", "for", "if", "implies",
         "in", "let", "like", "not", "op", "or", "property", "require", "set", "since", "template", "then", "true",
         "until", "value", "when", "with"}
WIDTH = 120


def name(text):
    return f"`{text}`" if text in WORDS or not text.isidentifier() else text


def element(argument):
    """The element type of an argument, before its shape."""
    if "type_attr" in argument:
        return name(argument["type_attr"])
    if "type_list_attr" in argument:
        return "each " + name(argument["type_list_attr"])
    return TYPES.get(argument["type"], "_")


def argument_text(argument, index, result):
    count = argument.get("number_attr") or argument.get("type_list_attr")
    several = f"{{{name(count)}}}" if count else ""
    if result:
        shape = "[*]"
    elif count:
        shape = f"[...each z{index}]"
    else:
        shape = f"[...z{index}]"
    kind = element(argument)
    # A handle has no element type and no shape of its own.
    pattern = "_" if kind in ("resource", "variant", "_") else kind + shape
    return f"{name(argument['name'])}{several}: {pattern}"


def default_text(attribute):
    value = attribute["default"]
    kind = attribute["type"]
    if kind == "type":
        return TYPES.get(value)
    if kind == "string" and isinstance(value, str):
        return json.dumps(value)
    if kind == "bool":
        return "true" if value else "false"
    if kind == "int" and isinstance(value, int):
        return str(value)
    return None


def used_attributes(op):
    used = set()
    for argument in op["in"] + op["out"]:
        used |= {argument.get(key) for key in ("type_attr", "type_list_attr", "number_attr")}
    return used


def attribute_text(attribute, is_count):
    kind = KINDS.get(attribute["type"], "any")
    text = f"{name(attribute['name'])}: {kind}"
    default = default_text(attribute) if "default" in attribute else None
    if default is not None:
        return f"{text} = {default}"
    if attribute["type"] in ("list(type)", "list(int)") and attribute.get("default") == [] and is_count:
        return f"{text} = []"
    if "default" in attribute or kind == "any":
        return text.replace(":", "?:", 1)
    return text


def signature(op, everything):
    operands = ", ".join(argument_text(a, i, False) for i, a in enumerate(op["in"]))
    used = used_attributes(op)
    attributes = ", ".join(attribute_text(a, a["name"] in used) for a in op["attrs"]
                           if everything or a["name"] in used)
    results = ", ".join(argument_text(a, i, True) for i, a in enumerate(op["out"]))
    return f"op {name(op['name'])}({operands}{'; ' + attributes if attributes else ''}) -> ({results})"


def wrapped(text):
    lines = []
    while len(text) > WIDTH:
        breaks = [m.end() - 1 for m in re.finditer("[,;] |: (?=each)|\\) (?=->)", text) if m.end() > 8]
        fitting = [at for at in breaks if at <= WIDTH]
        cut = max(fitting) if fitting else min(breaks, default=len(text))
        if cut >= len(text):
            break
        lines.append(text[:cut])
        text = "    " + text[cut:].strip()
    return "\n".join(lines + [text])


def names_with_rules(folder):
    found = set()
    for path in sorted(pathlib.Path(folder).glob("*.shape")):
        if path.name == "definitions.shape":
            continue
        for line in re.findall(r"^(?:shape |type )?op ([^(]*?)(?: like| since| until|\()", path.read_text(), re.M):
            found |= {word.strip(" `\n") for word in line.split(",")}
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    parser.add_argument("--ops", nargs="+", metavar="NAME")
    parser.add_argument("--rest", metavar="FOLDER")
    options = parser.parse_args()
    ops = {op["name"]: op for op in json.loads(pathlib.Path(options.table).read_text())["ops"]}
    if options.ops:
        unknown = [op for op in options.ops if op not in ops]
        if unknown:
            sys.exit(f"tensorflow_signatures.py: the table has no operator {', '.join(unknown)}")
        for op in options.ops:
            print(wrapped(signature(ops[op], everything=True)))
        return
    ruled = names_with_rules(options.rest or ".")
    print("# Operators without a rule: their results have the right number and element types, and unknown shapes.")
    print("# Generated by tools/tensorflow_signatures.py from the operator registry of TensorFlow 2.21 (PyPI package")
    print("# tensorflow-cpu, licence Apache-2.0).")
    print("set tensorflow\n")
    for op in sorted(ops):
        if op not in ruled:
            print(wrapped(signature(ops[op], everything=False)))


if __name__ == "__main__":
    main()
