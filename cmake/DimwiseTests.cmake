# One GoogleTest program per layer is one ctest entry, because starting a process per test case would take
# longer than the cases. `build/dev/dimwise_core_tests --gtest_filter=...` runs one case.

find_package(GTest REQUIRED)

set(testing_sources)
foreach(layer IN LISTS layers)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${layer}/*_testing.cc")
  list(APPEND testing_sources ${sources})
endforeach()
add_library(dimwise_testing INTERFACE)
if(testing_sources)
  add_library(dimwise_testing_objects STATIC ${testing_sources})
  dimwise_configure(dimwise_testing_objects)
  dimwise_compile_quickly(dimwise_testing_objects)
  target_link_libraries(dimwise_testing_objects PUBLIC dimwise_inside GTest::gtest)
  dimwise_batch(dimwise_testing_objects <gtest/gtest.h>)
  # This file replaces operator new, which GCC would inline into the rest of a batch.
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/infer/allocation_count_testing.cc" PROPERTIES
    SKIP_UNITY_BUILD_INCLUSION ON)
  target_link_libraries(dimwise_testing INTERFACE dimwise_testing_objects)
endif()
target_link_libraries(dimwise_testing INTERFACE dimwise_components dimwise_inside GTest::gtest GTest::gtest_main)

# The environment of all tests. Tests read their files relative to the root of the sources.
set(test_environment
  "ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1"
  "UBSAN_OPTIONS=print_stacktrace=1"
  "TSAN_OPTIONS=halt_on_error=1")
if(DIMWISE_ALL_TESTS)
  list(APPEND test_environment "DIMWISE_PROGRAM=$<TARGET_FILE:dimwise_program>")
endif()

# dimwise_add_test_program(NAME SOURCES... [LABEL label])
function(dimwise_add_test_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL" "")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  dimwise_configure(${name})
  target_link_libraries(${name} PRIVATE dimwise_testing)
  target_compile_definitions(${name} PRIVATE DIMWISE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1 WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${test_environment}" LABELS "${arg_LABEL}" TIMEOUT 900)
  # The core and graph tests execute much code of their own: thousands of random expressions and graphs.
  if(NOT name MATCHES "^dimwise_(core|graph)_tests$")
    dimwise_compile_quickly(${name})
    dimwise_share_headers(${name} dimwise_testing_objects)
  endif()
  if(arg_LABEL)
    add_dependencies(dimwise_${arg_LABEL}_tests ${name})
  else()
    dimwise_batch(${name} <gtest/gtest.h>)
  endif()
endfunction()

# All test programs of a label.
add_custom_target(dimwise_threads_tests)
add_custom_target(dimwise_large_tests)

foreach(layer IN LISTS layers)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${layer}/*_test.cc")
  foreach(label threads large)
    set(labelled ${sources})
    list(FILTER labelled INCLUDE REGEX "_${label}_test\\.cc$")
    list(FILTER sources EXCLUDE REGEX "_${label}_test\\.cc$")
    if(labelled AND (DIMWISE_ALL_TESTS OR label STREQUAL "threads"))
      dimwise_add_test_program(dimwise_${layer}_${label}_tests ${labelled} LABEL ${label})
    endif()
  endforeach()
  if(sources AND DIMWISE_ALL_TESTS)
    dimwise_add_test_program(dimwise_${layer}_tests ${sources})
  endif()
endforeach()
if(NOT DIMWISE_ALL_TESTS)
  return()
endif()
# Sanitizers do not run the large tests.
if(DIMWISE_SANITIZE)
  get_target_property(large_tests dimwise_large_tests MANUALLY_ADDED_DEPENDENCIES)
  set_target_properties(${large_tests} PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
file(GLOB baseline_tests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/functions/*_test.cc")
dimwise_add_test_program(dimwise_baseline_tests ${baseline_tests})
target_link_libraries(dimwise_baseline_tests PRIVATE dimwise_baseline)

foreach(name dimwise_cli_tests dimwise_cli_threads_tests dimwise_cli_large_tests)
  if(TARGET ${name})
    target_link_libraries(${name} PRIVATE dimwise_cli)
    add_dependencies(${name} dimwise_program)
  endif()
endforeach()

# Checks of the sources.
add_test(NAME layers COMMAND sh tools/check_layers.sh WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
add_test(NAME layers_can_fail COMMAND sh tools/check_layers_test.sh WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
add_test(NAME includes COMMAND sh tools/check_includes.sh WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
add_test(NAME header_examples COMMAND sh tools/check_header_examples.sh WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
add_test(NAME header_examples_can_fail COMMAND sh tools/check_header_examples_test.sh
         WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
add_test(NAME includes_can_fail COMMAND sh tools/check_includes_test.sh WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
add_test(NAME docs_names COMMAND sh tools/check_docs_names.sh WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
add_test(NAME docs_names_can_fail COMMAND sh tools/check_docs_names_test.sh WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")

# The commands in the README and in the pages on CI, sizes and run time must print what these pages show.
add_test(NAME readme COMMAND sh tools/check_readme.sh $<TARGET_FILE:dimwise_program>
         WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
add_test(NAME ci_page COMMAND sh tools/check_readme.sh $<TARGET_FILE:dimwise_program> docs/ci.md
         WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
add_test(NAME runtime_page COMMAND sh tools/check_readme.sh $<TARGET_FILE:dimwise_program> docs/runtime.md
         WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")

add_test(NAME graph_page COMMAND sh tools/check_readme.sh $<TARGET_FILE:dimwise_program> docs/graph.md
         WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
add_test(NAME tasks_page COMMAND sh tools/check_readme.sh $<TARGET_FILE:dimwise_program> docs/tasks.md
         WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
add_test(NAME json_page COMMAND sh tools/check_readme.sh $<TARGET_FILE:dimwise_program> docs/json.md
         WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
add_test(NAME sizes_page COMMAND sh tools/check_readme.sh $<TARGET_FILE:dimwise_program> docs/sizes.md
         WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")

# The commands of docs/rules.md too; its rules must load and pass their examples.
add_test(NAME rules_doc_commands COMMAND sh tools/check_readme.sh $<TARGET_FILE:dimwise_program> docs/rules.md
         WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
set(cases_of_doc 200)
if(DIMWISE_SANITIZE)
  set(cases_of_doc 20)  # as in core/base/rounds_testing.h
endif()
add_test(NAME rules_doc
         COMMAND sh tools/check_rules_doc.sh $<TARGET_FILE:dimwise_program> docs/rules.md ${cases_of_doc}
         WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")

add_test(NAME rule_lines COMMAND sh tools/check_rule_lines.sh WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")

# Runs generalized models with onnxruntime at other sizes. For random programs and the models in
# DIMWISE_ONNX_MODELS it also compares the sizes of shape programs with real runs. DIMWISE_PYTHON is a python3
# with onnxruntime; without it these tests are skipped.
find_program(DIMWISE_PYTHON NAMES python3)
set(DIMWISE_ONNX_MODELS "" CACHE PATH "a folder with ONNX models whose runs are compared with their shape programs")
if(DIMWISE_PYTHON)
  add_test(NAME compare_versions_can_fail
    COMMAND sh tools/compare_versions_test.sh $<TARGET_FILE:dimwise_program> ${DIMWISE_PYTHON}
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  add_test(NAME generalize_runs
    COMMAND ${DIMWISE_PYTHON} tools/check_generalize.py $<TARGET_FILE:dimwise_program>
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(generalize_runs PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
  add_test(NAME external_data
    COMMAND ${DIMWISE_PYTHON} tools/check_external_data.py $<TARGET_FILE:dimwise_program>
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(external_data PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
  set(random_models "${PROJECT_BINARY_DIR}/random_models")
  add_test(NAME random_models COMMAND ${DIMWISE_PYTHON} tools/random_models.py "${random_models}" --seeds 0 40
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  add_test(NAME random_models_run
    COMMAND ${DIMWISE_PYTHON} tools/compare_onnxruntime.py $<TARGET_FILE:dimwise_program> "${random_models}" --numbers
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(random_models PROPERTIES FIXTURES_SETUP random_models SKIP_RETURN_CODE 77 TIMEOUT 300)
  set_tests_properties(random_models_run PROPERTIES FIXTURES_REQUIRED random_models SKIP_RETURN_CODE 77 TIMEOUT 600)
  # The JSON of all commands must match the schemas in docs/schema/.
  add_test(NAME json_schemas COMMAND ${DIMWISE_PYTHON} tools/check_schemas.py $<TARGET_FILE:dimwise_program>
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(json_schemas PROPERTIES SKIP_RETURN_CODE 77)
  # The example models must equal the output of their script.
  add_test(NAME example_models COMMAND ${DIMWISE_PYTHON} examples/models/write_onnx.py --check
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  if(DIMWISE_ONNX_MODELS)
    add_test(NAME program_runs
      COMMAND ${DIMWISE_PYTHON} tools/compare_onnxruntime.py $<TARGET_FILE:dimwise_program> "${DIMWISE_ONNX_MODELS}"
      WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set_tests_properties(program_runs PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 1800)
  endif()
endif()

# Builds against an installed copy found by find_package. Off under sanitizers, because a user of the package
# would have to repeat their flags.
if(DIMWISE_INSTALL AND NOT DIMWISE_SANITIZE)
  add_test(NAME embed
    COMMAND ${CMAKE_COMMAND}
      -D build=${PROJECT_BINARY_DIR} -D config=$<CONFIG> -D source=${PROJECT_SOURCE_DIR}
      -D compiler=${CMAKE_CXX_COMPILER} -D generator=${CMAKE_GENERATOR} -D version=${PROJECT_VERSION}
      -P ${PROJECT_SOURCE_DIR}/cmake/EmbedTest.cmake)
  add_test(NAME embed_shared
    COMMAND ${CMAKE_COMMAND}
      -D build=${PROJECT_BINARY_DIR}/shared -D config=$<CONFIG> -D source=${PROJECT_SOURCE_DIR} -D shared=ON
      -D compiler=${CMAKE_CXX_COMPILER} -D generator=${CMAKE_GENERATOR} -D version=${PROJECT_VERSION}
      -P ${PROJECT_SOURCE_DIR}/cmake/EmbedTest.cmake)
  set_tests_properties(embed_shared PROPERTIES LABELS large TIMEOUT 1800)
endif()
