// What the solver decides in the engine's visits (solver.cc has one): which nodes are visited, what their
// operators are asked, and who else reads a value. Where an engine has a guide, everything that is known of a
// result is known for certain: what a visit finds is merged with it, and operands learn all that follows.
#ifndef DIMWISE_INFER_ENGINE_VISIT_GUIDE_H_
#define DIMWISE_INFER_ENGINE_VISIT_GUIDE_H_

#include <span>

#include "dimwise/graph.h"
#include "dimwise/inference_context.h"
#include "dimwise/op_registry.h"

namespace dimwise {

class VisitGuide {
 public:
  virtual ~VisitGuide() = default;

  // Whether the node's operator is asked at all; else its results are what was said of them.
  virtual bool Visits(NodeId node) const = 0;
  // Whether two visits with the same operands, and no more known of the results, are the same.
  virtual bool MayRemember(NodeId node) const = 0;
  // The parts of a type that are asked for.
  virtual Type Masked(Type type) const = 0;
  // Whether a part that is asked for is not known at all.
  virtual bool Lacks(const Type& type) const = 0;
  // The attributes of a node, with what the guide has to say in them.
  virtual const AttrMap* Attributes(const OpDef& op, const AttrMap* attrs) = 0;
  // Runs an operator's function (null: it has none) in a context that is set up for it; whether that says
  // anything of the results.
  virtual bool Run(NodeId node, const ShapeFn* function, InferenceContext* context, Status* status) = 0;
  // Nodes that read a value which is no operand of theirs.
  virtual std::span<const NodeId> ReadersOf(ValueId value) const = 0;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_VISIT_GUIDE_H_
