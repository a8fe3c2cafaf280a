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
