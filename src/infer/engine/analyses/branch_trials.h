// BranchTrials selects a branch whose condition is unknown if its branches give different ranks. Exporters
// write such branches for "squeeze if the size is 1".
//
// The rest of the program is inferred once for each branch. If one of them leads to a failure in every run,
// the other one is taken in every run that does not fail.
#ifndef DIMWISE_INFER_ENGINE_ANALYSES_BRANCH_TRIALS_H_
#define DIMWISE_INFER_ENGINE_ANALYSES_BRANCH_TRIALS_H_

#include <optional>
#include <vector>

#include "infer/engine/state/program_state.h"

namespace dimwise {

// Infers the program as if a branch were taken.
class TrialRunner {
 public:
  virtual ~TrialRunner() = default;
  // Returns whether every run fails in which the condition of a branch is `taken`.
  virtual bool WouldFail(NodeId branch, bool taken) = 0;
};

class BranchTrials {
 public:
  BranchTrials(ProgramState& state, TrialRunner& runner) : state_(state), runner_(runner) {}

  // Notes a branch with unknown condition whose branches give different ranks. Does nothing if trials are
  // off, or if the branch may run several times.
  void LeaveOpen(NodeId branch);
  // Decides a node if its visit left it open. Returns whether it is decided now; then it has to be visited
  // again.
  bool DecideAfterVisit(NodeId node) { return node == untried_ && DecideUntried(); }
  // Returns the open branches of the body, and closes all.
  std::vector<NodeId> TakeOpen();
  // Decides a branch if the types that are known now allow it. Returns whether it is decided.
  bool Decide(NodeId branch);

 private:
  bool DecideUntried();
  std::optional<bool> BranchOfRank(NodeId branch) const;

  ProgramState& state_;
  TrialRunner& runner_;
  std::vector<NodeId> open_;
  NodeId untried_ = kNoNode;  // one of open_
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_ANALYSES_BRANCH_TRIALS_H_
