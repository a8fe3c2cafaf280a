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

# Embeds the MLIR functions that exported rules call.
set(mlir_functions "${PROJECT_SOURCE_DIR}/src/report/mlir/functions.mlir")
set(mlir_functions_source "${PROJECT_BINARY_DIR}/generated/mlir_functions.cc")
add_custom_command(
  OUTPUT "${mlir_functions_source}"
  COMMAND "${CMAKE_COMMAND}" "-DINPUT=${mlir_functions}" "-DOUTPUT=${mlir_functions_source}"
          "-DHEADER=report/mlir/rule_mlir_functions.h" "-DFUNCTION=MlirFunctionsFile"
          -P "${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake"
  DEPENDS "${mlir_functions}" "${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake"
  COMMENT "Embedding MLIR functions"
  VERBATIM)
