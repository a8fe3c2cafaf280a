// TensorFlow graphs: reads a GraphDef in memory, usually a mapped file, as a Graph.
//
//   Analysis analysis;
//   Result<std::unique_ptr<TensorFlowModel>> model = ReadGraphDef(bytes, analysis, BuiltinRegistry());
//
// Operators are named tensorflow.Name; their version is the producer version of the graph, which changes the
// meaning of some. Results are named like the edges in the file: the results of a node `conv` are `conv:0`,
// `conv:1`. A Placeholder is an input of the graph, and a Const is a constant. A size of a placeholder that
// the file leaves open gets the symbol <placeholder>_d<axis>. Results that no node uses are the outputs.
//
// Functions of the library are functions of the graph. A PartitionedCall is a call of its function. A
// function in an attribute of If or While becomes a region with one call.
//
// Contents are views of the file. Weights are never read.
#ifndef DIMWISE_TENSORFLOW_H_
#define DIMWISE_TENSORFLOW_H_

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "dimwise/graph.h"
#include "dimwise/op_registry.h"

namespace dimwise {

struct TensorFlowModel {
  explicit TensorFlowModel(Analysis& analysis) : graph(analysis) {}

  Graph graph;
  int producer = 0;  // 0: not stated
  // Errors of the graph other than shapes: inputs that no node computes, nodes with the same name. The valid
  // part is in the graph.
  std::vector<Diagnostic> findings;
};

// Returns whether the bytes start like a GraphDef. A prefix of the file is sufficient.
DIMWISE_API bool LooksLikeGraphDef(std::span<const std::byte> bytes);

// Reads a graph. The bytes must outlive the model and the analysis. The registry defines the number of
// results of each operator. If the bytes are no GraphDef, the error has the offset of the first damage.
DIMWISE_API Result<std::unique_ptr<TensorFlowModel>> ReadGraphDef(std::span<const std::byte> bytes,
                                                                  Analysis& analysis,
                                                                  const OpRegistry& registry);

}  // namespace dimwise

#endif  // DIMWISE_TENSORFLOW_H_
