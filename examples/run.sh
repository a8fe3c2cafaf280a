#!/bin/sh
# The demonstration of `make run`: each command and its output.
set -eu
dimwise=${1:-build/release/dimwise}

say() { printf '\n# %s\n' "$1"; }

show() {
  printf '$ dimwise'
  for word; do
    case $word in
      *[!A-Za-z0-9_./=,:+-]*) printf " '%s'" "$word" ;;
      *) printf ' %s' "$word" ;;
    esac
  done
  printf '\n'
  # Exit code 1 means that the operator cannot run on these operands, which is a valid result.
  "$dimwise" "$@" 2>&1 || [ $? = 1 ]
}

"$dimwise" --version

models=$(dirname "$0")/models

say 'A whole model: a transformer for any batch N and any sequence S.'
show infer "$models/transformer.onnx"

say 'Conditions that run time has to check: the mask must fit the sequence.'
show guards "$models/transformer.onnx"

say 'The nodes with the shapes of their results, here those of the attention.'
show show "$models/transformer.onnx" --name attention.

say 'The origin of a size.'
show explain "$models/transformer.onnx" 'scores[3]'

say 'With numbers for all symbols, all sizes are numbers.'
show infer "$models/transformer.onnx" --set N=1 --set S=128

say 'A model that fails in every run, with the reason.'
show check "$models/broken_heads.onnx"

say 'A single operator without a model. All sizes are known, so the result is known too.'
show op onnx.Conv 'f32[8, 3, 224, 224]' 'f32[64, 3, 7, 7]' strides=2,2 pads=3,3,3,3

say 'A size may be a symbol. The result is an expression of it, and its conditions are listed.'
show op onnx.Conv 'f32[N, 3, H, W]' 'f32[64, 3, 7, 7]' strides=2,2 pads=3,3,3,3

say 'Broadcasting two unknown sizes: the result covers all cases.'
show op onnx.Add 'f32[N, D]' 'f32[K]'

say 'The contents of an operand decide the shape: 0 copies a size, -1 takes the rest.'
show op onnx.Reshape 'f32[N, 12, S, 64]' 'i64[3]={0, -1, 768}'

say 'A data-dependent size is a new symbol with bounds.'
show op onnx.NonZero 'f32[N, M]'

say 'An operator that fails in every run is an error.'
show op onnx.MatMul 'f32[N, 64]' 'f32[32, M]'

say 'JSON, one operator per line, from a file or another program:'
printf '$ dimwise op --batch examples/operators.jsonl | head -n 1\n'
"$dimwise" op --batch "$(dirname "$0")/operators.jsonl" | sed -n 1p
