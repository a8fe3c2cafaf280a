// Between which numbers all elements of a tensor of integers or booleans lie, as the operators show that made
// it: an index that ArgMax found, a sum of comparisons, lengths that were clipped. That is known also of
// tensors of which no contents are.
#ifndef DIMWISE_INFER_ENGINE_ELEMENT_RANGE_H_
#define DIMWISE_INFER_ENGINE_ELEMENT_RANGE_H_

#include "infer/engine/engine.h"

namespace dimwise {

// Either end is none where nothing is known of it but what the element type says.
struct ElementRange {
  Dim low, high;
};

ElementRange RangeOfElements(const Engine& engine, ValueId value);

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_ELEMENT_RANGE_H_
