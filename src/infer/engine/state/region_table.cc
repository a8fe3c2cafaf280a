#include "infer/engine/state/region_table.h"

#include <algorithm>
#include <utility>

namespace dimwise {

ScopeId RegionTable::Enter(RegionId region) {
  RegionState& state = regions_[Index(region)];
  if (!state.entered) {
    state.entered = true;
    state.scope = facts_.NewScope(regions_[Index(graph_.parent(region))].scope);
  }
  return state.scope;
}

RegionTable::Change RegionTable::Assume(RegionId region, std::vector<Clause> clauses) {
  if (clauses.empty() && !assumed_.contains(Index(region))) return {};
  Assumed& assumed = assumed_[Index(region)];
  if (assumed.clauses == clauses) return {};
  const Change change{.is_new = true, .retracted = !assumed.constraints.empty()};
  const ScopeId scope = Enter(region);
  for (const ConstraintId c : std::exchange(assumed.constraints, {})) facts_.Retract(c);
  for (const Clause& clause : clauses)
    assumed.constraints.push_back(facts_.Assert(clause, FactKind::kGiven, /*owner=*/0, scope));
  assumed.clauses = std::move(clauses);
  return change;
}

bool RegionTable::IsAssumed(RegionId region, const Clause& clause) const {
  const auto it = assumed_.find(Index(region));
  return it != assumed_.end() && std::ranges::find(it->second.clauses, clause) != it->second.clauses.end();
}

}  // namespace dimwise
