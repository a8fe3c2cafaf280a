#!/bin/sh
# Tests check_includes.sh on small trees with the message that it must print.
set -eu
check=$(cd "$(dirname "$0")" && pwd)/check_includes.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# must_print TEXT LINE...: with these lines in src/core/user.cc, the check must print TEXT before its last
# line.
must_print() {
  expected=$1
  shift
  mkdir -p "$work/src/core" "$work/include/dimwise"
  printf '%s\n' '#include "dimwise/dim.h"' >"$work/src/core/table.h"
  printf '%s\n' '#include <vector>' '#include "core/table.h"' >"$work/include/dimwise/dim.h"
  printf '%s\n' "$@" >"$work/src/core/user.cc"
  output=$(sh "$check" "$work") && code=0 || code=1
  output=$(printf '%s\n' "$output" | sed '$d')
  if [ "$output" != "$expected" ] || [ "$code" != "$([ -z "$expected" ] && echo 0 || echo 1)" ]; then
    printf 'of %s\nexpected: %s\ngot (%s): %s\n' "$*" "$expected" "$code" "$output"
    failed=1
  fi
}

must_print ''
must_print '' '#include <algorithm>' 'std::ranges::sort(x);'
must_print '' '#include "core/table.h"' 'std::vector<int> reached_through_two_headers;'
must_print '' '// std::map<int, int> in a comment' 'print(x); mystd::sorted(y);'
must_print 'src/core/user.cc:2: uses a declaration of <algorithm> without including it' \
  '#include <vector>' 'std::ranges::any_of(x, y);'
must_print 'src/core/user.cc:1: uses a declaration of <cstdint> without including it' 'uint8_t x; int64_t y;'
must_print 'src/core/user.cc:1: uses a declaration of <fmt/ranges.h> without including it' 'fmt::join(x, ", ");'
must_print "$(printf '%s\n' 'src/core/user.cc:2: uses a declaration of <optional> without including it' \
  'src/core/user.cc:1: uses a declaration of <string> without including it')" 'std::string x;' 'std::optional<int> y;'
must_print 'src/core/user.cc:2: uses a feature that Clang 14 cannot compile: a view, or an algorithm that returns a subrange' \
  '#include <algorithm>' 'std::ranges::unique(x);'
must_print '' '#include <algorithm>' 'std::unique(x.begin(), x.end()); std::ranges::remove_copy(x, y, 1);'

exit $failed
