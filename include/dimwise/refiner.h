// A Refiner denotes what is known of a graph that grows and changes, forward, at each moment: the same as
// from scratch.
//
// It is TensorFlow's ShapeRefiner. The caller edits the graph and tells the refiner which node is new or
// changed; only what can change is visited again. An operand that is not there yet has an unknown shape,
// which is how old-style loops are cut. What a node taught (an equality, a bound) goes when the node goes or
// changes.
//
//   Refiner refiner(graph, BuiltinRegistry());
//   Status s = refiner.AddNode(node);          // an error names the node; its results are unknown then
//   bool changed = *refiner.UpdateNode(node);  // after an edit of the node, or of what it reads
//
// Thread safety: as the graph's analysis: one thread at a time.
#ifndef DIMWISE_REFINER_H_
#define DIMWISE_REFINER_H_

#include <memory>
#include <vector>

#include "dimwise/graph.h"
#include "dimwise/op_registry.h"
#include "dimwise/residual_check.h"

namespace dimwise {

class Engine;

struct RefinerOptions {
  bool require_shape_functions = true;  // an operator that nobody knows is an error that names it
  bool constant_propagation = true;     // contents of tensors are followed
  bool function_inference = true;       // calls of functions are walked into; else their results are unknown
};

class DIMWISE_API Refiner {
 public:
  Refiner(Graph& graph, const OpRegistry& registry, RefinerOptions options = {});
  ~Refiner();
  Refiner(const Refiner&) = delete;
  Refiner& operator=(const Refiner&) = delete;

  // The inputs, constants and nodes that the graph has by now, all at once.
  void AddAll();
  // A node that was added to the graph. REQUIRES for what is not there yet: it is added later, and then the
  // users of its results are visited by themselves.
  Status AddNode(NodeId node);
  // Visits a node again and, where its results changed, what depends on it. Answers whether its results
  // changed.
  Result<bool> UpdateNode(NodeId node);
  // Merges a shape into what is known of a value, for good; an error, and no change, where they cannot both
  // be true.
  Status SetShape(ValueId value, Shape shape);
  // Puts another value in the place of an operand.
  Status SetInput(NodeId node, size_t operand, ValueId value);
  Status RemoveNode(NodeId node);

  Type type(ValueId value) const;
  Shape shape(ValueId value) const { return type(value).shape; }
  Value contents(ValueId value) const;
  // The error of the last visit, if it failed.
  Status status(NodeId node) const;
  // What the graph, as it is now, leaves to its run: as Inference::checks, put together at each call.
  std::vector<ResidualCheck> checks() const;
  // Grows with each change of a node's results: what UpdateNode answers, for who asks later.
  uint32_t version(NodeId node) const;
  uint64_t visit_count() const;

 private:
  Graph& graph_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace dimwise

#endif  // DIMWISE_REFINER_H_
