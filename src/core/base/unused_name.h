// A name that is not taken yet.
#ifndef DIMWISE_CORE_BASE_UNUSED_NAME_H_
#define DIMWISE_CORE_BASE_UNUSED_NAME_H_

#include <string>
#include <string_view>

#include "core/base/function_ref.h"

namespace dimwise {

// The name where it is free, else with a number behind it: `name_2`, `name_3`. Where the numbers taken so far
// have no gaps it is the next one. It asks as often as that number has digits, not for each that is taken, so
// that a model may call all of its values the same.
std::string UnusedName(std::string_view name, FunctionRef<bool(std::string_view)> is_taken);

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_UNUSED_NAME_H_
