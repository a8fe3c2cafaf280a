// Arithmetic on sizes by what each symbol is, without facts: what is decided here stays true when facts go.
#ifndef DIMWISE_INFER_FUNCTIONS_SIZES_H_
#define DIMWISE_INFER_FUNCTIONS_SIZES_H_

#include "dimwise/inference_context.h"

namespace dimwise {

// a >= b in every run.
bool CertainlyAtLeast(DimTable& dims, Dim a, Dim b);
// The smaller and the larger one, decided where that is certain.
Dim Smaller(DimTable& dims, Dim a, Dim b);
Dim Larger(DimTable& dims, Dim a, Dim b);
// max(a, 0).
inline Dim AtLeastZero(DimTable& dims, Dim a) { return Larger(dims, a, 0); }
// The product of the sizes.
Dim Product(DimTable& dims, std::span<const Dim> sizes);

// An unknown size of at most `max`, by what the operator does.
Dim UnknownUpTo(InferenceContext* c, Dim max);

}  // namespace dimwise

#endif  // DIMWISE_INFER_FUNCTIONS_SIZES_H_
