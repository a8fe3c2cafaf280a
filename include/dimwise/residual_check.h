// A ResidualCheck denotes a condition that must hold when a node of a program runs, and that inference relied
// on and could not show.
//
// A node that may never run (it stands in a branch, in the body of a loop, or nothing uses its results) and
// fails wherever it does has one that is false at all sizes: `1 == 0`. Inference::certain tells such nodes.
#ifndef DIMWISE_RESIDUAL_CHECK_H_
#define DIMWISE_RESIDUAL_CHECK_H_

#include <string>

#include "dimwise/condition.h"
#include "dimwise/diagnostic.h"
#include "dimwise/graph.h"

namespace dimwise {

struct ResidualCheck {
  Condition condition;
  std::string message;
  Code code = Code::kRequirement;
  NodeId node = kNoNode;
};

}  // namespace dimwise

#endif  // DIMWISE_RESIDUAL_CHECK_H_
