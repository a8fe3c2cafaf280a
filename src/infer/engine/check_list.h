// What a program leaves to its run: every condition that inference relied on and could not show, once.
//
// In the order of the program a check is kept unless what the user gave, what nodes before it guarantee and
// the checks kept before it, in its region or around it, imply it. Then, of lower bounds of one form in one
// region the largest stays, of alternatives the fewest, and what is required of one size goes where the rest
// of what is required of it implies it (core/facts/size_set.h). So two checks never excuse each other, and a
// check inside a branch or a loop, which may not run, excuses nothing outside. What a shape merely rests on
// (`assume` in a rule, and a choice that the checks of other nodes decided) comes after all that nodes
// require, which mostly imply it. What a check asks of several sizes together is told size by size, where
// that says the same (core/facts/literal_parts.h), and what is long and only bounds one size as its bounds. A
// node that fails wherever it runs, and may not run, has a check that is false (Never).
#ifndef DIMWISE_INFER_ENGINE_CHECK_LIST_H_
#define DIMWISE_INFER_ENGINE_CHECK_LIST_H_

#include <vector>

#include "dimwise/inference.h"
#include "infer/engine/engine.h"

namespace dimwise {

// The nodes that left something behind, in the order of the program.
std::vector<NodeId> NodesWithRecords(const Engine& engine);

// Of these nodes.
std::vector<ResidualCheck> ChecksOf(const Engine& engine, std::vector<NodeId> nodes);

// Calls visit(node) for each live node in the order of the program: what stands in the regions that a node
// carries comes before it.
void ForEachInOrder(const Graph& graph, const std::function<void(NodeId)>& visit);

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_CHECK_LIST_H_
