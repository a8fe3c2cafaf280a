// Connects the solver to the engine (state/solver_hooks.h). It determines the requested parts of types, the
// gradient nodes, and the storages with the dispatch mode of each node.
//
// The storages of a node are inferred once those of all its operands are known, so the order of visits does
// not matter. Storages flow backward only to inputs, and only when nothing else changes (SettleStorage).
// Until then, the preferred storages of operands are collected here. Users with different preferences must
// not depend on the order of visits.
#ifndef DIMWISE_INFER_SOLVER_SOLVER_GUIDE_H_
#define DIMWISE_INFER_SOLVER_SOLVER_GUIDE_H_

#include <tsl/robin_map.h>

#include <string>
#include <vector>

#include "dimwise/solver.h"
#include "infer/engine/engine.h"
#include "infer/engine/state/solver_hooks.h"

namespace dimwise {

class SolverGuide : public SolverHooks {
 public:
  SolverGuide(const Graph& graph, const OpRegistry& registry, const SolverOptions& options);
  // REQUIRED before the first visit.
  void set_engine(Engine* engine) { engine_ = engine; }

  bool Visits(NodeId node) const override {
    return Index(node) >= options_.nodes.first && Index(node) < options_.nodes.second;
  }
  bool IsCacheable(NodeId node) const override;
  Type Masked(Type type) const override;
  bool IsIncomplete(const Type& type) const override;
  const AttrMap* Attributes(const OpDef& op, const AttrMap* attrs) override;
  bool Run(NodeId node, const ShapeFn* function, InferenceContext* context, Status* status) override;
  std::span<const NodeId> ReadersOf(ValueId value) const override;

  struct Gradient {
    NodeId forward = kNoNode;
    GradientLinks links;
  };
  // Returns null if the node is no gradient, or has a rule.
  const Gradient* FindGradient(NodeId node) const;
  DispatchMode dispatch(NodeId node) const;
  // Returns the storage that the users of a value prefer; unknown if they have no preference or different
  // ones.
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
