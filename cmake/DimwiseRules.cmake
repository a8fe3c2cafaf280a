# Embeds every src/ops/<set>/*.shape into the library as text in one generated source. The prelude of a set
# comes first, because the other files use its functions.
file(GLOB rule_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/ops/*/*.shape")
set(rules_source "${PROJECT_BINARY_DIR}/generated/builtin_rules.cc")
add_custom_command(
  OUTPUT "${rules_source}"
  COMMAND "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}/src/ops" "-DOUTPUT=${rules_source}"
          -P "${PROJECT_SOURCE_DIR}/cmake/EmbedRules.cmake"
  DEPENDS ${rule_files} "${PROJECT_SOURCE_DIR}/cmake/EmbedRules.cmake"
  COMMENT "Embedding the rules"
  VERBATIM)
