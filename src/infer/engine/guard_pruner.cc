#include "infer/engine/guard_pruner.h"

namespace dimwise {

GuardPruner::GuardPruner(const ProgramState& state) : graph_(state.graph), facts_(state.analysis.dims()) {
  for (uint32_t r = 0; r < graph_.region_count(); ++r) {
    const ScopeId there = state.scope(RegionId{r});
    const RegionId outer = graph_.parent(RegionId{r});
    if (outer == kNoRegion) {
      scopes_.insert({static_cast<uint32_t>(there), ScopeId::kRoot});
    } else if (!scopes_.contains(static_cast<uint32_t>(there))) {
      scopes_.insert({static_cast<uint32_t>(there), facts_.NewScope(Scope(state.scope(outer)))});
    }
  }
  state.analysis.facts().ForEach([&](const Clause& clause, FactKind kind, OwnerId owner, ScopeId scope) {
    if (kind == FactKind::kChecked || !scopes_.contains(static_cast<uint32_t>(scope))) return;
    if (owner == 0) {
      facts_.Assert(clause, kind, owner, Scope(scope));
    } else {
      guarantees_[owner].push_back({clause, Scope(scope)});
    }
  });
}

void GuardPruner::AddGuarantees(NodeId node) {
  const auto at = guarantees_.find(Index(node) + 1);
  if (at == guarantees_.end()) return;
  for (const Guarantee& g : at->second) facts_.Assert(g.clause, FactKind::kGiven, Index(node) + 1, g.scope);
  guarantees_.erase(at);
}

void GuardPruner::AddGuaranteesOfCarriers(NodeId node) {
  for (NodeId n = graph_.carrier(graph_.region(node)); n != kNoNode; n = graph_.carrier(graph_.region(n)))
    AddGuarantees(n);
}

bool GuardPruner::AddIfNew(const Clause& clause, ScopeId scope) {
  const bool known = scopes_.contains(static_cast<uint32_t>(scope));
  const ScopeId here = known ? Scope(scope) : ScopeId::kRoot;
  if (facts_.Holds(clause, here) == Truth::kYes) return false;
  // The scope of a dead node is unknown here, so its guards make no other guard superfluous.
  if (known) facts_.Assert(clause, FactKind::kChecked, 0, here);
  return true;
}

ScopeId GuardPruner::Scope(ScopeId there) const {
  const auto it = scopes_.find(static_cast<uint32_t>(there));
  return it == scopes_.end() ? ScopeId::kRoot : it->second;
}

}  // namespace dimwise
