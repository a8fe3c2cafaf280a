#!/usr/bin/env python3
"""Counts the tokens of rule files, without comments and examples.

Usage: tools/count_rule_tokens.py [--files] [FOLDER]...

A token is a name, a number, a string or an operator. A string counts as one token, or as the tokens of the
expressions in its braces plus one for each piece of text. FOLDER is src/ops by default. With several folders, the
last line of each shows the change against the first.
"""

import argparse
import pathlib
import re
import sys

TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*)
      | (?P<string>"(?:\\.|[^"\\\n])*")
      | (?P<number>\d+(?:\.(?!\.)\d*)?(?:[eE][-+]?\d+)?)
      | (?P<name>`[^`\n]*`|[A-Za-z_][A-Za-z_0-9]*)
      | (?P<operator>\.\.\.|\.\.|->|//|\?\?|==|!=|<=|>=|[^\s])
      | (?P<space>\s+)""",
    re.VERBOSE,
)
# The words that may begin a statement or a declaration, and so end a property or an example.
STATEMENTS = {"let", "require", "assume", "ensure", "value", "property", "example", "with"}
DECLARATIONS = {"op", "fn", "template", "set", "shape", "type", "storage", "mixin"}


def tokens_of(text):
    """Yields (kind, text, first_on_line) for each token that is not a comment or space."""
    first = True
    for match in TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "space":
            first = first or "\n" in match.group()
        elif kind != "comment":
            yield kind, match.group(), first
            first = False


def string_tokens(text):
    """Counts a string: one token, and the tokens of the expressions in its braces."""
    return 1 + sum(sum(1 for _ in tokens_of(inner)) for inner in re.findall(r"\{([^{}]*)\}", text))


def count(text):
    """Returns the number of tokens outside of properties, and inside of properties."""
    totals = {"rule": 0, "property": 0, "example": 0}
    place = "rule"
    tokens = list(tokens_of(text))
    for index, (kind, word, first) in enumerate(tokens):
        if first and kind == "name":
            following = tokens[index + 1][1] if index + 1 < len(tokens) else ""
            if word in DECLARATIONS or following == ":":
                place = "rule"
            elif word in STATEMENTS:
                place = word if word in ("property", "example") else "rule"
        totals[place] += string_tokens(word) if kind == "string" else 1
    return totals["rule"], totals["property"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", default=["src/ops"], metavar="FOLDER")
    parser.add_argument("--files", action="store_true", help="print a line for each file")
    arguments = parser.parse_args()
    first_total = None
    for folder in arguments.folders:
        paths = sorted(pathlib.Path(folder).rglob("*.shape"))
        if not paths:
            sys.exit(f"no rule files in {folder}")
        rules, properties, lines = 0, 0, 0
        for path in paths:
            text = path.read_text(encoding="utf-8")
            of_rules, of_properties = count(text)
            if arguments.files:
                print(f"{of_rules:8} {of_properties:8}  {path}")
            rules += of_rules
            properties += of_properties
            lines += text.count("\n")
        first_total = first_total or rules
        print(f"{folder}: {len(paths)} files, {lines} lines, {rules} tokens ({rules / first_total - 1:+.1%}), "
              f"{rules + properties} with properties")


if __name__ == "__main__":
    main()
