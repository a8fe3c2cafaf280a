#!/usr/bin/env python3
"""Checks the JSON Schemas in docs/schema/ against the output of the program.

  tools/check_schemas.py PROGRAM       run in the root of the sources; needs python3-jsonschema

Each schema must be valid, and the output of each command in COMMANDS must match its schema. The check is stricter than
the schemas: a field that a schema does not describe is an error here, although readers must accept new fields. Requests
and answers of `op --batch` are also taken from the transcripts in src/cli/testdata/.
"""

import copy
import json
import pathlib
import subprocess
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("python3-jsonschema is missing; the test is skipped")
    sys.exit(77)

FOLDER = pathlib.Path("docs/schema")
MODELS = "src/cli/testdata/models"
TRANSFORMER = "examples/models/transformer.onnx"

# The schema, the form of the output (one document, a list, or one document on each line), and the command.
COMMANDS = [
    ("infer", "one", f"infer {TRANSFORMER} --format json --nodes"),
    ("infer", "one", f"infer {MODELS}/broken.graph --format json"),
    ("infer", "one", "infer src/cli/testdata/unknowns.graph --format json --nodes"),
    ("infer", "one", "infer src/cli/testdata/wide.graph --format json --nodes"),
    ("infer", "list", f"infer {MODELS} --format json --nodes"),
    ("infer", "lines", f"infer {MODELS} --format jsonl"),
    ("infer", "list", "infer examples/models --format json --nodes"),
    ("infer", "one", "infer src/cli/testdata/kinds.graph --format json --nodes"),
    ("check", "list", f"check {MODELS} README.md --format json --require complete"),
    ("guards", "list", f"guards {MODELS} --format json"),
    ("guards", "one", f"guards {MODELS}/half_window.graph --format json"),
    ("program", "one", f"compile {MODELS}/half_window.graph --emit json"),
    ("guards", "one", "guards src/cli/testdata/may_fail.graph --format json"),
    ("guards", "one", f"guards {TRANSFORMER} --assume S%8==1 --format json"),
    ("stats", "one", f"stats {TRANSFORMER} --format json"),
    ("stats", "lines", f"stats {MODELS} --format jsonl"),
    ("show", "one", f"show {TRANSFORMER} --op MatMul --format json"),
    ("show", "list", f"show {MODELS} --format json"),
    ("explain", "one", f"explain {TRANSFORMER} scores --format json"),
    ("explain", "one", "explain src/cli/testdata/unknowns.graph gone --format json"),
    ("explain", "one", "explain DW0102 --format json"),
    ("explain", "one", "explain --codes --format json"),
    ("rules", "one", "rules --format json"),
    ("rule", "one", "rule onnx.Conv --format json"),
    ("rule", "one", "rule onnx.Split --opset 13 --format json"),
    ("rule", "one", "rule onnx.Loop --format json"),
    ("rule", "one", "rule onnx.Einsum --format json"),
    ("rule", "one", "rule my.Chop --rules examples/rules/chop.shape --format json"),
    ("diff", "one", f"diff {TRANSFORMER} examples/models/broken_heads.onnx --format json"),
    ("diff", "one", f"diff {TRANSFORMER} --left N=1 --right N=2 --format json"),
    ("generalize", "one", "generalize examples/models/traced.graph --all 0=batch -o /dev/null --format json"),
    ("program", "one", f"compile {TRANSFORMER} --emit json"),
    ("program", "one", f"compile {MODELS}/regions.graph --emit json"),
    ("program", "one", "compile src/cli/testdata/wide.graph --emit json"),
    ("op_response", "lines", "op --batch examples/operators.jsonl"),
    ("op_response", "one", "op onnx.MatMul f32[B,N,K] f32[K,M] --format json"),
    ("op_response", "one", "op onnx.MatMul f32[2,3] f32[4,5] --format json"),
]


def close(schema):
    """Forbids fields that the schema does not describe, in all objects of the schema."""
    if isinstance(schema, list):
        for part in schema:
            close(part)
    elif isinstance(schema, dict):
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
        for part in schema.values():
            close(part)


def load():
    """Returns the schemas by name. Each has the common definitions as its own, so that nothing must be resolved."""
    schemas = {}
    common = json.loads((FOLDER / "common.json").read_text())["$defs"]
    for file in sorted(FOLDER.glob("*.json")):
        schema = json.loads(file.read_text().replace("common.json#", "#"))
        Draft202012Validator.check_schema(schema)
        own = schema.get("$defs", {})
        if file.stem != "common" and own.keys() & common.keys():
            raise SystemExit(f"{file}: common.json has a definition of the same name")
        schema["$defs"] = own | copy.deepcopy(common)
        close(schema)
        schemas[file.stem] = Draft202012Validator(schema)
    return schemas


def problems(validator, document):
    """Returns a line for each error. Of alternatives, the error of the one that fits best is shown."""
    lines = []
    for error in validator.iter_errors(document):
        while error.context:
            error = max(error.context, key=lambda e: len(e.absolute_path))
        where = "/".join(str(step) for step in error.absolute_path)
        lines.append(f"at '{where}': {error.message[:300]}")
    return lines


def documents(form, text):
    if form == "one":
        return [json.loads(text)]
    if form == "list":
        return json.loads(text)
    return [json.loads(line) for line in text.splitlines()]


class Check:
    def __init__(self, program):
        self.program = program
        self.schemas = load()
        self.seen = {}  # documents by schema
        self.failed = 0

    def fail(self, what, lines):
        self.failed += 1
        print(f"{what}:")
        for line in lines[:5]:
            print(f"  {line}")

    def match(self, name, document, what):
        self.seen.setdefault(name, []).append(document)
        found = problems(self.schemas[name], document)
        if found:
            self.fail(f"{what} does not match docs/schema/{name}.json", found)

    def run(self, name, form, command):
        done = subprocess.run([self.program, *command.split()], capture_output=True, text=True, check=False)
        try:
            found = documents(form, done.stdout)
        except json.JSONDecodeError as error:
            self.fail(f"dimwise {command}", [str(error), done.stderr])
            return
        if not found:
            self.fail(f"dimwise {command}", ["no output"])
        for document in found:
            self.match(name, document, f"the output of `dimwise {command}`")

    def transcript(self, file):
        """Requests that are answered must match; so must all answers."""
        request = None
        for number, line in enumerate(file.read_text().splitlines(), 1):
            where = f"{file}:{number}"
            if line.startswith("> "):
                request = line[2:]
            elif line.startswith("< "):
                answer = json.loads(line[2:])
                self.match("op_response", answer, where)
                # The schema describes only attributes that an operator has.
                if answer["ok"] and "unheard_of" not in request:
                    self.match("op_request", json.loads(request), where)

    def can_fail(self, name):
        """A document with an unknown field, and one without its fields, must not match."""
        document = self.seen[name][0]
        for wrong in (document | {"no_such_field": 1}, {}):
            if not problems(self.schemas[name], wrong):
                self.fail(f"docs/schema/{name}.json", [f"accepts {json.dumps(wrong)[:200]}"])


def main():
    check = Check(sys.argv[1])
    for name, form, command in COMMANDS:
        check.run(name, form, command)
    for line in pathlib.Path("examples/operators.jsonl").read_text().splitlines():
        check.match("op_request", json.loads(line), "examples/operators.jsonl")
    for file in sorted(pathlib.Path("src/cli/testdata").glob("batch_*.txt")):
        check.transcript(file)
    for name in check.schemas:
        if name == "common":
            continue
        if name not in check.seen:
            check.fail(f"docs/schema/{name}.json", ["no document was checked"])
        else:
            check.can_fail(name)
    total = sum(len(found) for found in check.seen.values())
    print(f"{total} documents, {len(check.schemas)} schemas: {check.failed or 'no'} problems")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
