# What the library is built with; docs/dependencies.md says why each. None shows in a public header. Those of
# the program, the tests and the benchmarks are found where they are used.

find_package(fmt REQUIRED)
find_package(tsl-robin-map REQUIRED)

# Those that an installed static library still links (repeated in dimwiseConfig.cmake.in), and those that
# leave nothing behind once it is compiled.
set(dimwise_linked_dependencies fmt::fmt)
set(dimwise_header_dependencies tsl::robin_map)
set(dimwise_private_dependencies ${dimwise_linked_dependencies} ${dimwise_header_dependencies})
