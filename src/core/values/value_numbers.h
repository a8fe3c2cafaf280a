// Copies contents as plain numbers that are independent of an analysis.
#ifndef DIMWISE_CORE_VALUES_VALUE_NUMBERS_H_
#define DIMWISE_CORE_VALUES_VALUE_NUMBERS_H_

#include "dimwise/attr_value.h"
#include "dimwise/value.h"

namespace dimwise {

// Returns all elements. If an element is symbolic or unknown, returns std::monostate and stores its index in
// *culprit. REQUIRES: the value is not none.
TensorValue::Contents NumbersOf(Value value, int64_t* culprit = nullptr);

}  // namespace dimwise

#endif  // DIMWISE_CORE_VALUES_VALUE_NUMBERS_H_
