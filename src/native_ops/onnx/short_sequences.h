// Sequences of few elements with a type for each element.
//
// The rules of sequences (ops/onnx/sequence.shape) infer one type for all elements. If the elements of a
// short sequence are known separately, each keeps its type. For example, joining [N] and [M] gives [N + M],
// and the first part of a split has the requested size.
#ifndef DIMWISE_NATIVE_OPS_ONNX_SHORT_SEQUENCES_H_
#define DIMWISE_NATIVE_OPS_ONNX_SHORT_SEQUENCES_H_

#include <string_view>

#include "dimwise/op_registry.h"

namespace dimwise {

// Returns `rule`, refined by the types of the elements if the ONNX operator `op` is one of sequences.
ShapeFn WithShortSequences(std::string_view op, ShapeFn rule);

}  // namespace dimwise

#endif  // DIMWISE_NATIVE_OPS_ONNX_SHORT_SEQUENCES_H_
