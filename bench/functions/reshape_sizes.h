// Computes the result of Reshape from a list of sizes.
//
// An element of the list is a size, -1 for the rest, or 0 for the size of the same axis of the data (unless
// zeros denote zero). An unknown element may be any of these. A symbol N in the list means:
// - N >= 1: the size is N.
// - N >= 0: the size is N if N is not 0, or if that axis of the data is empty too. If this is unknown, it
//   becomes a guard.
// - N may be negative: the size is open. A single open size is computed from the others, whether the list
//   contains it or -1.
#ifndef DIMWISE_BENCH_FUNCTIONS_RESHAPE_SIZES_H_
#define DIMWISE_BENCH_FUNCTIONS_RESHAPE_SIZES_H_

#include "bench/functions/contents.h"

namespace dimwise {

// REQUIRES: sizes.known.
Result<Shape> ReshapeBySizes(InferenceContext* c, Shape data, const IntegerList& sizes, bool allow_zero);
// Handles an unknown list. Operand 1 may still have a known length, or known contents as a shape.
Result<Shape> ReshapeByUnknownSizes(InferenceContext* c, Shape data, bool allow_zero);

}  // namespace dimwise

#endif  // DIMWISE_BENCH_FUNCTIONS_RESHAPE_SIZES_H_
