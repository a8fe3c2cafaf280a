// Finds a name that is not used yet.
#ifndef DIMWISE_CORE_BASE_UNUSED_NAME_H_
#define DIMWISE_CORE_BASE_UNUSED_NAME_H_

#include <string>
#include <string_view>

#include "core/base/function_ref.h"

namespace dimwise {

// Returns the name if it is free, else the name with a number: `name_2`, `name_3`. If the numbers in use have
// no gaps, the result is the next number. The number of calls of `is_taken` is logarithmic in that number, so
// a model may use one name for all values.
std::string UnusedName(std::string_view name, FunctionRef<bool(std::string_view)> is_taken);

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_UNUSED_NAME_H_
