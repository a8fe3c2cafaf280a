#!/bin/sh
# Checks docs/rules.md: every `shape` block is a rule file that must load and pass its examples.
#
#   tools/check_rules_doc.sh PROGRAM [FILE.md [CASES]]       CASES: sample calls per rule
set -eu
if [ $# -lt 1 ]; then
  echo "usage: tools/check_rules_doc.sh PROGRAM [FILE.md [CASES]]" >&2
  exit 2
fi
program=$1
file=${2:-docs/rules.md}
cases=${3:-200}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Writes each block to a file that is named after its first line.
awk -v folder="$folder" '
  /^```shape$/ { inside = 1; out = sprintf("%s/line_%03d.shape", folder, NR + 1); next }
  /^```/       { inside = 0 }
  inside       { print > out }
' "$file"

blocks=0
failed=0
for block in "$folder"/*.shape; do
  [ -e "$block" ] || break
  blocks=$((blocks + 1))
  if ! answer=$("$program" test --cases "$cases" "$block" 2>&1); then
    failed=$((failed + 1))
    echo "$file, the block at $(basename "$block" .shape):"
    echo "$answer"
  fi
done
# A page without blocks must fail, because nothing would be checked.
if [ "$blocks" -eq 0 ]; then
  echo "$file has no block of kind shape" >&2
  exit 1
fi
[ "$failed" -eq 0 ]
