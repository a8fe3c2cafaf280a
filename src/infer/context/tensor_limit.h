// How many tensors a node may have, so that a count that was read wrongly does not fill the memory.
#ifndef DIMWISE_INFER_CONTEXT_TENSOR_LIMIT_H_
#define DIMWISE_INFER_CONTEXT_TENSOR_LIMIT_H_

#include <cstdint>

namespace dimwise {

// More tensors than this at one node are a mistake of whoever counted them.
inline constexpr int64_t kMaxTensors = 1 << 20;

}  // namespace dimwise

#endif  // DIMWISE_INFER_CONTEXT_TENSOR_LIMIT_H_
