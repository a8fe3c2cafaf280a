# Installs the program, the library, the public headers, packages for find_package(dimwise) and pkg-config, the
# manual page, completions, JSON Schemas and the documentation.
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

# A prefix relative to the .pc file, so that an installed copy can be moved.
set(pkg_config_folder "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
set(pkg_config_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
set(pkg_config_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(pkg_config_prefix "${CMAKE_INSTALL_PREFIX}")
  set(pkg_config_libdir "${CMAKE_INSTALL_FULL_LIBDIR}")
  set(pkg_config_includedir "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
else()
  file(RELATIVE_PATH to_prefix "/${pkg_config_folder}" "/")
  string(REGEX REPLACE "/$" "" to_prefix "${to_prefix}")
  set(pkg_config_prefix "\${pcfiledir}/${to_prefix}")
endif()
set(pkg_config_requires fmt)  # of a static library; a shared library already links it
set(pkg_config_flags)
if(DIMWISE_SHARED)
  set(pkg_config_requires)
  set(pkg_config_flags " -DDIMWISE_SHARED")
endif()
configure_file("${PROJECT_SOURCE_DIR}/cmake/dimwise.pc.in" dimwise.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/dimwise.pc" DESTINATION "${pkg_config_folder}")

# The program prints its manual page and completions.
if(DIMWISE_PROGRAM AND NOT CMAKE_CROSSCOMPILING)
  set(pages_folder "${CMAKE_CURRENT_BINARY_DIR}/pages")
  set(pages dimwise.1 dimwise.bash dimwise.zsh dimwise.fish)
  list(TRANSFORM pages PREPEND "${pages_folder}/")
  add_custom_command(
    OUTPUT ${pages}
    COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:dimwise_program>" "-DFOLDER=${pages_folder}"
            -P "${PROJECT_SOURCE_DIR}/cmake/WritePages.cmake"
    DEPENDS dimwise_program "${PROJECT_SOURCE_DIR}/cmake/WritePages.cmake"
    COMMENT "Writing the manual page and completions"
    VERBATIM)
  add_custom_target(dimwise_pages ALL DEPENDS ${pages})
  install(FILES "${pages_folder}/dimwise.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
  install(FILES "${pages_folder}/dimwise.bash" RENAME dimwise
          DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install(FILES "${pages_folder}/dimwise.zsh" RENAME _dimwise
          DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
  install(FILES "${pages_folder}/dimwise.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
endif()

install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/schema" DESTINATION "${CMAKE_INSTALL_DATADIR}/dimwise")
install(FILES README.md LICENSE CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
