#!/bin/sh
# Tests check_layers.sh. Each case is a small tree with one mistake and the line that the check must print.
# The first tree has no mistake.
set -eu
check=$(cd "$(dirname "$0")" && pwd)/check_layers.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# Creates a tree with one additional file of one line.
make_tree() {
  rm -rf "$work/tree"
  mkdir -p "$work/tree/src/core" "$work/tree/src/infer" "$work/tree/src/formats" "$work/tree/include/dimwise"
  echo '#include <vector>' >"$work/tree/include/dimwise/dim.h"
  echo '#include "dimwise/dim.h"' >"$work/tree/src/core/dim.cc"
  printf '%s\n' '#include "core/table.h"' '#include "dimwise/dim.h"' '#include <algorithm>' '#include <fmt/core.h>' \
    >"$work/tree/src/infer/refiner.cc"
  printf '%s\n' '#include "infer/refiner.h"' '#include <filesystem>' >"$work/tree/src/formats/file.cc"
  printf '%s\n' '#include <fstream>' '#include "gtest/gtest.h"' >"$work/tree/src/core/dim_test.cc"
  if [ $# = 2 ]; then
    mkdir -p "$(dirname "$work/tree/$1")"
    printf '%s\n' "$2" >"$work/tree/$1"
  fi
}

must_pass() {
  make_tree "$@"
  if ! output=$(sh "$check" "$work/tree"); then
    echo "should pass with $*: $output"
    failed=1
  fi
}

# must_fail FILE LINE MESSAGE: with LINE in FILE, the check must fail and print only FILE:1: MESSAGE.
must_fail() {
  make_tree "$1" "$2"
  if output=$(sh "$check" "$work/tree"); then
    echo "should fail with $2 in $1"
    failed=1
  elif [ "$(printf '%s\n' "$output" | sed '$d')" != "$work/tree/$1:1: $3" ]; then
    echo "with $2 in $1 this should be printed:"
    echo "  $1:1: $3"
    echo "and not:"
    echo "  $output"
    failed=1
  fi
}

must_pass
must_pass src/infer/solver.cc '#include "infer/refiner.h"'
must_pass src/cli/main.cc '  #  include "formats/file.h"  // where a model is read'
must_pass src/core/bits.cc '// #include "infer/refiner.h"'

browser='from core to native_ops nothing uses files, threads or the system'
above='a layer uses only those above it in the design'
must_fail src/core/bad.cc '#include "infer/refiner.h"' "core must not use infer (\"infer/refiner.h\"): $above"
must_fail src/core/bad_test.cc '#include "infer/refiner.h"' "core must not use infer (\"infer/refiner.h\"): $above"
must_fail src/infer/deep/bad.h '#include "formats/file.h"' "infer must not use formats (\"formats/file.h\"): $above"
must_fail src/core/bad.cc '	#	include "dimwise/graph.h"' "core must not use graph (\"dimwise/graph.h\"): $above"
must_fail include/dimwise/shape.h '#include "dimwise/graph.h"' "core must not use graph (\"dimwise/graph.h\"): $above"
must_fail src/python/bad.cc '#include "cli/main.h"' "python must not use cli (\"cli/main.h\"): $above"
must_pass src/core/facts/good.cc '#include "core/dims/table.h"'
must_pass src/core/dims/good_test.cc '#include "core/facts/store.h"'
must_fail src/core/dims/bad.cc '#include "core/facts/store.h"' \
  'core/dims must not use core/facts ("core/facts/store.h"): a folder of core uses only those before it'
must_pass src/cli/good.cc '#include "infer/driver/rule_driver.h"'
must_pass src/formats/onnx/patch_writer.cc '#include "formats/onnx/onnx_patch.h"'
must_pass src/report/good_test.cc '#include "formats/onnx/onnx_patch.h"'
must_fail src/report/bad.cc '#include "formats/onnx/onnx_patch.h"' \
  'only the component generalize and cli use "formats/onnx/onnx_patch.h"; the library does not contain it'
must_fail src/core/bad.cc '#include <thread>' "<thread> in core: $browser"
must_fail src/infer/bad.cc '#include <sys/mman.h>' "<sys/mman.h> in infer: $browser"
must_fail src/core/bad.cc '#include "neighbour.h"' 'write "neighbour.h" as "dimwise/x.h" or "<layer>/x.h"'
must_fail src/core/bad.cc '#include "../infer/refiner.h"' 'write "../infer/refiner.h" as "dimwise/x.h" or "<layer>/x.h"'
must_fail src/core/bad.cc '#include "dimwise/stranger.h"' \
  '"dimwise/stranger.h" is not in the table of public headers in tools/check_layers.sh; add it'
must_fail include/dimwise/stranger.h '#include <vector>' \
  'this public header has no layer; add it to the table in tools/check_layers.sh'
must_fail include/dimwise/shape.h '#include <fmt/core.h>' \
  'a public header includes <fmt/core.h>; dependencies stay out of public headers'
must_fail include/dimwise/shape.h '#include "core/table.h"' \
  'a public header includes "core/table.h"; it may include only "dimwise/..." and the standard library'
must_fail src/utils/strings.h '#include <string>' 'src/ holds only the layers of the design; there is none called utils'

must_pass src/native_ops/onnx/einsum.cc '#include "infer/refiner.h"'
must_pass src/report/good.cc '#include "native_ops/onnx/einsum.h"'
must_fail src/infer/bad.cc '#include "native_ops/onnx/einsum.h"' \
  "infer must not use native_ops (\"native_ops/onnx/einsum.h\"): $above"
must_fail src/native_ops/onnx/bad.cc '#include "native_ops/builtin.h"' \
  'native_ops/onnx must not use native_ops ("native_ops/builtin.h"): a folder of native_ops uses only those before it'
must_pass src/infer/good_test.cc '#include "dimwise/builtin.h"'
must_pass src/infer/good_testing.h '#include "dimwise/builtin.h"'
must_fail src/infer/bad.cc '#include "dimwise/builtin.h"' "infer must not use native_ops (\"dimwise/builtin.h\"): $above"
must_pass src/infer/engine/control/loop.cc '#include "infer/engine/analyses/indices.h"'
must_pass src/infer/engine/engine.cc '#include "infer/engine/control/loop.h"'
must_fail src/infer/engine/state/values.cc '#include "infer/engine/analyses/indices.h"' \
  'infer/engine/state must not use infer/engine/analyses ("infer/engine/analyses/indices.h"): '\
'a folder of infer uses only those before it'
must_fail src/infer/engine/control/loop.cc '#include "infer/engine/engine.h"' \
  'infer/engine/control must not use infer/engine ("infer/engine/engine.h"): a folder of infer uses only those before it'

# names_operator FILE LINE NAMES: with the operators onnx.Relu and my.set.Gather and LINE in FILE, the check must
# print these names. It must fail if there is such a name.
names_operator() {
  make_tree "$1" "$2"
  mkdir -p "$work/tree/src/ops/onnx"
  printf '%s\n' 'set onnx' 'op Relu(X: T) -> (Y: T)' 'op Tanh, Sin,' '  Cos(X: T) -> (Y: T)' \
    'op Relu since 2 like other' >"$work/tree/src/ops/onnx/a.shape"
  printf '%s\n' 'set my.set' 'shape op Gather(X: [n]) -> (Y: [n])' >"$work/tree/src/ops/onnx/b.shape"
  if output=$(sh "$check" "$work/tree"); then passed=yes; else passed=no; fi
  names=$(printf '%s\n' "$output" | sed -n 's/.*: names the operator //p' | tr '\n' ' ')
  if [ "$names" != "$3" ]; then
    echo "with $2 in $1 the operators '$3' should be printed, and not: $output"
    failed=1
  fi
  if [ "$passed" = yes ] && [ -n "$3" ] || [ "$passed" = no ] && [ -z "$3" ]; then
    echo "the exit code is wrong with $2 in $1"
    failed=1
  fi
}

names_operator src/infer/bad.cc 'if (name == "Relu" || name == "Gather") {' '"Relu" "Gather" '
names_operator src/infer/bad.cc 'f("onnx.Relu", "my.set.Gather@3");  // onnx.Relu' 'onnx.Relu my.set.Gather onnx.Relu '
names_operator src/core/bad.h '// onnx.Tanh, onnx.Sin and onnx.Cos' 'onnx.Tanh onnx.Sin onnx.Cos '
names_operator include/dimwise/shape.h '// onnx.Relu' ''
names_operator src/infer/good.cc 'Relu(); "relu"; "Relu6"; x.Relu(); "onnx.Other"; // a Relu' ''
names_operator src/infer/good_test.cc '"onnx.Relu"' ''
names_operator src/formats/good.cc '"Relu"' ''
names_operator src/report/mlir/good.cc '"Relu"' ''

if sh "$check" "$work" >/dev/null 2>&1; then
  echo 'should fail where there are no sources'
  failed=1
fi
exit $failed
