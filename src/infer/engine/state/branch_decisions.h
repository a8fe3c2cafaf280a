// BranchDecisions holds the branches that are taken in every run that does not fail, although their condition
// is unknown: an enclosing branch has the same condition, or the other branch leads to a failure.
#ifndef DIMWISE_INFER_ENGINE_STATE_BRANCH_DECISIONS_H_
#define DIMWISE_INFER_ENGINE_STATE_BRANCH_DECISIONS_H_

#include <tsl/robin_map.h>

#include "dimwise/dim.h"
#include "dimwise/graph.h"

namespace dimwise {

struct BranchDecision {
  bool taken = false;  // whether the condition is true
  // The condition at the time of the decision, which the run has to satisfy; none if it holds anyway.
  Dim condition;
};

class BranchDecisions {
 public:
  void Set(NodeId node, BranchDecision decision) { decisions_[Index(node)] = decision; }
  // Returns null if nothing is decided.
  const BranchDecision* Find(NodeId node) const {
    const auto it = decisions_.find(Index(node));
    return it == decisions_.end() ? nullptr : &it->second;
  }

 private:
  tsl::robin_map<uint32_t, BranchDecision> decisions_;  // by node
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_STATE_BRANCH_DECISIONS_H_
