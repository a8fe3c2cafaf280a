// Nodes whose operand says what their constants mean: a Reshape, a Slice that takes all of an axis, a Resize
// that keeps its size.
#ifndef DIMWISE_INFER_GENERALIZE_REALIGN_H_
#define DIMWISE_INFER_GENERALIZE_REALIGN_H_

#include <span>
#include <vector>

#include "infer/generalize/attempt.h"
#include "infer/generalize/reshape_alignment.h"

namespace dimwise {

// The changes that such nodes need up to a place in the order of the program, where what they depend on needs
// none. `baseline` is the program as it was; nodes that were changed before are left alone.
std::vector<SizeChange> FindRealignments(const Attempt& attempt, const Attempt& baseline, size_t last_place,
                                         std::span<const SizeChange> made, Joining joining);

// The same in one walk over the body, in which each node sees the changes of those before it; it ends where a
// node fails. What is in the regions of nodes, and checks, are left to the other.
std::vector<SizeChange> RealignForward(Attempt& begun, const Attempt& baseline,
                                       std::span<const SizeChange> made, Joining joining);

}  // namespace dimwise

#endif  // DIMWISE_INFER_GENERALIZE_REALIGN_H_
