// The facts that decide which guards are listed: facts of the user, default assumptions, guarantees of nodes,
// and the guards listed so far, each in the scope of its region.
//
// The guarantees of a node hold only if the node does not fail. So they are added after the guards of the
// node, and for the nodes inside its regions, which run only if it does.
#ifndef DIMWISE_INFER_ENGINE_GUARD_PRUNER_H_
#define DIMWISE_INFER_ENGINE_GUARD_PRUNER_H_

#include <tsl/robin_map.h>

#include "infer/engine/state/program_state.h"

namespace dimwise {

class GuardPruner {
 public:
  explicit GuardPruner(const ProgramState& state);

  // Adds the guarantees of a node, or of the nodes that carry its region.
  void AddGuarantees(NodeId node);
  void AddGuaranteesOfCarriers(NodeId node);
  // Adds a condition. Returns false if it follows from the facts in a scope of the engine.
  bool AddIfNew(const Clause& clause, ScopeId scope);
  // Returns whether a literal follows from the facts in a scope of the engine.
  bool Holds(const Literal& literal, ScopeId scope) {
    return facts_.Holds(literal, Scope(scope)) == Truth::kYes;
  }
  // Returns whether a literal follows from the facts without the listed guards.
  bool HoldsUnchecked(const Literal& literal, ScopeId scope) {
    return facts_.Holds(literal, Scope(scope), FactFilter::kWithoutChecked) == Truth::kYes;
  }
  // Returns the simplest form of d that the facts prove in a scope of the engine.
  Dim Simplify(Dim d, ScopeId scope) { return facts_.Simplify(d, Scope(scope)); }

 private:
  struct Guarantee {
    Clause clause;
    ScopeId scope;
  };
  ScopeId Scope(ScopeId there) const;

  const Graph& graph_;
  Facts facts_;
  tsl::robin_map<OwnerId, std::vector<Guarantee>> guarantees_;  // not added yet
  tsl::robin_map<uint32_t, ScopeId> scopes_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_GUARD_PRUNER_H_
