#!/bin/sh
# Checks that the examples in the public headers equal those in the test that compiles and runs them.
#
#   tools/check_header_examples.sh [ROOT]
#
# In src/report/header_examples_test.cc an example is enclosed by `// example of X.h` and `// end of example`.
# The check fails, with a line for each case, if the comment of include/dimwise/X.h does not contain the same
# lines, indented by three spaces. It also fails if a header contains code (an indented line that ends with a
# semicolon) that is in no example.
set -eu
root=${1:-.}
test=$root/src/report/header_examples_test.cc
if [ ! -f "$test" ]; then
  echo "check_header_examples: no file $test" >&2
  exit 2
fi

awk -v root="$root" '
function complain(what) {
  print what
  ++bad
}

# Converts a line of the test to its form in the header.
function in_comment(line) {
  line = substr(line, indent + 1)
  return line == "" ? "//" : "//   " line
}

FILENAME ~ /_test\.cc$/ {
  if ($0 ~ /^ *\/\/ example of /) {
    indent = index($0, "/") - 1
    header = $NF
    text = "\n"
  } else if ($0 ~ /^ *\/\/ end of example/) {
    examples[header] = examples[header] text
    ++count
    header = ""
  } else if (header != "") {
    text = text in_comment($0) "\n"
  }
  next
}

FNR == 1 {
  name = FILENAME
  sub(/.*\//, "", name)
  names[name] = 1
}
{ headers[name] = headers[name] "\n" $0 }
/^\/\/   +.*;( *\/\/.*)?$/ {
  if (index(examples[name], "\n" $0 "\n") == 0) complain(FILENAME ":" FNR ": this line is in no example of " name)
}

END {
  for (name in examples) {
    if (examples[name] == "") continue
    if (!(name in names)) complain("an example is of " name ", which is no public header")
    else if (index(headers[name] "\n", examples[name]) == 0) complain(name " does not have its example as the test does")
  }
  if (bad > 0) { print "check_header_examples: " bad " wrong"; exit 1 }
  print "check_header_examples: " count " examples are in their headers"
}' "$test" "$root"/include/dimwise/*.h
