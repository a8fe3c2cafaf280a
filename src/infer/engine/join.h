// One of two things is true: what both share, for the results of branches and loops.
#ifndef DIMWISE_INFER_ENGINE_JOIN_H_
#define DIMWISE_INFER_ENGINE_JOIN_H_

#include "dimwise/inference_context.h"

namespace dimwise {

Type JoinTypes(InferenceContext* context, const Type& a, const Type& b);
// Contents of tensors with the same sizes: equal elements stay, others become unknowns within the bounds of
// both.
Value JoinContents(InferenceContext* context, Value a, Value b);

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_JOIN_H_
