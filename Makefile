# Entry points for development. CMake does the work. Each target first runs tools/bootstrap.sh, which installs
# what is missing. `make JOBS=1 ...` limits parallelism.

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
CLANG_FORMAT ?= clang-format
CLANG_TIDY ?= clang-tidy
# For `make fuzz`: seconds per fuzzer.
SECONDS_EACH ?= 60

build_in = cmake --build build/$(1) --parallel $(JOBS)
test_in = ctest --preset $(1) --parallel $(JOBS)
sources = git ls-files --cached --others --exclude-standard -- '*.h' '*.cc'

.DEFAULT_GOAL := help
.PHONY: help run build test test-sanitized golden test-large bench bench-peers docs fuzz format format-check lint editor install clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' Makefile

run: build  ## build the program and run a demonstration
	@sh examples/run.sh build/release/dimwise

build: need-build build/release/build.ninja  ## build the program: build/release/dimwise
	@$(call build_in,release) --target dimwise_program

test: need-test build/dev/build.ninja  ## build and run all tests except the large ones
	@$(call build_in,dev)
	@$(call test_in,dev)

# tsan comes first, so that the last lines of output are those of a test run even if there are no thread
# tests.
test-sanitized: need-test build/tsan/build.ninja build/asan-ubsan/build.ninja  ## tests under tsan, asan and ubsan
	@$(call build_in,tsan) --target dimwise_threads_tests
	@if ctest --test-dir build/tsan -N -L '^threads$$' | grep -q '^Total Tests: 0$$'; \
	 then echo 'There are no thread tests to run under tsan.'; \
	 else $(call test_in,tsan); fi
	@$(call build_in,asan-ubsan)
	@$(call test_in,asan-ubsan)

golden: need-test build/dev/build.ninja  ## rewrite the golden files of the tests and the outputs shown in the docs
	@$(call build_in,dev)
	@DIMWISE_REWRITE=1 $(call test_in,dev) -R '^(dimwise_(formats|infer|report|cli)_tests|readme|[a-z]*_page|rules_doc_commands)$$'
	@git status --short

test-large: need-test build/dev/build.ninja  ## tests that take minutes or gigabytes
	@$(call build_in,dev)
	@$(call test_in,large)

bench: need-bench  ## run the benchmarks; ARGS=--benchmark_filter=... selects some
	@cmake --preset release -D DIMWISE_BENCH=ON >/dev/null
	@$(call build_in,release) --target dimwise_bench
	@build/release/dimwise_bench $(ARGS)

bench-peers: need-peers build/peers/ready  ## compare with onnx, onnxruntime, tract, OpenVINO; MODELS=FOLDER adds models
	@cmake --preset release -D DIMWISE_BENCH=ON >/dev/null
	@$(call build_in,release) --target dimwise_program dimwise_peers
	@build/peers/venv/bin/python bench/peers/compare.py --program build/release/dimwise \
	  --in-process build/release/dimwise_peers --work build/peers/models $(if $(MODELS),--models $(MODELS)) $(ARGS)

# Peers are installed from PyPI into a virtual environment.
build/peers/ready: bench/peers/requirements.txt
	@mkdir -p build/peers
	@python3 -m venv --clear build/peers/venv
	@build/peers/venv/bin/pip install --quiet --disable-pip-version-check -r $<
	@for peer in openvino==2026.4.1 tract==0.23.9; do \
	  build/peers/venv/bin/pip install --quiet --disable-pip-version-check $$peer || \
	    echo "$$peer cannot be installed here and is skipped"; \
	done
	@touch $@

docs: need-docs  ## write the reference of the C++ interface: build/docs/html/index.html (needs Doxygen)
	@mkdir -p build/docs
	@doxygen tools/Doxyfile

fuzz: need-fuzz build/fuzz/build.ninja  ## run each fuzzer for SECONDS_EACH seconds (needs Clang)
	@$(call build_in,fuzz) --target dimwise_fuzzers
	@set -e; for program in build/fuzz/dimwise_*_fuzz; do \
	  [ -x "$$program" ] || continue; \
	  name=$${program#build/fuzz/dimwise_}; name=$${name%_fuzz}; \
	  mkdir -p "build/fuzz/corpus/$$name" "fuzz/corpus/$$name"; \
	  "$$program" -max_total_time=$(SECONDS_EACH) -artifact_prefix=build/fuzz/ \
	    "build/fuzz/corpus/$$name" "fuzz/corpus/$$name"; \
	done

format: need-format  ## format the sources with clang-format
	@$(sources) | xargs $(CLANG_FORMAT) -i

format-check: need-format  ## fail if `make format` would change a file
	@$(sources) | xargs $(CLANG_FORMAT) --dry-run --Werror

# The batches do not depend on the generated rules.
lint: need-lint build/lint/build.ninja  ## check names and common mistakes with clang-tidy
	@cmake build/lint >/dev/null
	@sed -n 's/^ *"file": "\(.*\)",*$$/\1/p' build/lint/compile_commands.json | grep -v /generated/ | \
	  xargs -P $(JOBS) -n 1 $(CLANG_TIDY) -p build/lint --quiet \
	  --extra-arg=-Wno-unknown-warning-option --extra-arg=-fno-caret-diagnostics

editor: need-build  ## write compile_commands.json for editors and clangd
	@cmake --preset editor >/dev/null
	@ln -sf build/editor/compile_commands.json compile_commands.json

install: need-build build/release/build.ninja  ## install the program, the library and headers to PREFIX (/usr/local)
	@$(call build_in,release)
	@cmake --install build/release --prefix $(PREFIX)

clean:  ## remove all build results
	@rm -rf build

# Configures once. Later ninja reconfigures when a CMake file changes or a source is added.
build/%/build.ninja: CMakePresets.json
	@cmake --preset $*

.PHONY: need-build need-test need-bench need-peers need-docs need-fuzz need-format need-lint
need-build:
	@sh tools/bootstrap.sh build
need-test:
	@sh tools/bootstrap.sh build test
need-bench:
	@sh tools/bootstrap.sh build bench
need-peers:
	@sh tools/bootstrap.sh build bench peers
need-docs:
	@sh tools/bootstrap.sh docs
need-fuzz:
	@sh tools/bootstrap.sh build fuzz
need-format:
	@sh tools/bootstrap.sh format
need-lint:
	@sh tools/bootstrap.sh build test lint

# The steps of a target run in order; ninja and ctest parallelize each step.
.NOTPARALLEL:
