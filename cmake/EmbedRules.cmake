# Script: writes ${OUTPUT}, a C++ source with the texts of ${ROOT}/<set>/*.shape (see
# src/ops/builtin_rules.h).
file(GLOB files RELATIVE "${ROOT}" "${ROOT}/*/*.shape")
list(SORT files)
set(preludes ${files})
list(FILTER preludes INCLUDE REGEX "/prelude\\.shape$")
list(FILTER files EXCLUDE REGEX "/prelude\\.shape$")
set(entries "")
foreach(file IN LISTS preludes files)
  file(READ "${ROOT}/${file}" text)
  string(APPEND entries "    {\"${file}\", R\"rules(${text})rules\"},\n")
endforeach()
file(WRITE "${OUTPUT}.new" "// Written by cmake/EmbedRules.cmake.
#include \"ops/builtin_rules.h\"

namespace dimwise {

std::span<const RuleText> BuiltinRuleTexts() {
  static constexpr RuleText kTexts[] = {
${entries}  };
  return kTexts;
}

}  // namespace dimwise
")
file(COPY_FILE "${OUTPUT}.new" "${OUTPUT}" ONLY_IF_DIFFERENT)
file(REMOVE "${OUTPUT}.new")
