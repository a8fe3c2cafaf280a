#!/bin/sh
# Tests tools/compare_versions.py: the program compared with itself has no difference, and neither has a program that
# differs in prose or in the numbers of generated symbols. A program that changes a size or an exit code is found.
#
#   tools/compare_versions_test.sh PROGRAM PYTHON
set -eu
program=$1
python=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

cat >"$work/model.graph" <<'GRAPH'
opset onnx 18

graph model(x: f32[N, 3], y: f32[N, K]) {
  a = onnx.NonZero(x)
  b = onnx.NonZero(y)
  c = onnx.Add(x, y)
  return a, b, c
}
GRAPH

# write_program NAME SED_SCRIPT EXIT: a program that edits the output of PROGRAM and adds EXIT to its exit code.
write_program() {
  cat >"$work/$1" <<SCRIPT
#!/bin/sh
'$program' "\$@" >'$work/output'
code=\$?
sed -e '$2' '$work/output'
exit \$((code + $3))
SCRIPT
  chmod +x "$work/$1"
}

# expect EXIT PROGRAM PATTERN: the comparison with PROGRAM exits with EXIT and prints a line with PATTERN.
expect() {
  code=0
  output=$("$python" tools/compare_versions.py "$program" "$2" "$work/model.graph" --no-corpus --jobs 1 2>&1) || code=$?
  if [ "$code" != "$1" ] || ! printf '%s\n' "$output" | grep -q -- "$3"; then
    echo "compared with $2: exit code $code instead of $1, or no line with '$3' in:"
    printf '%s\n' "$output"
    failed=1
  fi
}

none='1 models; with differences: infer 0, guards 0, compile 0'
expect 0 "$program" "$none"
write_program prose 's/"message": "[^"]*"/"message": "changed"/g' 0
expect 0 "$work/prose" "$none"
"$work/prose" compile "$work/model.graph" --emit json | grep -q '"message": "changed"'
write_program symbols 's/u1\([^0-9]\)/u0\1/g; s/u2\([^0-9]\)/u7\1/g; s/u3\([^0-9]\)/u5\1/g' 0
expect 0 "$work/symbols" "$none"
"$work/symbols" infer "$work/model.graph" --format json | grep -q '"u7"'
write_program size 's/"N", 3/"N", 4/g' 0
expect 1 "$work/size" 'infer .*model.graph: output.values.x.shape'
write_program exit_code '' 1
expect 1 "$work/exit_code" 'guards .*model.graph: exit'
expect 2 "$work/no_such_program" 'cannot run'
exit $failed
