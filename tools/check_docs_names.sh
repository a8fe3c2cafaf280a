#!/bin/sh
# Checks that files and identifiers named in the documentation exist.
#
#   tools/check_docs_names.sh [ROOT]
#
# Reads README.md, CONTRIBUTING.md and docs/*.md: text in backquotes, and blocks of kind `text`. The check fails, with
# a line for each case, if
#   - a path with an extension of a source file does not exist, neither as written nor below src, include/dimwise,
#     src/infer or a folder of src;
#   - the name of a source file is that of no file;
#   - an identifier such as ProgramState, kWithoutChecked or Facts::Holds contains a word that no source contains.
set -eu
cd "${1:-.}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

find src include tools bench fuzz cmake examples docs -type f 2>/dev/null | sort >"$work/files"
find src include tools bench examples -type f \( -name '*.h' -o -name '*.cc' -o -name '*.py' -o -name '*.sh' \
  -o -name '*.shape' \) -exec cat {} + 2>/dev/null | tr -cs 'A-Za-z0-9_' '\n' | sort -u >"$work/words"

# Names of other systems and of examples.
set -- PartitionedCall LoopCond foo NAME std

# shellcheck disable=SC2046  # one word per page
awk -v exceptions="$*" '
  FILENAME ~ /\/files$/ { file[$0]; sub(/.*\//, "", $0); base[$0]; next }
  FILENAME ~ /\/words$/ { word[$0]; next }
  FNR == 1 { kind = ""; if (!split(exceptions, list, " ")) exit; for (i in list) except[list[i]] }
  /^```/ { kind = kind != "" ? "" : substr($0, 4) == "text" ? "text" : "other"; next }
  kind == "text" { check($0); next }
  kind == "" { n = split($0, piece, "`"); for (i = 2; i <= n; i += 2) check(piece[i]) }

  function complain(what) { printf "%s:%d: %s\n", FILENAME, FNR, what; failed = 1 }

  # Checks each path and identifier in a text.
  function check(text,   rest, name, part, qualifies) {
    rest = text
    while (match(rest, /[A-Za-z0-9_.\/-]+\.(h|cc|py|sh|cmake|shape|md)/)) {
      name = substr(rest, RSTART, RLENGTH)
      rest = substr(rest, RSTART + RLENGTH)
      if (rest ~ /^[A-Za-z0-9_]/ || name ~ /^\.|FILE|NAME|my[._]/) continue
      part = name
      sub(/.*\//, "", part)
      sub(/\..*/, "", part)
      sub(/_test$/, "", part)
      if (part in except) continue
      if (!exists(name)) complain("there is no file " name)
    }
    rest = text
    gsub(/[A-Za-z0-9_.\/-]+\.(h|cc|py|sh|cmake|shape|md|onnx|graph)/, " ", rest)
    while (match(rest, /[A-Za-z_][A-Za-z0-9_]*/)) {
      name = substr(rest, RSTART, RLENGTH)
      rest = substr(rest, RSTART + RLENGTH)
      qualifies = substr(rest, 1, 2) == "::"
      if (!qualifies && name !~ /^[A-Z][a-z0-9]+([A-Z][a-z0-9]*)+$/ && name !~ /^k[A-Z][a-z]/) continue
      if (!(name in word) && !(name in except)) complain("no source contains " name)
    }
  }

  function exists(name,   f, tail) {
    if (name in file || name in base) return 1
    if (("docs/" name) in file || ("src/" name) in file || ("include/dimwise/" name) in file) return 1
    tail = "/" name
    for (f in file) {
      if (substr(f, length(f) - length(tail) + 1) == tail && f ~ /^src\//) return 1
    }
    return 0
  }
  END { exit failed }
' "$work/files" "$work/words" $(ls README.md CONTRIBUTING.md docs/*.md 2>/dev/null)
