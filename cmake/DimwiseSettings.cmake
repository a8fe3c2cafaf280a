# How our own code is compiled. Everything here is private to our targets: who links dimwise::dimwise gets the
# headers and C++20, and no flag.

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
    # GCC 12 and 13 see mistakes inside std::string where there are none: which of them depends on how much is
    # optimized and on whether headers are parsed ahead. Sanitizers look for the real ones.
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

# Sanitizers and fuzzing concern every object, so they are set for the folder.
if(DIMWISE_SANITIZE)
  add_compile_options(-fsanitize=${DIMWISE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # Left out are checks at every access and call: for a null pointer, which ends a run by itself, for the size of an
  # object and for a pointer that leaves it, which the address sanitizer sees, and for the class of one. They take half
  # of the time to compile. So do those for addresses that are not aligned, which the fuzzers keep: they read files.
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

# With GCC only: it makes fat objects, so that the archive that we install links with any compiler, with or
# without -flto. Clang before 17 would leave bitcode in it.
set(dimwise_lto OFF)
if(DIMWISE_LTO AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(CMAKE_CXX_COMPILE_OPTIONS_IPO -flto=auto -ffat-lto-objects)
  set(dimwise_lto ON)
endif()

# dimwise_configure(TARGET): C++20, hidden symbols, warnings.
function(dimwise_configure target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_options(${target} PRIVATE ${dimwise_warnings})
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    INTERPROCEDURAL_OPTIMIZATION ${dimwise_lto})
  # The bounds checks of the standard library cost little where speed is not measured.
  target_compile_definitions(${target} PRIVATE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
endfunction()

# dimwise_compile_quickly(TARGET): not optimized under sanitizers, where that is half of what it takes to compile. For
# what is around the library, the program and the tests, which run little code of their own.
function(dimwise_compile_quickly target)
  if(DIMWISE_SANITIZE AND NOT DIMWISE_FUZZ)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

# dimwise_configure_library(TARGET): the same, and what a part of the library needs.
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

# dimwise_batch(TARGET HEADERS...): the files of the target are compiled in batches, each of one layer, so that what
# they include is parsed once for a batch; where there are several, large headers of others are parsed once for all.
# So the files of a layer share their names, those of anonymous namespaces too; that a file includes what it names is
# for tools/check_includes.sh to see. Not where a launcher such as ccache is asked for, which remembers files one by one.
function(dimwise_batch target)
  if(NOT DIMWISE_BATCH OR CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # A batch includes its files, which GCC then takes for headers that several files share. Of a large file it puts less
  # inline than of the small ones, and the program would be a tenth slower: the limits are those of many files. It would
  # also spend a tenth of its time on looking for memory to use again, of which a batch needs little more without.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage --param=ggc-min-heapsize=2000000
      "$<$<CONFIG:Release>:--param=inline-unit-growth=400;--param=large-unit-insns=100000;--param=large-function-growth=400>")
  endif()
  set(most 24)  # files in a batch: fewer take longer in all, more leave a core without work
  set(all_batches 0)
  get_target_property(sources ${target} SOURCES)
  foreach(layer IN LISTS layers ITEMS bench)
    set(of_layer ${sources})
    list(FILTER of_layer INCLUDE REGEX "^${PROJECT_SOURCE_DIR}/(src/)?${layer}/")
    list(LENGTH of_layer count)
    math(EXPR batches "(${count} + ${most} - 1) / ${most}")
    math(EXPR all_batches "${all_batches} + ${batches}")
    set(place 0)
    foreach(source IN LISTS of_layer)
      math(EXPR batch "${place} * ${batches} / ${count}")
      math(EXPR place "${place} + 1")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${layer}_${batch})
    endforeach()
  endforeach()
  if(all_batches GREATER 2)
    target_precompile_headers(${target} PRIVATE
      <algorithm> <array> <cstdint> <functional> <map> <memory> <optional> <set> <span> <string> <string_view> <utility>
      <vector> <fmt/format.h> <fmt/ranges.h> <tsl/robin_map.h> <tsl/robin_set.h> ${ARGN})
  endif()
endfunction()

# dimwise_layer_sources(VARIABLE LAYER): the sources of a layer that are no test, fuzzer or benchmark.
function(dimwise_layer_sources variable layer)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${layer}/*.cc")
  list(FILTER sources EXCLUDE REGEX "_(test|testing|fuzz|bench)\\.cc$")
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()
