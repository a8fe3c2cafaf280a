#!/usr/bin/env python3
"""Compares the answers of two builds of the program.

  tools/compare_versions.py OLD NEW [MODEL_OR_FOLDER...] [--random 150] [--python PYTHON] [--no-corpus] [--jobs 2]

Runs `infer`, `guards` and `compile` with JSON output on each model and compares output and exit code. A program without
the command `guards` is run with `checks`, the former name of this command. The models are:

- the examples (examples/models) and the node tests of ONNX's backend (src/infer/testdata/onnx_backend), each with and
  without the contents of its inputs; --no-corpus omits these models;
- every .onnx and .graph file of the given folders, for example a folder of symbolic cases;
- with --random N, the programs that tools/random_models.py writes for the seeds 0 to N-1. PYTHON must have the packages
  onnx and onnxruntime. --work FOLDER keeps these programs for the next run.

Before the comparison, the fields `message`, `notes` and `help` are removed, and generated symbols (u1, u2, ...) are
renumbered in order of appearance. Of the text on standard error only the diagnostic codes are compared.

Each difference is printed: the command, the model, the path in the JSON document, the old and the new value.

Exit 0: no difference. 1: at least one difference. 2: the comparison failed. 77: --random is given, and PYTHON lacks a
package.
"""
import argparse
import collections
import glob
import hashlib
import json
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COMMANDS = {
    "infer": ["--format", "json"],
    "guards": ["--format", "json"],
    "compile": ["--emit", "json"],
}
PROSE = {"message", "notes", "help"}
# The keys of these objects are names of the model.
NAMED = {"symbols", "values"}
GENERATED = re.compile(r"\bu[0-9]+\b")
MISSING = "(missing)"


class Failure(Exception):
    """The comparison cannot go on."""


def without_prose(document, keys_are_names=False):
    """Returns a JSON document without the fields of PROSE."""
    if isinstance(document, list):
        return [without_prose(item) for item in document]
    if not isinstance(document, dict):
        return document
    return {key: without_prose(value, key in NAMED)
            for key, value in document.items() if keys_are_names or key not in PROSE}


def renumbered(document, numbers):
    """Returns a JSON document whose generated symbols are numbered in order of appearance. `numbers` is updated."""
    if isinstance(document, str):
        return GENERATED.sub(lambda symbol: f"u{numbers.setdefault(symbol[0], len(numbers) + 1)}", document)
    if isinstance(document, list):
        return [renumbered(item, numbers) for item in document]
    if isinstance(document, dict):
        return {renumbered(key, numbers): renumbered(value, numbers) for key, value in document.items()}
    return document


def normalized(text):
    """Returns the comparable form of a JSON document, or the text itself if it is not JSON."""
    try:
        document = json.loads(text)
    except ValueError:
        return text
    return renumbered(without_prose(document), {})


def differences(old, new, path=""):
    """Yields (path, old value, new value) for each place where two JSON documents differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            yield from differences(old.get(key, MISSING), new.get(key, MISSING), f"{path}.{key}" if path else key)
    elif all(isinstance(items, list) and any(isinstance(item, (dict, list)) for item in items) for items in (old, new)):
        for index in range(max(len(old), len(new))):
            yield from differences(old[index] if index < len(old) else MISSING,
                                   new[index] if index < len(new) else MISSING, f"{path}[{index}]")
    elif old != new or type(old) is not type(new):
        yield path, old, new


class Build:
    """A build of the program. Results are cached in a folder, by the contents of the program and of the model."""

    def __init__(self, program, cache, seconds):
        self.program = os.path.abspath(program)
        self.cache = cache
        self.seconds = seconds
        try:
            with open(self.program, "rb") as file:
                self.digest = hashlib.sha256(file.read()).hexdigest()
            has_guards = self.start(["guards", "--help"]).returncode == 0
        except OSError as error:
            raise Failure(f"cannot run {program}: {error}") from error
        self.names = {command: command for command in COMMANDS}
        if not has_guards:
            self.names["guards"] = "checks"

    def start(self, words):
        return subprocess.run([self.program, *words], capture_output=True, text=True, errors="replace",
                              timeout=self.seconds, stdin=subprocess.DEVNULL)

    def run(self, command, model):
        """Returns exit code, normalized output and diagnostic codes of a command on a model."""
        cached = None
        if self.cache:
            with open(model, "rb") as file:
                key = hashlib.sha256(file.read())
            key.update(f"{self.digest} {command} {model}".encode())
            cached = os.path.join(self.cache, key.hexdigest())
            if os.path.exists(cached):
                with open(cached, encoding="utf-8") as file:
                    return json.load(file)
        try:
            done = self.start([self.names[command], model, *COMMANDS[command]])
            result = {"exit": done.returncode, "output": normalized(done.stdout),
                      "codes": re.findall(r"\bDW[0-9]{4}\b", done.stderr)}
        except subprocess.TimeoutExpired:
            result = {"exit": f"no result after {self.seconds} s"}
        if cached:
            with tempfile.NamedTemporaryFile("w", dir=self.cache, delete=False, encoding="utf-8") as file:
                json.dump(result, file)
            os.replace(file.name, cached)
        return result


def write_backend_programs(folder):
    """Writes each program of the backend corpus to a file of its own; returns the files."""
    written = []
    for corpus in sorted(glob.glob(os.path.join(ROOT, "src/infer/testdata/onnx_backend/*.models"))):
        family = os.path.splitext(os.path.basename(corpus))[0]
        with open(corpus, encoding="utf-8") as file:
            programs = re.split(r"^real .*\n", file.read(), flags=re.MULTILINE)
        for number, text in enumerate(programs):
            header = re.search(r"^graph (\w+).*", text, re.MULTILINE)
            if not header:
                continue
            no_contents = text.replace(header[0], re.sub(r" = \{[^{}]*\}", "", header[0]))
            for suffix, variant in ("", text), ("_without_contents", no_contents):
                if suffix and variant == text:
                    continue
                path = os.path.join(folder, "onnx_backend", family, f"{number}_{header[1]}{suffix}.graph")
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(variant)
                written.append(path)
    if not written:
        raise Failure("the backend corpus has no program")
    return written


def write_random_programs(folder, count, python):
    """Writes random programs for the seeds below `count`; returns the files."""
    folder = os.path.join(folder, "random")
    complete = os.path.join(folder, f"complete_{count}")
    if not os.path.exists(complete):
        script = os.path.join(ROOT, "tools/random_models.py")
        done = subprocess.run([python, script, folder, "--seeds", "0", str(count)])
        if done.returncode == 77:
            sys.exit(77)
        if done.returncode != 0:
            raise Failure(f"{script} failed with exit code {done.returncode}")
        with open(complete, "w", encoding="utf-8"):
            pass
    paths = [os.path.join(folder, f"random{seed}.onnx") for seed in range(count)]
    return [path for path in paths if os.path.exists(path)]


def models_of(path):
    """Returns a model file, or the model files of a folder and its subfolders."""
    if not os.path.isdir(path):
        if not os.path.exists(path):
            raise Failure(f"{path} does not exist")
        return [path]
    found = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names
             if name.endswith((".onnx", ".graph"))]
    if not found:
        raise Failure(f"{path} has no .onnx and no .graph file")
    return sorted(found)


builds = []


def set_builds(old, new):
    builds[:] = [old, new]


def compare_model(model):
    """Returns the model and, for each command, its differences."""
    old, new = builds
    return model, {command: list(differences(old.run(command, model), new.run(command, model))) for command in COMMANDS}


def shortened(value, width):
    text = value if value is MISSING else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= width else text[:width - 3] + "..."


def compare(options, work):
    models = []
    if not options.no_corpus:
        models += models_of(os.path.join(ROOT, "examples/models")) + write_backend_programs(work)
    for path in options.models:
        models += models_of(path)
    if options.random:
        models += write_random_programs(work, options.random, options.python)
    if not models:
        raise Failure("there are no models to compare")
    cache = None
    if options.work:
        cache = os.path.join(options.work, "results")
        os.makedirs(cache, exist_ok=True)
    pair = [Build(program, cache, options.seconds) for program in (options.old, options.new)]

    different = collections.defaultdict(int)
    with multiprocessing.Pool(options.jobs, set_builds, pair) as pool:
        for model, found in pool.imap(compare_model, models, chunksize=4):
            for command, places in found.items():
                different[command] += bool(places)
                for path, old, new in places[:options.lines]:
                    print(f"{command} {os.path.relpath(model, work) if model.startswith(work) else model}: {path}")
                    print(f"  old {shortened(old, options.width)}")
                    print(f"  new {shortened(new, options.width)}", flush=True)
                if len(places) > options.lines:
                    print(f"  and {len(places) - options.lines} more")
    counts = ", ".join(f"{command} {different[command]}" for command in COMMANDS)
    print(f"{len(models)} models; with differences: {counts}")
    return 1 if any(different.values()) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", help="the program of the old build")
    parser.add_argument("new", help="the program of the new build")
    parser.add_argument("models", nargs="*", metavar="MODEL_OR_FOLDER")
    parser.add_argument("--no-corpus", action="store_true", help="omit the examples and the backend corpus")
    parser.add_argument("--random", type=int, default=0, metavar="N", help="add N random programs")
    parser.add_argument("--python", default=sys.executable, help="a Python with onnx and onnxruntime, for --random")
    parser.add_argument("--work", metavar="FOLDER", help="keep generated programs and results in this folder")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time (2)")
    parser.add_argument("--seconds", type=int, default=120, help="time limit of one command (120)")
    parser.add_argument("--lines", type=int, default=20, help="differences printed for each model and command (20)")
    parser.add_argument("--width", type=int, default=300, help="characters printed of a value (300)")
    options = parser.parse_args()
    try:
        if options.work:
            os.makedirs(options.work, exist_ok=True)
            return compare(options, os.path.abspath(options.work))
        with tempfile.TemporaryDirectory() as work:
            return compare(options, work)
    except Failure as failure:
        print(f"compare_versions.py: {failure}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
