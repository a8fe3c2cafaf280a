// Queries of a ProgramState about regions and branches.
#include <algorithm>

#include "core/dims/symbol_walk.h"
#include "core/types/known_parts.h"
#include "infer/engine/state/program_state.h"

namespace dimwise {

RegionId ProgramState::RegionAt(NodeId node, std::string_view attribute) const {
  for (const Graph::Carried& c : graph.regions_of(node)) {
    if (c.attribute == attribute) return c.region;
  }
  return kNoRegion;
}

RegionId ProgramState::BranchOf(NodeId branch, bool is_true) const {
  const ControlFlow& flow = operators.Resolve(branch).control_flow();
  const std::string& attribute = is_true ? flow.if_true.region : flow.if_false.region;
  return attribute.empty() ? kNoRegion : RegionAt(branch, attribute);
}

Dim ProgramState::ConditionOfBranch(NodeId branch) const {
  const ResolvedOperator& resolved = operators.Resolve(branch);
  const std::span<const ValueId> operands = graph.operands(branch);
  const FlatRange condition =
      FlatRangeOf(resolved.op->def.inputs, resolved.control_flow().condition, operands.size());
  if (condition.size() == 0 || operands[condition.begin] == kNoValue) return Dim();
  return OnlyInteger(contents(operands[condition.begin]));
}

std::optional<bool> ProgramState::TakenBranch(NodeId branch) const {
  if (const Dim condition = ConditionOfBranch(branch); condition.is_constant()) return condition != Dim(0);
  const BranchDecision* decision = branches.Find(branch);
  return decision == nullptr ? std::nullopt : std::optional(decision->taken);
}

bool ProgramState::RunsAtMostOnce(RegionId region) const {
  while (region != graph.body()) {
    const NodeId carrier = graph.carrier(region);
    if (!operators.Resolve(carrier).is_branch()) return false;
    const std::optional<bool> taken = TakenBranch(carrier);
    if (taken && BranchOf(carrier, *taken) != region) return false;
    region = graph.region(carrier);
  }
  return true;
}

bool ProgramState::FailsIn(RegionId region) const {
  return std::ranges::any_of(regions[region].order, [&](NodeId node) { return Fails(node); });
}

// A node fails if its own evaluation fails, or if all branches that it may take fail.
bool ProgramState::Fails(NodeId node) const {
  if (!live(node)) return false;
  if (const NodeEffects* e = effects_of(node); e != nullptr && e->fails) return true;
  if (!operators.Resolve(node).is_branch()) return false;
  const RegionId if_true = BranchOf(node, true), if_false = BranchOf(node, false);
  if (if_true == kNoRegion || if_false == kNoRegion) return false;
  const std::optional<bool> taken = TakenBranch(node);
  return (taken == false || FailsIn(if_true)) && (taken == true || FailsIn(if_false));
}

bool ProgramState::IsInvariant(Dim d, RegionId region) const {
  const DimTable& dims = analysis.dims();
  const auto is_invariant = [&](Dim symbol) {
    const SymbolKey* key = dims.GetDefinition(symbol) == nullptr ? dims.KeyOf(symbol) : nullptr;
    if (key == nullptr) return true;
    if (site.owner != 0) return false;  // inside a call, the owner is the calling node
    if (key->role == kInputRole || key->value == 0 || key->value > graph.node_count()) return true;
    const NodeId owner{key->value - 1};
    for (RegionId r = graph.region(owner); r != kNoRegion; r = graph.parent(r)) {
      if (r == region) return false;
    }
    // Symbols of the carrier itself stand for parameters of the region.
    return owner != graph.carrier(region);
  };
  return SymbolWalk(dims).Visit(d, is_invariant);
}

}  // namespace dimwise
