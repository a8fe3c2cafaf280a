#!/bin/sh
# Installs what the targets of the Makefile need.
#
#   tools/bootstrap.sh [--check] GROUP...     GROUP: build test bench peers docs format lint fuzz
#
# Each dependency is detected by what it provides (a program, a header, a Python module), not by its package.
# If everything is present, nothing is installed and the network is not used. On a system with apt, missing
# packages are installed as root or through sudo. DIMWISE_BOOTSTRAP=off and other systems only list what is
# missing, with the reason. --check never installs.
set -eu

# group | kind | what to look for | Debian and Ubuntu package | what it is for
needs='
build  program cmake                  cmake            configures the build (3.25 or later)
build  program ninja                  ninja-build      runs the build
build  program c++                    g++              compiles C++20 (GCC 12 or Clang 14, or later)
build  header  fmt/core.h             libfmt-dev       formats text
build  header  simdjson.h             libsimdjson-dev  reads JSON
build  header  CLI/CLI.hpp            libcli11-dev     reads the command line
build  header  tsl/robin_map.h        robin-map-dev    hash tables
test   header  gtest/gtest.h          libgtest-dev     runs the tests (GoogleTest)
test   program python3                python3          runs the tests of JSON and of examples
test   module  jsonschema             python3-jsonschema validates JSON against docs/schema
test   program pkg-config             pkg-config       builds a program against the installed library
bench  header  benchmark/benchmark.h  libbenchmark-dev measures (Google Benchmark)
peers  program python3                python3          runs what we are measured beside
peers  module  ensurepip              python3-venv     keeps that in an environment of its own
docs   program doxygen                doxygen          writes the reference of the C++ interface
format program clang-format           clang-format     lays out the sources
lint   program clang-tidy             clang-tidy       checks names and common mistakes
fuzz   program clang++                clang            compiles the fuzzers (libFuzzer)
'

check_only=no
groups=' '
for argument; do
  case $argument in
    --check) check_only=yes ;;
    build | test | bench | peers | docs | format | lint | fuzz) groups="$groups$argument " ;;
    *) echo "bootstrap: unknown group '$argument'" >&2; exit 2 ;;
  esac
done

have_program() {
  # CXX may name another compiler than c++, and ninja may be called ninja-build.
  case $1 in
    c++) command -v "${CXX:-c++}" >/dev/null 2>&1 || command -v g++ >/dev/null 2>&1 || command -v clang++ >/dev/null 2>&1 ;;
    ninja) command -v ninja >/dev/null 2>&1 || command -v ninja-build >/dev/null 2>&1 ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
  esac
}

have_header() {
  header=$1
  old_ifs=$IFS
  IFS=':;'
  for prefix in ${CMAKE_PREFIX_PATH:-} /usr /usr/local /opt/homebrew /opt/local; do
    if [ -e "$prefix/include/$header" ]; then
      IFS=$old_ifs
      return 0
    fi
  done
  IFS=$old_ifs
  return 1
}

have_module() { python3 -c "import $1" >/dev/null 2>&1; }

missing_packages=''
missing_lines=''
while read -r group kind wanted package purpose; do
  case $groups in *" $group "*) ;; *) continue ;; esac
  if "have_$kind" "$wanted"; then continue; fi
  missing_packages="$missing_packages $package"
  missing_lines="$missing_lines
  $(printf '%-17s %s [%s %s]' "$package" "$purpose" "$kind" "$wanted")"
done <<EOF2
$(printf '%s\n' "$needs" | sed '/^$/d')
EOF2

if [ -z "$missing_packages" ]; then exit 0; fi

fail_with_list() {
  {
    echo "dimwise: $1$missing_lines"
    echo "The names are Debian's packages; in brackets is what was looked for."
    echo "Headers are looked for in /usr, /usr/local and the prefixes of CMAKE_PREFIX_PATH."
  } >&2
  exit 1
}

if [ "$check_only" = yes ] || [ "${DIMWISE_BOOTSTRAP:-on}" = off ]; then
  fail_with_list 'these are missing:'
fi
if ! command -v apt-get >/dev/null 2>&1; then
  fail_with_list 'this system has no apt; please install what is missing, then run make again:'
fi

as_root=''
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    fail_with_list "not root, and there is no sudo; please have these installed (apt-get install$missing_packages):"
  fi
  as_root='sudo'
fi

echo "dimwise: installing with apt-get:$missing_lines"
apt_get() {
  # env instead of a shell assignment, because sudo drops the variables of its caller.
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@"
}
apt_get update || echo 'dimwise: apt-get update failed; trying with the package lists that are here' >&2
# Only clang recommends a package that is needed: the runtime library with libFuzzer, whose package name
# contains a version.
case $missing_packages in
  *' clang') recommends='--install-recommends' ;;
  *) recommends='--no-install-recommends' ;;
esac
# shellcheck disable=SC2086  # one word per package
apt_get install -y $recommends $missing_packages
