// The shape that Reshape makes out of a list of sizes.
//
// An element of the list is a size, -1 for what the others leave, or 0 for the size of the same axis of the
// data (unless zeros are allowed to mean zero). One that is not known may be any of these. So with a symbol N
// in the list:
//  - N >= 1: the size is N.
//  - N >= 0: the size is N if N is not 0 or that axis of the data is empty too, which is a check where it is
//  not clear.
//  - N may be negative: the size is open. If only one is open, it is what the others leave, whether the list
//  says so
//    or says -1.
#ifndef DIMWISE_BENCH_FUNCTIONS_RESHAPE_SIZES_H_
#define DIMWISE_BENCH_FUNCTIONS_RESHAPE_SIZES_H_

#include "bench/functions/contents.h"

namespace dimwise {

// REQUIRES: sizes.known.
Result<Shape> ReshapeBySizes(InferenceContext* c, Shape data, const IntegerList& sizes, bool allow_zero);
// Where not even the list is known: operand 1 may still have a length, or be known as a shape.
Result<Shape> ReshapeByUnknownSizes(InferenceContext* c, Shape data, bool allow_zero);

}  // namespace dimwise

#endif  // DIMWISE_BENCH_FUNCTIONS_RESHAPE_SIZES_H_
