# Installs the program, the library, the public headers, and a package for find_package(dimwise).
include(CMakePackageConfigHelpers)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/dimwise")

install(TARGETS dimwise EXPORT dimwiseTargets)
if(DIMWISE_PROGRAM)
  install(TARGETS dimwise_program)
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/dimwise" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.h")
install(EXPORT dimwiseTargets NAMESPACE dimwise:: DESTINATION "${package_folder}")

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/dimwiseConfig.cmake.in" dimwiseConfig.cmake
                              INSTALL_DESTINATION "${package_folder}")
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(dimwiseConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/dimwiseConfig.cmake"
              "${CMAKE_CURRENT_BINARY_DIR}/dimwiseConfigVersion.cmake"
        DESTINATION "${package_folder}")
install(FILES LICENSE CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
