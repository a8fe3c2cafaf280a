// The names of element types and of their classes in rules.
#ifndef DIMWISE_RULES_LANGUAGE_TYPE_NAMES_H_
#define DIMWISE_RULES_LANGUAGE_TYPE_NAMES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/element_type.h"

namespace dimwise::rules {

// Returns the type with a name such as `f32` or `i64`. Other spellings are not accepted, so they can be used
// as names.
std::optional<ElementType> TypeNamed(std::string_view name);
// Returns a class (`float`, `int`, `numeric`, ...) or a single type.
std::optional<ElementTypeSet> TypeSetNamed(std::string_view name);
std::vector<std::string> TypeSetNames();

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_LANGUAGE_TYPE_NAMES_H_
