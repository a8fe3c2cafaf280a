// SolverHooks adapts the engine to the solver: which nodes are evaluated, which parts of types are inferred,
// and which other nodes read a value. With hooks, all types of results are certain: the engine merges them
// with the types that it computes, and refines operands from results.
#ifndef DIMWISE_INFER_ENGINE_STATE_SOLVER_HOOKS_H_
#define DIMWISE_INFER_ENGINE_STATE_SOLVER_HOOKS_H_

#include <span>

#include "dimwise/graph.h"
#include "dimwise/inference_context.h"
#include "dimwise/op_registry.h"

namespace dimwise {

class SolverHooks {
 public:
  virtual ~SolverHooks() = default;

  // Returns whether the operator of the node is evaluated. If not, its results are as stated.
  virtual bool Visits(NodeId node) const = 0;
  // Returns whether equal operands always give equal results.
  virtual bool IsCacheable(NodeId node) const = 0;
  // Returns the type without the parts that are not inferred.
  virtual Type Masked(Type type) const = 0;
  // Returns whether a part that is inferred is unknown.
  virtual bool IsIncomplete(const Type& type) const = 0;
  // Returns the attributes of a node, with those that the solver adds.
  virtual const AttrMap* Attributes(const OpDef& op, const AttrMap* attrs) = 0;
  // Runs a shape function (null: there is none) in a context. Returns whether it computes results.
  virtual bool Run(NodeId node, const ShapeFn* function, InferenceContext* context, Status* status) = 0;
  // Returns the nodes that read a value which is not one of their operands.
  virtual std::span<const NodeId> ReadersOf(ValueId value) const = 0;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_STATE_SOLVER_HOOKS_H_
