// Lists the guards of a program: the conditions that inference relied on and could not prove, each once.
//
// 1. A guard is omitted if it follows from given facts, from guarantees of earlier nodes, or from earlier
//    guards in its region or around it. So two guards never imply each other's omission, and a guard inside a
//    branch or loop, which may not run, makes no guard outside superfluous.
// 2. Of several lower bounds of one form in a region, the largest stays; of several clauses, the shortest. A
//    condition on one size is omitted if the other conditions on this size imply it (core/facts/size_set.h).
//    A condition that sizes broadcast is omitted if a later one contains all its sizes.
// 3. Conditions for the validity of sizes (IsValidityCondition) are omitted if requirements imply them. If a
//    requirement is equal to an assumption of an earlier node, only the assumption is listed: where it fails,
//    the sizes in the requirement are not valid either.
// 4. A condition on several sizes is split into conditions on single sizes if that is equivalent
//    (core/facts/literal_parts.h). A long condition that only bounds one size is replaced by its bounds.
// 5. A node that fails whenever it runs, and may not run, has a guard that is false (Never).
#ifndef DIMWISE_INFER_ENGINE_GUARD_LIST_H_
#define DIMWISE_INFER_ENGINE_GUARD_LIST_H_

#include <vector>

#include "dimwise/inference.h"
#include "infer/engine/state/program_state.h"

namespace dimwise {

// Returns the nodes that have effects, in program order.
std::vector<NodeId> NodesWithEffects(const ProgramState& state);

// Returns the guards of these nodes.
std::vector<ResidualGuard> GuardsOf(const ProgramState& state, std::vector<NodeId> nodes);

// Returns the guards of these nodes that do not follow from the facts and from listed guards.
std::vector<ResidualGuard> GuardsBeyond(const ProgramState& state, std::vector<NodeId> nodes,
                                        std::span<const ResidualGuard> listed);

// Calls visit(node) for each node in program order. The nodes in the regions of a node come before it.
void ForEachInOrder(const Graph& graph, const std::function<void(NodeId)>& visit);

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_GUARD_LIST_H_
