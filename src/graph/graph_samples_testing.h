// Graphs for tests and benchmarks, of ONNX operators at opset 21, in the form that exporters write. With
// `symbolic`, the batch size and other varying sizes (height, width, sequence length) are symbols, else
// numbers. Every sample infers without errors, and its nodes are in topological order.
//
// A name takes 8 bytes of one text that the graph keeps, as in a mapped file.
#ifndef DIMWISE_GRAPH_GRAPH_SAMPLES_TESTING_H_
#define DIMWISE_GRAPH_GRAPH_SAMPLES_TESTING_H_

#include <cstddef>
#include <memory>

#include "dimwise/graph.h"

namespace dimwise {

// A chain of elementwise operators: Relu, Add, Mul, Sigmoid, ...; f32[N, 64, 56, 56].
std::unique_ptr<Graph> ChainSample(Analysis& analysis, size_t nodes, bool symbolic);

// A residual network: Conv, BatchNormalization, Relu and MaxPool, then blocks of 7 nodes, pooling and Gemm.
// It has 7 + 7 * blocks nodes. f32[N, 3, H, W].
std::unique_ptr<Graph> ConvNetSample(Analysis& analysis, size_t blocks, bool symbolic);

// An encoder as PyTorch exports it, with the shape arithmetic for its Reshapes; 2 + 39 * layers nodes. i64[B,
// S].
std::unique_ptr<Graph> TransformerSample(Analysis& analysis, size_t layers, bool symbolic);

// A random graph of elementwise operators with one or two operands, each a recent or an arbitrary value;
// f32[N, 64].
std::unique_ptr<Graph> RandomDagSample(Analysis& analysis, size_t nodes, bool symbolic, unsigned seed = 1);

}  // namespace dimwise

#endif  // DIMWISE_GRAPH_GRAPH_SAMPLES_TESTING_H_
