#!/bin/sh
# What `make run` shows: each command as a person would type it, then what it prints.
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
  # An error is an answer too: 1 says that the operator cannot run on these operands.
  "$dimwise" "$@" 2>&1 || [ $? = 1 ]
}

"$dimwise" --version

models=$(dirname "$0")/models

say 'A whole model: a transformer for any batch N and any sequence S.'
show infer "$models/transformer.onnx"

say 'What is left for run time: the mask must fit the sequence.'
show checks "$models/transformer.onnx"

say 'Each node with the shapes of its results; here those of the attention.'
show show "$models/transformer.onnx" --name attention.

say 'Why a size is what it is.'
show explain "$models/transformer.onnx" 'scores[3]'

say 'With numbers for the names, everything is a number.'
show infer "$models/transformer.onnx" --set N=1 --set S=128

say 'A model that fails in every run, and why.'
show check "$models/broken_heads.onnx"

say 'One operator, with no model around it. All sizes are known: so is the result.'
show op onnx.Conv 'f32[8, 3, 224, 224]' 'f32[64, 3, 7, 7]' strides=2,2 pads=3,3,3,3

say 'A size may be a name. The result is an expression over it, and what it takes for granted is a check.'
show op onnx.Conv 'f32[N, 3, H, W]' 'f32[64, 3, 7, 7]' strides=2,2 pads=3,3,3,3

say 'Broadcasting two sizes that nobody knows: neither is guessed to be the other.'
show op onnx.Add 'f32[N, D]' 'f32[K]'

say 'The contents of an operand decide the shape: 0 keeps a size, -1 is what is left.'
show op onnx.Reshape 'f32[N, 12, S, 64]' 'i64[3]={0, -1, 768}'

say 'How many there are depends on the data: a new name, with bounds.'
show op onnx.NonZero 'f32[N, M]'

say 'What fails in every run is an error.'
show op onnx.MatMul 'f32[N, 64]' 'f32[32, M]'

say 'As JSON, one operator a line, from a file or from another program:'
printf '$ dimwise op --batch examples/operators.jsonl | head -n 1\n'
"$dimwise" op --batch "$(dirname "$0")/operators.jsonl" | sed -n 1p
