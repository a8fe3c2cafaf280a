// What a program leaves to its run: every condition that inference relied on and could not show, once.
//
// In the order of the program a check is kept unless the given facts and the checks kept before it, in its
// region or around it, imply it. So two checks never excuse each other, and a check inside a branch or a
// loop, which may not run, excuses nothing outside.
#ifndef DIMWISE_INFER_CHECK_LIST_H_
#define DIMWISE_INFER_CHECK_LIST_H_

#include <vector>

#include "infer/engine.h"

namespace dimwise {

struct ProgramCheck {
  Condition condition;
  std::string message;
  Code code = Code::kRequirement;
  NodeId node = kNoNode;
};

std::vector<ProgramCheck> ChecksOf(const Engine& engine);

// Calls visit(node) for each live node in the order of the program: what stands in the regions that a node
// carries comes before it.
void ForEachInOrder(const Graph& graph, const std::function<void(NodeId)>& visit);

}  // namespace dimwise

#endif  // DIMWISE_INFER_CHECK_LIST_H_
