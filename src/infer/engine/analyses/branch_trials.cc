#include "infer/engine/analyses/branch_trials.h"

#include <algorithm>
#include <utility>

namespace dimwise {
namespace {

// Open branches of one program. Each is tried twice, right after its visit and again at the end, and a trial
// may infer the rest of the program.
constexpr size_t kMaxOpenBranches = 16;

}  // namespace

void BranchTrials::LeaveOpen(NodeId branch) {
  const bool may_try = state_.options.analyses.branch_trials && state_.options.backward &&
                       state_.hooks == nullptr && !state_.is_trial && state_.live(branch) &&
                       open_.size() < kMaxOpenBranches && state_.RunsAtMostOnce(state_.graph.region(branch));
  if (!may_try || std::ranges::find(open_, branch) != open_.end()) return;
  open_.push_back(branch);
  untried_ = branch;
}

bool BranchTrials::DecideUntried() {
  const NodeId branch = std::exchange(untried_, kNoNode);
  if (!Decide(branch)) return false;
  std::erase(open_, branch);
  return true;
}

std::vector<NodeId> BranchTrials::TakeOpen() {
  std::vector<NodeId> open = std::exchange(open_, {});
  std::erase_if(open, [&](NodeId branch) { return state_.graph.region(branch) != state_.graph.body(); });
  return open;
}

bool BranchTrials::Decide(NodeId branch) {
  std::optional<bool> taken = BranchOfRank(branch);
  // Users usually accept the result of the region for a true condition, so the other region is tried first.
  // If both fail, inference reports the failure of the region for a true condition.
  if (!taken && runner_.WouldFail(branch, false)) taken = true;
  if (!taken && runner_.WouldFail(branch, true)) taken = false;
  if (!taken) return false;
  state_.branches.Set(branch, {*taken, state_.ConditionOfBranch(branch)});
  return true;
}

// Returns the branch that gives the rank of a result, if users of the result refined its rank and only one
// branch gives it.
std::optional<bool> BranchTrials::BranchOfRank(NodeId branch) const {
  const Graph& graph = state_.graph;
  const RegionId if_true = state_.BranchOf(branch, true), if_false = state_.BranchOf(branch, false);
  if (if_true == kNoRegion || if_false == kNoRegion) return std::nullopt;
  const auto rank_of = [&](std::span<const ValueId> values, size_t i) {
    const Type type = i < values.size() ? state_.type(values[i]) : Type();
    return state_.IsIncomplete(type) || !type.is_tensor() ? -1 : type.shape.rank();
  };
  const std::span<const ValueId> results = graph.results(branch);
  for (size_t i = 0; i < results.size(); ++i) {
    const int rank = rank_of(results, i);
    const int rank_if_true = rank_of(graph.outputs(if_true), i);
    const int rank_if_false = rank_of(graph.outputs(if_false), i);
    if (rank < 0 || rank_if_true < 0 || rank_if_false < 0) continue;
    if ((rank == rank_if_true) != (rank == rank_if_false)) return rank == rank_if_true;
  }
  return std::nullopt;
}

}  // namespace dimwise
