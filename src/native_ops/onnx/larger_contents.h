// Masks that are larger than what inference follows.
//
// Which pairs of features a model multiplies is written as the places of a triangle of ones: Trilu, then
// NonZero. How many there are is the size of a result, so these two look at more elements than others. Of
// a constant NonZero counts many more.
#ifndef DIMWISE_NATIVE_OPS_ONNX_LARGER_CONTENTS_H_
#define DIMWISE_NATIVE_OPS_ONNX_LARGER_CONTENTS_H_

#include <string_view>

#include "dimwise/op_registry.h"

namespace dimwise {

// The function of an operator of ONNX by its rule, with a higher limit where it is one of these.
ShapeFn WithLargerContents(std::string_view op, ShapeFn rule);

}  // namespace dimwise

#endif  // DIMWISE_NATIVE_OPS_ONNX_LARGER_CONTENTS_H_
