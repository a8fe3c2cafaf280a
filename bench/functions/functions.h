// Seven ONNX operators as C++ shape functions. The benchmarks compare the speed of rules with them, and
// second_opinion_test compares the results.
#ifndef DIMWISE_BENCH_FUNCTIONS_FUNCTIONS_H_
#define DIMWISE_BENCH_FUNCTIONS_FUNCTIONS_H_

#include "native_ops/onnx/onnx_ops.h"

namespace dimwise {

void AddConcat(OnnxOps& ops);
void AddConvolution(OnnxOps& ops);
void AddElementwise(OnnxOps& ops);
void AddMatMul(OnnxOps& ops);
void AddReshape(OnnxOps& ops);
void AddTranspose(OnnxOps& ops);

// Registers all of them.
void RegisterBaseline(OpRegistryBuilder& registry);

}  // namespace dimwise

#endif  // DIMWISE_BENCH_FUNCTIONS_FUNCTIONS_H_
