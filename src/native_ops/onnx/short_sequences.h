// Short sequences, element by element.
//
// The rules of sequences (ops/onnx/sequence.shape) know one type for all elements. Where it is known which
// tensors a short sequence is made of, each element keeps its own: [N] and [M] put together and joined again
// are [N + M], and the first part of a split is as large as was asked.
#ifndef DIMWISE_NATIVE_OPS_ONNX_SHORT_SEQUENCES_H_
#define DIMWISE_NATIVE_OPS_ONNX_SHORT_SEQUENCES_H_

#include <string_view>

#include "dimwise/op_registry.h"

namespace dimwise {

// The function of an operator of ONNX by its rule, and by its elements where it is one of sequences.
ShapeFn WithShortSequences(std::string_view op, ShapeFn rule);

}  // namespace dimwise

#endif  // DIMWISE_NATIVE_OPS_ONNX_SHORT_SEQUENCES_H_
