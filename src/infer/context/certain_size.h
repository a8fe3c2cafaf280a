// Decides whether an expression is >= 0 in every run, from the bounds of its symbols and without facts.
#ifndef DIMWISE_INFER_CONTEXT_CERTAIN_SIZE_H_
#define DIMWISE_INFER_CONTEXT_CERTAIN_SIZE_H_

#include "dimwise/dim.h"

namespace dimwise {

// Returns whether d is certainly >= 0. The form of the expression is usually sufficient, which is cheap;
// otherwise its bounds are computed.
bool IsCertainlySize(DimTable& dims, Dim d);

}  // namespace dimwise

#endif  // DIMWISE_INFER_CONTEXT_CERTAIN_SIZE_H_
