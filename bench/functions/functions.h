// Seven operators of ONNX as C++ shape functions: the baseline that their rules are held to, in speed by the
// benchmarks and in what they answer by second_opinion_test.
#ifndef DIMWISE_BENCH_FUNCTIONS_FUNCTIONS_H_
#define DIMWISE_BENCH_FUNCTIONS_FUNCTIONS_H_

#include "infer/operators/functions/onnx_ops.h"

namespace dimwise {

void AddConcat(OnnxOps& ops);
void AddConvolution(OnnxOps& ops);
void AddElementwise(OnnxOps& ops);
void AddMatMul(OnnxOps& ops);
void AddReshape(OnnxOps& ops);
void AddTranspose(OnnxOps& ops);

// All of them.
void RegisterBaseline(OpRegistryBuilder& registry);

}  // namespace dimwise

#endif  // DIMWISE_BENCH_FUNCTIONS_FUNCTIONS_H_
