#include "rules/language/type_names.h"

namespace dimwise::rules {

std::optional<ElementType> TypeNamed(std::string_view name) {
  const std::optional<ElementType> type = ParseElementType(name);
  return type && ToString(*type) == name ? type : std::nullopt;
}

std::optional<ElementTypeSet> TypeSetNamed(std::string_view name) {
  if (const std::optional<ElementTypeSet> set = ParseElementTypeSet(name)) return set;
  if (const std::optional<ElementType> type = TypeNamed(name)) return ElementTypeSet(*type);
  return std::nullopt;
}

std::vector<std::string> TypeSetNames() {
  return {"any",      "numeric", "real", "float",     "int",    "signed",
          "unsigned", "complex", "bool", "quantized", "string", "handle"};
}

}  // namespace dimwise::rules
