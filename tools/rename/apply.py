#!/usr/bin/env python3
"""Renames C++ identifiers and files by the tables beside this script. Run at the root of a clean worktree.

table.tsv: identifiers; patterns.tsv: regular expressions on code; files.tsv: files. Strings and prose are not touched:
identifiers are replaced in code, and in comments only if they have several words or stand before ( or ::. Paths of
renamed files are replaced in #include lines, include guards, comments, docs, scripts and CMake files.
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CODE_ROOTS = ["src", "include", "bench", "fuzz", "examples"]
TOKEN = re.compile(r'''(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<raw>R"([^()\s\\]{0,16})\(.*?\)\3")|(?P<include>^[ \t]*\#[ \t]*include[^\n]*)'''
                   r'''|(?P<string>"(?:\\.|[^"\\\n])*")|(?P<char>(?<![0-9a-zA-Z_])'(?:\\.|[^'\\\n])+')|(?P<id>[A-Za-z_]\w*)''',
                   re.S | re.M)
SEVERAL_WORDS = re.compile(r"[a-z0-9][A-Z]|[a-zA-Z0-9]_[a-zA-Z0-9]|_$")


def rows(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\n")
            if line and not line.startswith("#"):
                yield (line.split("\t") + [""] * 4)[:4]


def git(*words):
    return subprocess.run(["git", *words], check=True, capture_output=True, text=True).stdout


class Names:
    """The identifier rules that apply to one file: the first rule for an identifier whose path matches wins."""

    def __init__(self, path, table):
        self.rules = {}
        for old, new, paths, flags in table:
            if old not in self.rules and (not paths or re.search(paths, path)):
                self.rules[old] = (new, flags)

    def new_name(self, text, start, end):
        rule = self.rules.get(text[start:end])
        if rule is None:
            return None
        new, flags = rule
        if "c" in flags and text[end:end + 1] == "(":
            return None
        if "p" in flags and re.search(r"(\.|->)\s*$", text[max(0, start - 40):start]) and text[end:end + 1] == "(":
            return None
        return new


def renamed_code(text, names):
    def replace(match):
        if match["id"]:
            return names.new_name(text, match.start(), match.end()) or match[0]
        if match["comment"]:
            return renamed_comment(match[0], names)
        return match[0]
    return TOKEN.sub(replace, text)


def renamed_comment(comment, names):
    def replace(match):
        word, after = match[0], comment[match.end():match.end() + 2]
        before = comment[max(0, match.start() - 2):match.start()]
        if not (SEVERAL_WORDS.search(word) or after[:1] == "(" or after == "::" or before == "::" or before == "->"):
            return word
        return names.new_name(comment, match.start(), match.end()) or word
    comment = comment.replace("copies made by Keep", "copies made by StoreCopy")
    # Not in file names, and not in quoted text.
    return re.sub(r'''"[^"\n]*"|[A-Za-z_]\w*\.(?:h|cc|md|py|sh|shape)\b|[A-Za-z_]\w*''',
                  lambda m: m[0] if m[0][0] == '"' or re.search(r"\.(h|cc|md|py|sh|shape)$", m[0]) else replace(m), comment)


def apply_patterns(text, path, patterns):
    active = [(re.compile(old), new) for old, new, paths, _ in patterns if not paths or re.search(paths, path)]
    if not active:
        return text
    out, last = [], 0
    for match in re.finditer(r'''//[^\n]*|R"([^()\s\\]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"''', text, re.S):
        out += [substitute(text[last:match.start()], active), match[0]]
        last = match.end()
    return "".join(out) + substitute(text[last:], active)


def substitute(code, active):
    for pattern, new in active:
        code = pattern.sub(new, code)
    return code


def renamed_files(files):
    """Returns old path -> new path."""
    moves = {}
    for old, new, *_ in rows("files.tsv"):
        pattern = re.compile("^" + re.escape(old).replace(r"\*", "src/.*?" if not old.startswith("*/rules") else "src") +
                             r"((?:_[a-z]+)*_test)?\.(cc|h)$")
        for path in files:
            match = pattern.match(path)
            if match and path not in moves:
                moves[path] = f"{os.path.dirname(path)}/{new}{match[1] or ''}.{match[2]}"
    return moves


def include_name(path):
    return re.sub(r"^(src|include)/", "", path)


def macro(path):
    name = re.sub(r"[^A-Za-z0-9]", "_", include_name(path)).upper()
    return ("" if name.startswith("DIMWISE_") else "DIMWISE_") + name + "_"


def replace_paths(text, moves):
    for old, new in moves.items():
        text = re.sub(rf"(?<![\w]){re.escape(include_name(old))}\b", include_name(new), text)
        if os.path.basename(old) not in ("check.h", "knowledge.h"):
            text = re.sub(rf"(?<![\w/.]){re.escape(os.path.basename(old))}\b", os.path.basename(new), text)
        if old.endswith(".h"):
            text = re.sub(rf"\b{macro(old)}\b", macro(new), text)
    return text


def main():
    files = git("ls-files").split("\n")
    code = [f for f in files if f.endswith((".cc", ".h")) and f.split("/")[0] in CODE_ROOTS]
    table, patterns = list(rows("table.tsv")), list(rows("patterns.tsv"))
    moves = renamed_files(code)
    several = {old: new for old, new, paths, _ in table if SEVERAL_WORDS.search(old)}
    for path in code:
        with open(path, encoding="utf-8") as file:
            before = file.read()
        after = apply_patterns(before, path, patterns)
        after = replace_paths(renamed_code(after, Names(path, table)), moves)
        if after != before:
            with open(path, "w", encoding="utf-8") as file:
                file.write(after)
    for path in files:
        if path.startswith("tools/rename/"):
            continue
        is_text = path.endswith((".md", ".sh", ".py", ".cmake", "CMakeLists.txt", "Makefile", ".in"))
        if not is_text or not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as file:
            before = file.read()
        after = replace_paths(before, moves)
        if path.endswith("check_layers.sh"):
            after = re.sub(r"(?<![\w./])check\.h\b", "guard.h", after)
        if path.endswith((".md", ".py")):
            def span(match):
                return re.sub(r"[A-Za-z_]\w*", lambda m: several.get(m[0], m[0]), match[0]).replace("::checks", "::guards")
            after = re.sub(r"`[^`\n]*`", span, after)
            after = after.replace('FindSymbol("N")->place', 'FindSymbol("N")->index')
        if after != before:
            with open(path, "w", encoding="utf-8") as file:
                file.write(after)
    for old, new in moves.items():
        git("mv", old, new)
    changed = [f for f in git("diff", "--name-only", "--diff-filter=d", "HEAD").split("\n") if f.endswith((".cc", ".h"))]
    for start in range(0, len(changed), 50):
        subprocess.run(["clang-format", "-i", *changed[start:start + 50]], check=True)
    print(f"{len(changed)} C++ files changed, {len(moves)} files renamed")


if __name__ == "__main__":
    sys.exit(main())
