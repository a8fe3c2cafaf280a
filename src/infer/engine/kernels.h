// Contents that no `value` clause can say: transcendental functions, and the order of elements. Only the
// evaluator runs them, on numbers.
#ifndef DIMWISE_INFER_ENGINE_KERNELS_H_
#define DIMWISE_INFER_ENGINE_KERNELS_H_

#include <span>
#include <string_view>
#include <vector>

#include "dimwise/analysis.h"
#include "dimwise/attr_value.h"

namespace dimwise {

// The contents of the results of an operator ("onnx.Sqrt"), whose types are known; nothing where there is no
// kernel for it, or for these. Functions are computed in f64 and rounded once to f64, f32, f16 or bf16; of
// equal elements the first comes first.
std::vector<Value> RunKernel(Analysis& analysis, std::string_view op, const AttrMap& attrs,
                             std::span<const Value> operands, std::span<const Type> results);

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_KERNELS_H_
