#!/bin/sh
# Tests check_docs_names.sh on a small tree with the lines that it must print.
set -eu
check=$(cd "$(dirname "$0")" && pwd)/check_docs_names.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# must_print TEXT LINE...: with these lines in docs/page.md, the check must print TEXT.
must_print() {
  expected=$1
  shift
  mkdir -p "$work/src/core/dims" "$work/docs"
  printf '%s\n' 'enum class FactFilter { kEverything };' 'class DimTable;' >"$work/src/core/dims/dim_table.h"
  printf '%s\n' "$@" >"$work/docs/page.md"
  output=$(sh "$check" "$work") && code=0 || code=1
  if [ "$output" != "$expected" ] || [ "$code" != "$([ -z "$expected" ] && echo 0 || echo 1)" ]; then
    printf 'of %s\nexpected: %s\ngot (%s): %s\n' "$*" "$expected" "$code" "$output"
    failed=1
  fi
}

must_print '' 'A page in prose about TensorFlow and GraphRunner.'
must_print '' 'The table is `DimTable` (`core/dims/dim_table.h`, `dims/dim_table.h`), with `FactFilter::kEverything`.'
must_print 'docs/page.md:1: there is no file core/dims/dim_list.h' 'See `core/dims/dim_list.h`.'
must_print 'docs/page.md:2: there is no file dim_list.cc' '' '`DimTable` is in `dim_list.cc`.'
must_print 'docs/page.md:1: no source contains DimList' 'The list is `DimList`.'
must_print 'docs/page.md:1: no source contains Trust' 'Use `Trust::kEverything`.'
must_print 'docs/page.md:2: no source contains RunInfer' '```text' 'main -> RunInfer' '```'
must_print '' '```cpp' 'RunInfer();' '```'

exit $failed
