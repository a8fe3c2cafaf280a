#!/bin/sh
# Checks that no line of a rule file is longer than 120 columns.
#
# Usage: tools/check_rule_lines.sh [FOLDER]...
#
# FOLDER is src/ops and examples/rules by default. Prints each longer line with its length. Exit 0: no such line.
set -eu
[ $# -gt 0 ] || set -- src/ops examples/rules
find "$@" -name '*.shape' | sort | xargs awk '
  length($0) > 120 { printf "%s:%d: %d columns, at most 120\n", FILENAME, FNR, length($0); long = 1 }
  END { exit long }
' || exit 1
