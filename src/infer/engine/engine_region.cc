// Regions: their nodes are visited for the node that carries them.
#include <algorithm>
#include <utility>

#include "core/dims/symbol_walk.h"
#include "infer/engine/engine.h"
#include "infer/error.h"

namespace dimwise {

Status Engine::RunRegion(RegionId region, std::span<const Type> inputs, std::span<const Value> contents,
                         RegionRuns runs) {
  if (depth_ >= kMaxDepth) {
    return Error(Code::kNotSupported,
                 "regions are nested more than {} deep; what lies deeper is not inferred", kMaxDepth);
  }
  Enter(region);
  RegionState& state = regions_[Index(region)];
  const NodeId carrier = graph_.carrier(region);
  state.in_every_call = runs == RegionRuns::kAlways && in_every_call(carrier);
  state.never_runs = runs == RegionRuns::kNever || never_runs(carrier);
  const std::span<const ValueId> parameters = graph_.inputs(region);
  for (size_t i = 0; i < parameters.size(); ++i) {
    SetUpInput(parameters[i], i < inputs.size() ? inputs[i] : Type(),
               i < contents.size() ? contents[i] : Value());
  }
  // Outer nodes that wait are not this region's business.
  std::vector<std::pair<uint32_t, NodeId>> outer_queue;
  outer_queue.swap(queue_);
  ++depth_;
  RunNodes(region);
  SettleRegion(region);
  --depth_;
  outer_queue.swap(queue_);
  return {};
}

ScopeId Engine::Enter(RegionId region) {
  RegionState& state = regions_[Index(region)];
  if (!state.entered) {
    state.entered = true;
    state.scope = analysis_.facts().NewScope(regions_[Index(graph_.parent(region))].scope);
  }
  return state.scope;
}

bool Engine::AssumeIn(RegionId region, std::vector<Clause> clauses) {
  if (clauses.empty() && !assumed_in_.contains(Index(region))) return false;
  Assumed& assumed = assumed_in_[Index(region)];
  if (assumed.clauses == clauses) return false;
  Facts& facts = analysis_.facts();
  const ScopeId scope = Enter(region);
  if (!assumed.constraints.empty()) ++retractions_;
  for (const ConstraintId c : std::exchange(assumed.constraints, {})) facts.Retract(c);
  for (const Clause& clause : clauses)
    assumed.constraints.push_back(facts.Assert(clause, FactKind::kGiven, /*owner=*/0, scope));
  assumed.clauses = std::move(clauses);
  return true;
}

bool Engine::IsAssumedIn(RegionId region, const Clause& clause) const {
  const auto it = assumed_in_.find(Index(region));
  return it != assumed_in_.end() && std::ranges::find(it->second.clauses, clause) != it->second.clauses.end();
}

void Engine::SettleRegion(RegionId region) {
  for (int round = 0; round < 3; ++round) {
    const uint64_t before = visits_;
    RunAskersAgain(regions_[Index(region)].order);
    Settle();
    if (visits_ == before) break;
  }
}

RegionId Engine::FindRegion(NodeId node, std::string_view attribute) const {
  for (const Graph::Carried& c : graph_.regions_of(node)) {
    if (c.attribute == attribute) return c.region;
  }
  return kNoRegion;
}

bool Engine::IsInvariant(Dim d, RegionId region) const {
  const DimTable& dims = analysis_.dims();
  const auto is_invariant = [&](Dim symbol) {
    const SymbolKey* key = dims.GetDefinition(symbol) == nullptr ? dims.KeyOf(symbol) : nullptr;
    if (key == nullptr) return true;
    if (site_.owner != 0) return false;  // inside a call: whose it is cannot be told
    if (key->role == kInputRole || key->value == 0 || key->value > graph_.node_count()) return true;
    const NodeId owner{key->value - 1};
    for (RegionId r = graph_.region(owner); r != kNoRegion; r = graph_.parent(r)) {
      if (r == region) return false;
    }
    // What the carrier itself made up stands for the region's parameters.
    return owner != graph_.carrier(region);
  };
  return SymbolWalk(dims).Visit(d, is_invariant);
}

}  // namespace dimwise
