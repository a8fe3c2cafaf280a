// Element types and their classes by the names that rules use.
#ifndef DIMWISE_RULES_LANGUAGE_TYPE_NAMES_H_
#define DIMWISE_RULES_LANGUAGE_TYPE_NAMES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/element_type.h"

namespace dimwise::rules {

// `f32`, `i64`: Dimwise's own spelling only, so that names stay free.
std::optional<ElementType> TypeNamed(std::string_view name);
// A class (`float`, `int`, `numeric`, ...) or a single type.
std::optional<ElementTypeSet> TypeSetNamed(std::string_view name);
std::vector<std::string> TypeSetNames();

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_LANGUAGE_TYPE_NAMES_H_
