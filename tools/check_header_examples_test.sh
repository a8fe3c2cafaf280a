#!/bin/sh
# Tests check_header_examples.sh on small trees with the message that it must print.
set -eu
check=$(cd "$(dirname "$0")" && pwd)/check_header_examples.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/src/report" "$work/include/dimwise"
failed=0

# must_print TEXT HEADER: with HEADER as the comment of dim.h, the check must print TEXT before its last line.
must_print() {
  printf '  // example of dim.h\n  Dim d = 1;\n\n  if (d) {\n    Use(d);\n  }\n  // end of example\n' \
    >"$work/src/report/header_examples_test.cc"
  printf "$2" >"$work/include/dimwise/dim.h"
  output=$(cd "$work" && sh "$check") && code=0 || code=1
  output=$(printf '%s\n' "$output" | sed '$d')
  if [ "$output" != "$1" ] || [ "$code" != "$([ -z "$1" ] && echo 0 || echo 1)" ]; then
    printf 'of %s\nexpected: %s\ngot (%s): %s\n' "$2" "$1" "$code" "$output"
    failed=1
  fi
}

example='//   Dim d = 1;\n//\n//   if (d) {\n//     Use(d);\n//   }\n'
must_print '' "// A Dim.\n//\n$example//\n// Prose; it ends so;\n"
must_print 'dim.h does not have its example as the test does' '// A Dim.\n'
must_print './include/dimwise/dim.h:7: this line is in no example of dim.h' "//\n$example//   Dim e = 2;  // more\n"
must_print "$(printf '%s\n' './include/dimwise/dim.h:1: this line is in no example of dim.h' \
  'dim.h does not have its example as the test does')" '//   Dim d = 2;\n//\n//   if (d) {\n//     Use(d);\n//   }\n'

exit $failed
