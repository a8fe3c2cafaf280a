#!/bin/sh
# Renames C++ identifiers and files of the worktree in the current folder (apply.py).
set -eu
[ -z "$(git status --porcelain --untracked-files=no)" ] || { echo "the worktree is not clean" >&2; exit 1; }
cd "$(git rev-parse --show-toplevel)"
python3 "$(dirname "$(readlink -f "$0")")/apply.py"
