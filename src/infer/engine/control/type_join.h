// The join (relax) of two types or contents: the most precise description that covers both. Results of
// branches and states of loops are joins.
#ifndef DIMWISE_INFER_ENGINE_CONTROL_TYPE_JOIN_H_
#define DIMWISE_INFER_ENGINE_CONTROL_TYPE_JOIN_H_

#include "dimwise/inference_context.h"

namespace dimwise {

// Returns the join of two types; an unknown type if their kinds differ.
Type JoinTypes(InferenceContext* context, const Type& a, const Type& b);
// Returns the join of the contents of tensors: equal elements stay, and other integers become unknowns within
// the bounds of both. Returns none if the sizes or element types differ, or elements are unknown.
Value JoinContents(InferenceContext* context, Value a, Value b);

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_CONTROL_TYPE_JOIN_H_
