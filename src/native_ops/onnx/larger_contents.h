// Masks with more elements than the contents that inference usually stores.
//
// Exporters select pairs of features with Trilu and NonZero of a matrix of ones. The number of nonzero
// elements is a size of the result. So these two operators have a higher limit. For a constant, NonZero reads
// even more elements.
#ifndef DIMWISE_NATIVE_OPS_ONNX_LARGER_CONTENTS_H_
#define DIMWISE_NATIVE_OPS_ONNX_LARGER_CONTENTS_H_

#include <string_view>

#include "dimwise/op_registry.h"

namespace dimwise {

// Returns `rule`, with a higher limit on contents if the ONNX operator `op` is Trilu or NonZero.
ShapeFn WithLargerContents(std::string_view op, ShapeFn rule);

}  // namespace dimwise

#endif  // DIMWISE_NATIVE_OPS_ONNX_LARGER_CONTENTS_H_
