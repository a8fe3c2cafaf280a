// Visits the nodes of regions when the node that carries them is visited.
#include <algorithm>
#include <utility>

#include "infer/engine/engine.h"
#include "infer/error.h"

namespace dimwise {
namespace {

// Rounds in which stale nodes of a region are visited again before its carrier reads the results. If nodes
// are still stale, so is the carrier.
constexpr int kRegionRounds = 3;

}  // namespace

Status Engine::RunRegion(RegionId region, std::span<const Type> inputs, std::span<const Value> contents,
                         RegionRuns runs) {
  if (state_.nesting >= kMaxNesting) {
    return Error(Code::kNotSupported, "regions are nested more than {} deep; deeper regions are not inferred",
                 kMaxNesting);
  }
  state_.regions.Enter(region);
  RegionState& entered = state_.regions[region];
  const NodeId carrier = graph_.carrier(region);
  entered.in_every_call = runs == RegionRuns::kAlways && state_.in_every_call(carrier);
  entered.never_runs = runs == RegionRuns::kNever || state_.never_runs(carrier);
  const std::span<const ValueId> parameters = graph_.inputs(region);
  for (size_t i = 0; i < parameters.size(); ++i) {
    state_.SetUpInput(parameters[i], i < inputs.size() ? inputs[i] : Type(),
                      i < contents.size() ? contents[i] : Value());
  }
  Schedule::Worklist outer;
  state_.schedule.Swap(&outer);
  ++state_.nesting;
  VisitInOrder(region);
  RunRegionToFixedPoint(region);
  --state_.nesting;
  state_.schedule.Swap(&outer);
  return {};
}

// Visits the nodes of a region in order, from an index on. A trial ends at the first failure.
void Engine::VisitInOrder(RegionId region, size_t first) {
  const std::vector<NodeId>& order = state_.regions[region].order;
  if (order.empty()) {
    state_.OrderNodes(region);
  } else {
    for (size_t i = first; i < order.size(); ++i) state_.schedule.Hold(order[i]);
  }
  const RegionId outer = std::exchange(state_.running, region);
  for (size_t i = first; i < order.size(); ++i) {
    state_.schedule.Release(order[i]);
    Visit(order[i]);
    if (trials_.DecideAfterVisit(order[i])) {
      stamps_.ForgetNested(order[i]);
      Visit(order[i]);
    }
    if (state_.is_trial && state_.Fails(order[i])) break;
  }
  state_.running = outer;
}

void Engine::RunRegionToFixedPoint(RegionId region) {
  const auto visit = [this](NodeId node) { Visit(node); };
  for (int round = 0; round < kRegionRounds; ++round) {
    const uint64_t before = state_.budget.visits;
    VisitStale(state_.regions[region].order, visit);
    RunWorklist(visit);
    if (state_.budget.visits == before) break;
  }
}

}  // namespace dimwise
