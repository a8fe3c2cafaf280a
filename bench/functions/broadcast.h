// Broadcasting: shapes that meet aligned at the right, where a size of 1 takes the other's.
//
// Nothing is merged silently. Where two sizes may or may not fit, the result is broadcast(a, b), and the
// clause `a == b or a == 1 or b == 1` a check; a size that is known not to be 1 is the result, and every
// other must be 1 or equal to it. Of several shapes any two must fit, which is all that broadcasting asks.
#ifndef DIMWISE_BENCH_FUNCTIONS_BROADCAST_H_
#define DIMWISE_BENCH_FUNCTIONS_BROADCAST_H_

#include <span>
#include <string_view>

#include "infer/operators/functions/operands.h"

namespace dimwise {

// The shape to which these broadcast, of which the i-th belongs to operand i. `part` says in messages which
// part of the operands they are: "the batch axes of ".
Result<Shape> BroadcastShapes(InferenceContext* c, std::span<const Shape> shapes, std::string_view part = {});
// The shape to which all operands broadcast.
Result<Shape> BroadcastInputs(InferenceContext* c);

// One direction: `from` must be 1 or equal to `to`.
Status RequireStretches(InferenceContext* c, Dim from, Dim to, Message message);

}  // namespace dimwise

#endif  // DIMWISE_BENCH_FUNCTIONS_BROADCAST_H_
