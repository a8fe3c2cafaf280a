# What the library is built with; docs/dependencies.md says why each. None shows in a public header. Those of
# the program, the tests and the benchmarks are found where they are used.

find_package(fmt REQUIRED)
find_package(simdjson REQUIRED)
find_package(tsl-robin-map REQUIRED)

# xxHash: Debian's package has no CMake config. Inlined, so that hashing a key of known size is a few
# instructions and nothing is left to link.
find_path(DIMWISE_XXHASH_INCLUDE xxhash.h REQUIRED)
add_library(dimwise_xxhash INTERFACE)
target_include_directories(dimwise_xxhash SYSTEM INTERFACE "${DIMWISE_XXHASH_INCLUDE}")
target_compile_definitions(dimwise_xxhash INTERFACE XXH_INLINE_ALL)

# Those that an installed static library still links (repeated in dimwiseConfig.cmake.in), and those that
# leave nothing behind once it is compiled.
set(dimwise_linked_dependencies fmt::fmt simdjson::simdjson)
set(dimwise_header_dependencies tsl::robin_map dimwise_xxhash)
set(dimwise_private_dependencies ${dimwise_linked_dependencies} ${dimwise_header_dependencies})
