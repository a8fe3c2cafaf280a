// Whether an expression is >= 0 in every run by what its symbols are, without any fact.
#ifndef DIMWISE_INFER_CONTEXT_CERTAIN_SIZE_H_
#define DIMWISE_INFER_CONTEXT_CERTAIN_SIZE_H_

#include "dimwise/dim.h"

namespace dimwise {

// Answers from the form of the expression where that is enough, which is nearly always and cheap; else from
// bounds.
bool IsCertainlySize(DimTable& dims, Dim d);

}  // namespace dimwise

#endif  // DIMWISE_INFER_CONTEXT_CERTAIN_SIZE_H_
