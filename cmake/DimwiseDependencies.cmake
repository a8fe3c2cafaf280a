# The dependencies of the library; docs/dependencies.md gives the reason for each. No public header includes
# them. The dependencies of the program, the tests and the benchmarks are found where they are used.

find_package(fmt REQUIRED)
find_package(tsl-robin-map REQUIRED)

# Dependencies that an installed static library links (repeated in dimwiseConfig.cmake.in), and header-only
# ones.
set(dimwise_linked_dependencies fmt::fmt)
set(dimwise_header_dependencies tsl::robin_map)
set(dimwise_private_dependencies ${dimwise_linked_dependencies} ${dimwise_header_dependencies})
