// Graphs for tests and benchmarks, of ONNX operators at opset 21, as exporters write them. With `symbolic`
// the batch and what else varies (height and width, the length of a sequence) are symbols, otherwise numbers.
// Every sample infers without errors, and its nodes are in order.
//
// A name takes 8 bytes in one text that the graph keeps, as in a file that is mapped.
#ifndef DIMWISE_GRAPH_GRAPH_SAMPLES_TESTING_H_
#define DIMWISE_GRAPH_GRAPH_SAMPLES_TESTING_H_

#include <cstddef>
#include <memory>

#include "dimwise/graph.h"

namespace dimwise {

// Elementwise operators one after another: Relu, Add, Mul, Sigmoid, ...; f32[N, 64, 56, 56].
std::unique_ptr<Graph> ChainSample(Analysis& analysis, size_t nodes, bool symbolic);

// A residual network: a stem of Conv, BatchNormalization, Relu and MaxPool, blocks of 7 nodes, pooling and
// Gemm; 7 + 7 * blocks nodes. f32[N, 3, H, W].
std::unique_ptr<Graph> ConvNetSample(Analysis& analysis, size_t blocks, bool symbolic);

// An encoder as PyTorch exports it, with the arithmetic on shapes that its Reshapes take; 2 + 39 * layers
// nodes. i64[B, S].
std::unique_ptr<Graph> TransformerSample(Analysis& analysis, size_t layers, bool symbolic);

// Elementwise operators of one or two operands, each a recent value or any; f32[N, 64].
std::unique_ptr<Graph> RandomDagSample(Analysis& analysis, size_t nodes, bool symbolic, unsigned seed = 1);

}  // namespace dimwise

#endif  // DIMWISE_GRAPH_GRAPH_SAMPLES_TESTING_H_
