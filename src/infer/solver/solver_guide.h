// How the solver guides the engine (visit_guide.h): which parts of types are asked for, gradient nodes, and
// storages with the dispatch mode of each node.
//
// A node's storages are decided once those of all its operands are known, so the order of visits does not
// matter. Storages run backward only to inputs, and only when nothing else changes any more (SettleStorage):
// what a node wants of an operand is kept here until then, since two users that want different things must
// not race.
#ifndef DIMWISE_INFER_SOLVER_SOLVER_GUIDE_H_
#define DIMWISE_INFER_SOLVER_SOLVER_GUIDE_H_

#include <tsl/robin_map.h>

#include <string>
#include <vector>

#include "dimwise/solver.h"
#include "infer/engine/engine.h"
#include "infer/engine/visit_guide.h"

namespace dimwise {

class SolverGuide : public VisitGuide {
 public:
  SolverGuide(const Graph& graph, const OpRegistry& registry, const SolverOptions& options);
  // REQUIRES before the first visit.
  void set_engine(Engine* engine) { engine_ = engine; }

  bool Visits(NodeId node) const override {
    return Index(node) >= options_.nodes.first && Index(node) < options_.nodes.second;
  }
  bool MayRemember(NodeId node) const override;
  Type Masked(Type type) const override;
  bool Lacks(const Type& type) const override;
  const AttrMap* Attributes(const OpDef& op, const AttrMap* attrs) override;
  bool Run(NodeId node, const ShapeFn* function, InferenceContext* context, Status* status) override;
  std::span<const NodeId> ReadersOf(ValueId value) const override;

  struct Gradient {
    NodeId forward = kNoNode;
    GradientLinks links;
  };
  // Null where the node is no gradient, or has a rule of its own.
  const Gradient* FindGradient(NodeId node) const;
  DispatchMode dispatch(NodeId node) const;
  // What the users of a value want it to be; unknown where they want nothing, or not the same.
  Storage Wanted(ValueId value) const;

 private:
  Status RunGradient(NodeId node, const Gradient& gradient, InferenceContext* context);
  void Dispatch(NodeId node, const ShapeFn* function, InferenceContext* context, Status* status);
  void FindGradients(const OpRegistry& registry);

  const Graph& graph_;
  const SolverOptions& options_;
  Engine* engine_ = nullptr;
  tsl::robin_map<uint32_t, Gradient> gradients_;           // by node
  tsl::robin_map<uint32_t, std::vector<NodeId>> readers_;  // by value
  std::vector<DispatchMode> modes_;                        // by node
  tsl::robin_map<uint64_t, Storage> wanted_;               // by node and operand
  tsl::robin_map<const AttrMap*, std::unique_ptr<AttrMap>> with_device_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_SOLVER_SOLVER_GUIDE_H_
