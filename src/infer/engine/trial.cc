// Trials of branches: the rest of the program is inferred by an engine of its own as if a branch were taken.
#include "infer/engine/engine.h"

namespace dimwise {
namespace {

// Limit on visits in all trials of a program: a multiple of its nodes plus a constant, for small programs.
constexpr uint64_t kTrialVisitsPerNode = 4, kMoreTrialVisits = 4096;

}  // namespace

// The types of other nodes, and their guards so far, hold in the trial too.
bool Engine::WouldFail(NodeId branch, bool taken) {
  if (trial_visits_ > kTrialVisitsPerNode * graph_.node_count() + kMoreTrialVisits) return false;
  Facts& facts = state_.analysis.facts();
  CallSite site = state_.site;
  site.scope = facts.NewScope(state_.ScopeOf(branch));
  site.nesting = state_.nesting;
  bool fails = false;
  {
    Engine trial(graph_, state_.registry, state_.options, site);
    trial.StartFrom(*this);
    trial.state_.branches.Set(branch, {taken, state_.ConditionOfBranch(branch)});
    fails = trial.FailsFrom(branch);
    TakeOrdersFrom(trial);
    state_.budget.visits += trial.state_.budget.visits;
    trial_visits_ += trial.state_.budget.visits;
  }
  facts.DropScope(site.scope);
  return fails;
}

// Copies the parts of the state that do not depend on the trial.
void Engine::StartFrom(const Engine& other) {
  state_.is_trial = true;
  state_.values = other.state_.values;
  state_.branches = other.state_.branches;
  branch_memory_ = other.branch_memory_;
  numbering_.CopyFrom(other.numbering_);
  data_sizes_.ShareKeys(other.data_sizes_);
  if (other.state_.has_cuts) return;
  state_.schedule.CopyOrder(other.state_.schedule);
  state_.live_nodes.CopyFrom(other.state_.live_nodes);
  for (uint32_t r = 0; r < state_.regions.size(); ++r)
    state_.regions[RegionId{r}].order = other.state_.regions[RegionId{r}].order;
}

// Takes over the orders of regions that were first ordered in the trial.
void Engine::TakeOrdersFrom(const Engine& trial) {
  if (state_.has_cuts || trial.state_.has_cuts) return;
  for (uint32_t r = 0; r < state_.regions.size(); ++r) {
    std::vector<NodeId>& order = state_.regions[RegionId{r}].order;
    if (order.empty()) order = trial.state_.regions[RegionId{r}].order;
  }
  state_.schedule.CopyOrder(trial.state_.schedule);
  state_.live_nodes.CopyFrom(trial.state_.live_nodes);
}

// Infers the region of a node from this node on. Returns whether it fails in every run.
bool Engine::FailsFrom(NodeId node) {
  const RegionId region = graph_.region(node);
  for (RegionId r = region; r != kNoRegion; r = graph_.parent(r)) {
    state_.regions[r].scope = state_.site.scope;
    state_.regions[r].entered = true;
  }
  if (state_.regions[region].order.empty()) state_.OrderNodes(region);
  facts_seen_ = state_.analysis.facts().version(state_.site.scope);
  VisitInOrder(region, state_.has_cuts ? 0 : state_.schedule.position(node));
  if (state_.FailsIn(region)) return true;
  if (region == graph_.body()) {
    RunToFixedPoint();
  } else {
    RunRegionToFixedPoint(region);
  }
  return state_.FailsIn(region);
}

}  // namespace dimwise
