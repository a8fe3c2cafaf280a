#!/bin/sh
# Checks that the output shown below each `$ dimwise ...` in a `console` block is what the command prints.
#
#   tools/check_readme.sh PROGRAM [FILE.md]           fails with a diff if the output differs
#   tools/check_readme.sh --write PROGRAM [FILE.md]   writes the output of the program to the file
#
# DIMWISE_REWRITE=1 in the environment has the effect of --write, as in tests with golden files.
set -eu
write=no
if [ -n "${DIMWISE_REWRITE:-}" ]; then write=yes; fi
if [ "${1:-}" = --write ]; then
  write=yes
  shift
fi
if [ $# -lt 1 ]; then
  echo "usage: tools/check_readme.sh [--write] PROGRAM [FILE.md]" >&2
  exit 2
fi
program=$1
file=${2:-README.md}
fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT

dimwise() { "$program" "$@"; }

# Prints the file with the current output of each command.
regenerate() {
  inside=no
  commands=0
  while IFS= read -r line; do
    case $inside$line in
      no'```console') inside=yes first=yes ;;
      yes'```') inside=no ;;
      yes'$ '*)
        [ "$first" = yes ] || echo
        first=no
        commands=$((commands + 1))
        printf '%s\n' "$line"
        NO_COLOR=1
        export NO_COLOR
        (eval "${line#"$ "}") 2>&1 </dev/null || true
        continue
        ;;
      yes*) continue ;;
    esac
    printf '%s\n' "$line"
  done
  # A file without commands must fail, because nothing would be compared.
  [ "$commands" -gt 0 ]
}

if ! regenerate <"$file" >"$fresh"; then
  echo "$file has no command in a block of kind console" >&2
  exit 1
fi
if [ $write = yes ]; then
  cat "$fresh" >"$file"
elif ! diff -u "$file" "$fresh"; then
  echo "$file differs from the output of the program; tools/check_readme.sh --write $program updates it" >&2
  exit 1
fi
