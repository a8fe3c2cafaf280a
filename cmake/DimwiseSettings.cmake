# Compiler settings of our own targets. All of them are private: a target that links dimwise::dimwise gets the
# headers and C++20, but no flags.

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  set(CMAKE_COLOR_DIAGNOSTICS ON)
endif()

set(dimwise_warnings)
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  set(dimwise_warnings
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
    -Wold-style-cast -Wcast-align -Wformat=2 -Wimplicit-fallthrough -Wextra-semi)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND dimwise_warnings -Wduplicated-cond -Wlogical-op)
    # GCC 12 and 13 report false positives inside std::string, depending on optimization and precompiled
    # headers. The sanitizers detect real errors.
    if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
      list(APPEND dimwise_warnings -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
    endif()
  endif()
  if(DIMWISE_WERROR)
    list(APPEND dimwise_warnings -Werror)
  endif()
elseif(MSVC)
  set(dimwise_warnings /W4 /permissive- /utf-8)
  if(DIMWISE_WERROR)
    list(APPEND dimwise_warnings /WX)
  endif()
endif()

# Sanitizers and fuzzing must cover all objects, so their flags are set for the directory.
if(DIMWISE_SANITIZE)
  add_compile_options(-fsanitize=${DIMWISE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # These checks of each access and call are off, because they take half of the compile time: null pointers,
  # which crash anyway; object sizes and pointer overflow, which the address sanitizer detects; and vptr.
  # Alignment checks are off too, except in fuzzers, which read files.
  # GCC takes members of std::optional for uninitialized in code that the sanitizers add.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
  if(DIMWISE_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize=null,object-size,vptr,pointer-overflow)
    if(NOT DIMWISE_FUZZ)
      add_compile_options(-fno-sanitize=alignment)
    endif()
  endif()
  add_link_options(-fsanitize=${DIMWISE_SANITIZE})
endif()
if(DIMWISE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "DIMWISE_FUZZ needs Clang: configure with -DCMAKE_CXX_COMPILER=clang++")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# GCC only: it writes fat objects, so the installed archive links with any compiler, with or without -flto.
# Clang before 17 would leave bitcode in the archive.
set(dimwise_lto OFF)
if(DIMWISE_LTO AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(CMAKE_CXX_COMPILE_OPTIONS_IPO -flto=auto -ffat-lto-objects)
  set(dimwise_lto ON)
endif()

# dimwise_configure(TARGET): sets C++20, hidden symbols and warnings.
function(dimwise_configure target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_options(${target} PRIVATE ${dimwise_warnings})
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    INTERPROCEDURAL_OPTIMIZATION ${dimwise_lto})
  # Bounds checks of the standard library, in builds that are not measured.
  target_compile_definitions(${target} PRIVATE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
endfunction()

# dimwise_compile_quickly(TARGET): disables optimization in debug builds, which saves a third of the compile
# time. For targets that execute little code of their own: the program and the tests.
function(dimwise_compile_quickly target)
  if(NOT DIMWISE_FUZZ AND NOT MSVC)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Debug>:-O0>)
  endif()
endfunction()

# dimwise_configure_library(TARGET): also sets what a part of the library needs.
function(dimwise_configure_library target)
  dimwise_configure(${target})
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PRIVATE ${dimwise_linked_dependencies})
  foreach(dependency IN LISTS dimwise_header_dependencies)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:${dependency}>)
  endforeach()
endfunction()

# dimwise_batch(TARGET HEADERS...): compiles the files of a target in batches, each of one layer (a component
# is one batch), so that common headers are parsed once per batch. Several batches share a precompiled header
# of large external headers. The files of a layer thus share names in anonymous namespaces. tools/check_includes.sh checks that
# each file includes what it uses. Off with a compiler launcher such as ccache, which caches single files.
function(dimwise_batch target)
  if(NOT DIMWISE_BATCH OR CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # A batch includes its files, so GCC treats them as headers. GCC also inlines less in a large file, which
  # makes the program 10% slower; these limits restore the inlining of small files. Garbage collection would
  # take 10% of the compile time, and a batch needs little more memory without it.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage --param=ggc-min-heapsize=2000000
      "$<$<CONFIG:Release>:--param=inline-unit-growth=400;--param=large-unit-insns=100000;--param=large-function-growth=400>")
  endif()
  set(all_batches 0)
  get_target_property(sources ${target} SOURCES)
  string(REPLACE "dimwise_" "" component ${target})
  if(component IN_LIST components)
    set_source_files_properties(${sources} PROPERTIES UNITY_GROUP ${component})
    return()
  endif()
  foreach(layer IN LISTS layers ITEMS bench)
    set(of_layer ${sources})
    list(FILTER of_layer INCLUDE REGEX "^${PROJECT_SOURCE_DIR}/(src/)?${layer}/")
    list(LENGTH of_layer count)
    math(EXPR batches "(${count} + ${DIMWISE_BATCH_SIZE} - 1) / ${DIMWISE_BATCH_SIZE}")
    math(EXPR all_batches "${all_batches} + ${batches}")
    set(place 0)
    foreach(source IN LISTS of_layer)
      math(EXPR batch "${place} * ${batches} / ${count}")
      math(EXPR place "${place} + 1")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${layer}_${batch})
    endforeach()
  endforeach()
  get_target_property(shares_headers ${target} PRECOMPILE_HEADERS_REUSE_FROM)
  if(all_batches GREATER 2 AND NOT shares_headers)
    target_precompile_headers(${target} PRIVATE
      <algorithm> <array> <cstdint> <functional> <map> <memory> <optional> <set> <span> <string> <string_view> <utility>
      <vector> <fmt/format.h> <fmt/ranges.h> <tsl/robin_map.h> <tsl/robin_set.h> ${ARGN})
  endif()
endfunction()

# dimwise_share_headers(TARGET OTHER): uses the precompiled header of another target, if it has one. Both are
# compiled with the same options. Called before dimwise_batch.
function(dimwise_share_headers target other)
  get_target_property(precompiled ${other} PRECOMPILE_HEADERS)
  if(precompiled)
    target_precompile_headers(${target} REUSE_FROM ${other})
  endif()
endfunction()

# dimwise_layer_sources(VARIABLE LAYER): lists the sources of a layer without tests, fuzzers and benchmarks.
function(dimwise_layer_sources variable layer)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${layer}/*.cc")
  list(FILTER sources EXCLUDE REGEX "_(test|testing|fuzz|bench)\\.cc$")
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()
