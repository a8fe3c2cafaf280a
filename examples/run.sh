#!/bin/sh
# What `make run` shows: each command as a person would type it, then what it prints.
set -eu
dimwise=${1:-build/release/dimwise}

show() {
  printf '\n$ dimwise'
  for word; do
    case $word in
      *[!A-Za-z0-9_./=,:+-]*) printf " '%s'" "$word" ;;
      *) printf ' %s' "$word" ;;
    esac
  done
  printf '\n'
  "$dimwise" "$@"
}

show --version

# The examples: one line each, and a bundled list of requests where there is one.
if "$dimwise" --help | grep -q '^ *op '; then
  show op onnx.MatMul 'f32[N, S, 768]' 'f32[768, 64]'
  show op onnx.Conv 'f32[N,3,224,224]' 'f32[64,3,7,7]' strides=2,2 pads=3,3,3,3
  examples=$(dirname "$0")
  if [ -e "$examples/operators.jsonl" ]; then show op --batch "$examples/operators.jsonl"; fi
fi
