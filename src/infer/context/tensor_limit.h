#ifndef DIMWISE_INFER_CONTEXT_TENSOR_LIMIT_H_
#define DIMWISE_INFER_CONTEXT_TENSOR_LIMIT_H_

#include <cstdint>

namespace dimwise {

// More tensors than this at one node are a mistake of whoever counted them.
inline constexpr int64_t kMaxTensors = 1 << 20;

}  // namespace dimwise

#endif  // DIMWISE_INFER_CONTEXT_TENSOR_LIMIT_H_
