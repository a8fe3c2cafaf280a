// A ResidualGuard denotes a guard of a program: a condition that must hold when a node runs. Inference relied
// on the condition but could not prove it.
//
// A node that fails wherever it runs, but may not run, has a guard that is always false: `1 == 0`. Such a
// node is in a branch or a loop body, or its results are unused. Inference::certain identifies these nodes.
#ifndef DIMWISE_RESIDUAL_GUARD_H_
#define DIMWISE_RESIDUAL_GUARD_H_

#include <string>

#include "dimwise/condition.h"
#include "dimwise/diagnostic.h"
#include "dimwise/graph.h"

namespace dimwise {

struct ResidualGuard {
  Condition condition;
  std::string message;
  Code code = Code::kRequirement;
  NodeId node = kNoNode;
};

}  // namespace dimwise

#endif  // DIMWISE_RESIDUAL_GUARD_H_
