// The facts that count for what is left to check: those that the user gave or that are assumed, what nodes
// guarantee, and the checks that were kept so far, each in the scope of its region.
//
// What a node guarantees it does only if it does not fail. So that counts once the node's own checks are
// through (Believe), and for the nodes inside of its regions, which run only if it does; not before.
#ifndef DIMWISE_INFER_ENGINE_KEPT_FACTS_H_
#define DIMWISE_INFER_ENGINE_KEPT_FACTS_H_

#include <tsl/robin_map.h>

#include "infer/engine/engine.h"

namespace dimwise {

class KeptFacts {
 public:
  explicit KeptFacts(const Engine& engine);

  // What a node guarantees counts from now on; so does that of the nodes that carry it.
  void Believe(NodeId node);
  void BelieveCarriers(NodeId node);
  // Whether a condition adds something to what holds in a scope of the engine; it then counts.
  bool Keep(const Clause& clause, ScopeId scope);
  // Whether they say so in a scope of the engine.
  bool Holds(const Literal& literal, ScopeId scope) {
    return facts_.Holds(literal, Scope(scope)) == Truth::kYes;
  }
  // Whether they do even without the checks that were kept.
  bool HoldsUnchecked(const Literal& literal, ScopeId scope) {
    return facts_.Holds(literal, Scope(scope), Trust::kWithoutChecked) == Truth::kYes;
  }
  // d as simple as these facts allow in a scope of the engine.
  Dim Simplify(Dim d, ScopeId scope) { return facts_.Simplify(d, Scope(scope)); }

 private:
  struct Guarantee {
    Clause clause;
    ScopeId scope;
  };
  ScopeId Scope(ScopeId there) const;

  const Graph& graph_;
  Facts facts_;
  tsl::robin_map<OwnerId, std::vector<Guarantee>> guarantees_;  // not believed yet
  tsl::robin_map<uint32_t, ScopeId> scopes_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_KEPT_FACTS_H_
