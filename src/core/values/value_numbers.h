// The numbers of contents, for who keeps them apart from an analysis.
#ifndef DIMWISE_CORE_VALUES_VALUE_NUMBERS_H_
#define DIMWISE_CORE_VALUES_VALUE_NUMBERS_H_

#include "dimwise/attr_value.h"
#include "dimwise/value.h"

namespace dimwise {

// All elements; std::monostate where one is no number before the program runs, which is then *culprit.
// REQUIRES: the value is not none.
TensorValue::Contents NumbersOf(Value value, int64_t* culprit = nullptr);

}  // namespace dimwise

#endif  // DIMWISE_CORE_VALUES_VALUE_NUMBERS_H_
