// NodeEffects holds the results of an evaluation besides types: constraints, guards, and findings. The
// effects belong to the node and are retracted when the node changes. Most nodes have none.
#ifndef DIMWISE_INFER_ENGINE_STATE_NODE_EFFECTS_H_
#define DIMWISE_INFER_ENGINE_STATE_NODE_EFFECTS_H_

#include <memory>
#include <span>
#include <vector>

#include "core/facts/query_tracking.h"
#include "dimwise/diagnostic.h"
#include "dimwise/facts.h"
#include "dimwise/graph.h"
#include "dimwise/guard.h"

namespace dimwise {

struct NodeEffects {
  std::vector<ConstraintId> constraints;
  std::vector<Guard> guards;
  std::vector<Diagnostic> findings;
  bool fails = false;         // in every run that evaluates the node
  uint64_t operand_hash = 0;  // of the operands that the evaluation read
  uint64_t retractions = 0;   // ProgramState::retractions at the time of the evaluation
  QueryLog queries{.literals = {}, .queries = {}, .is_complete = false};  // of the evaluation

  void Add(std::span<const ConstraintId> more_constraints, std::span<const Guard> more_guards) {
    constraints.insert(constraints.end(), more_constraints.begin(), more_constraints.end());
    guards.insert(guards.end(), more_guards.begin(), more_guards.end());
  }
};

class EffectsTable {
 public:
  bool empty() const { return effects_.empty(); }
  // Returns false if the node never had effects.
  bool MayHave(NodeId n) const { return Index(n) < index_.size() && index_[Index(n)] != kNone; }
  // Returns null if the node has no effects.
  const NodeEffects* Find(NodeId n) const { return MayHave(n) ? effects_[index_[Index(n)]].get() : nullptr; }
  // Returns the effects of the node; new and empty if it has none.
  NodeEffects& Of(NodeId n) {
    if (Index(n) >= index_.size()) index_.resize(Index(n) + 1, kNone);
    uint32_t& index = index_[Index(n)];
    if (index == kNone) {
      index = static_cast<uint32_t>(effects_.size());
      effects_.emplace_back();
    }
    std::unique_ptr<NodeEffects>& effects = effects_[index];
    if (effects == nullptr) effects = std::make_unique<NodeEffects>();
    return *effects;
  }
  // Moves the effects out of the table; null if there are none.
  std::unique_ptr<NodeEffects> Take(NodeId n) {
    return MayHave(n) ? std::move(effects_[index_[Index(n)]]) : nullptr;
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> index_;  // by node: index in effects_
  std::vector<std::unique_ptr<NodeEffects>> effects_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_STATE_NODE_EFFECTS_H_
