#include "infer/kept_facts.h"

namespace dimwise {

KeptFacts::KeptFacts(const Engine& engine) : facts_(engine.analysis().dims()) {
  const Graph& graph = engine.graph();
  for (uint32_t r = 0; r < graph.region_count(); ++r) {
    const ScopeId there = engine.scope(RegionId{r});
    const RegionId outer = graph.parent(RegionId{r});
    if (outer == kNoRegion) {
      scopes_.insert({static_cast<uint32_t>(there), ScopeId::kRoot});
    } else if (!scopes_.contains(static_cast<uint32_t>(there))) {
      scopes_.insert({static_cast<uint32_t>(there), facts_.NewScope(Scope(engine.scope(outer)))});
    }
  }
  engine.analysis().facts().ForEach([&](const Clause& clause, FactKind kind, OwnerId owner, ScopeId scope) {
    if (kind == FactKind::kChecked || !scopes_.contains(static_cast<uint32_t>(scope))) return;
    facts_.Assert(clause, kind, owner, Scope(scope));
  });
}

bool KeptFacts::Keep(const Clause& clause, ScopeId scope) {
  const bool known = scopes_.contains(static_cast<uint32_t>(scope));
  const ScopeId here = known ? Scope(scope) : ScopeId::kRoot;
  if (facts_.Holds(clause, here) == Truth::kYes) return false;
  // What a node without a place among the regions checks (nothing uses its results) excuses nobody.
  if (known) facts_.Assert(clause, FactKind::kChecked, 0, here);
  return true;
}

ScopeId KeptFacts::Scope(ScopeId there) const {
  const auto it = scopes_.find(static_cast<uint32_t>(there));
  return it == scopes_.end() ? ScopeId::kRoot : it->second;
}

}  // namespace dimwise
