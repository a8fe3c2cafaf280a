// The limit on tensors of a node. It prevents a wrong count from exhausting memory.
#ifndef DIMWISE_INFER_CONTEXT_TENSOR_LIMIT_H_
#define DIMWISE_INFER_CONTEXT_TENSOR_LIMIT_H_

#include <cstdint>

namespace dimwise {

// A larger count is an error of the caller.
inline constexpr int64_t kMaxTensors = 1 << 20;

}  // namespace dimwise

#endif  // DIMWISE_INFER_CONTEXT_TENSOR_LIMIT_H_
