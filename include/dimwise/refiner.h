// A Refiner denotes the result of forward inference for a graph that grows and changes. Its state always
// equals inference from scratch.
//
// It corresponds to TensorFlow's ShapeRefiner. The caller edits the graph and notifies the refiner of each
// new or changed node; only nodes that may be affected are visited again. An operand that does not exist yet
// has an unknown shape, which cuts old-style loops. Facts from a node (an equality, a bound) are retracted
// when the node is changed or removed.
//
//   Refiner refiner(graph, BuiltinRegistry());
//   Status s = refiner.AddNode(node);          // an error names the node; its results are then unknown
//   bool changed = *refiner.UpdateNode(node);  // after an edit of the node, or of its operands
//
// Thread safety: as the graph's analysis: one thread at a time.
#ifndef DIMWISE_REFINER_H_
#define DIMWISE_REFINER_H_

#include <memory>
#include <vector>

#include "dimwise/graph.h"
#include "dimwise/op_registry.h"
#include "dimwise/residual_guard.h"

namespace dimwise {

class Engine;

struct RefinerOptions {
  bool require_shape_functions = true;  // an unknown operator is an error that names it
  bool constant_propagation = true;     // track contents of tensors
  // Infer the bodies of called functions; otherwise their results are unknown.
  bool function_inference = true;
};

class DIMWISE_API Refiner {
 public:
  Refiner(Graph& graph, const OpRegistry& registry, RefinerOptions options = {});
  ~Refiner();
  Refiner(const Refiner&) = delete;
  Refiner& operator=(const Refiner&) = delete;

  // Adds all inputs, constants and nodes that the graph has now.
  void AddAll();
  // Adds a node of the graph. An operand that does not exist yet must be added later; then its users are
  // visited automatically.
  Status AddNode(NodeId node);
  // Visits a node again and, if its results changed, its dependents. Returns whether its results changed.
  Result<bool> UpdateNode(NodeId node);
  // Merges a shape into a value permanently. Returns an error, and changes nothing, if the merge fails.
  Status SetShape(ValueId value, Shape shape);
  // Replaces an operand.
  Status SetInput(NodeId node, size_t operand, ValueId value);
  Status RemoveNode(NodeId node);

  Type type(ValueId value) const;
  Shape shape(ValueId value) const { return type(value).shape; }
  Value contents(ValueId value) const;
  // Returns the error of the last visit, if it failed.
  Status status(NodeId node) const;
  // Returns the guards of the current graph, as Inference::guards. They are built on each call.
  std::vector<ResidualGuard> guards() const;
  // Returns a number that grows with each change of the node's results, for callers that poll.
  uint32_t version(NodeId node) const;
  uint64_t visit_count() const;

 private:
  Graph& graph_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace dimwise

#endif  // DIMWISE_REFINER_H_
