# Installs a build to a prefix, builds examples/embed against it, and runs the result. With shared=ON it first
# builds a shared library. Called by ctest; see DimwiseTests.cmake.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "exit ${code} of: ${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

if(shared)
  run(${CMAKE_COMMAND} -S ${source} -B ${build} -G ${generator} -D CMAKE_CXX_COMPILER=${compiler}
      -D CMAKE_BUILD_TYPE=${config} -D DIMWISE_SHARED=ON -D DIMWISE_TESTS=OFF)
  run(${CMAKE_COMMAND} --build ${build} --config ${config})
endif()

set(work ${build}/embed_test)
file(REMOVE_RECURSE ${work})
run(${CMAKE_COMMAND} --install ${build} --config ${config} --prefix ${work}/prefix)
run(${work}/prefix/bin/dimwise --version)
if(NOT output MATCHES "${version}")
  message(FATAL_ERROR "the installed program should print version ${version}, but printed: ${output}")
endif()

run(${CMAKE_COMMAND} -S ${source}/examples/embed -B ${work}/build -G ${generator}
    -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${work}/prefix)
run(${CMAKE_COMMAND} --build ${work}/build)
run(${work}/build/embed)
if(NOT output MATCHES "Dimwise ${version}")
  message(FATAL_ERROR "examples/embed should begin with \"Dimwise ${version}\", and printed: ${output}")
endif()
message("${output}")
run(${work}/build/shapes)
foreach(expected "y: f32[N, 3]" "check: K == 4" "y[1] is 3" "int pair_stage_0(int64_t *t)")
  string(FIND "${output}" "${expected}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "examples/embed/shapes should print \"${expected}\", but printed: ${output}")
  endif()
endforeach()

# A program that only infers does not link the components (see CMakeLists.txt).
foreach(name embed shapes)
  file(STRINGS ${work}/build/${name} found REGEX "dimwise(9DriveRule|8RuleMlir|10Generalize|9MakePatch)E")
  if(found)
    message(FATAL_ERROR "examples/embed/${name} should not link components, but contains: ${found}")
  endif()
endforeach()
