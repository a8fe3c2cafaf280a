// Finds changes of nodes whose operand determines their constants: a Reshape, a Slice of a whole axis, a
// Resize that keeps a size.
#ifndef DIMWISE_INFER_GENERALIZE_REALIGN_H_
#define DIMWISE_INFER_GENERALIZE_REALIGN_H_

#include <span>
#include <vector>

#include "infer/generalize/attempt.h"
#include "infer/generalize/reshape_alignment.h"

namespace dimwise {

// Returns the changes of such nodes up to `last_position` in program order. Nodes that depend on another
// changed node are left out. `baseline` is the original program. Nodes in `made` are not changed again.
std::vector<SizeChange> FindRealignments(const Attempt& attempt, const Attempt& baseline,
                                         size_t last_position, std::span<const SizeChange> made,
                                         Joining joining);

// Finds the changes in one walk over the body, in which each node sees the changes before it. The walk ends
// at the first node that fails. Nodes in regions and guards are left to FindRealignments.
std::vector<SizeChange> RealignForward(Attempt& begun, const Attempt& baseline,
                                       std::span<const SizeChange> made, Joining joining);

}  // namespace dimwise

#endif  // DIMWISE_INFER_GENERALIZE_REALIGN_H_
