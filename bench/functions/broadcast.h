// Broadcasting: shapes are aligned at the right, and a size of 1 takes the size of the other shape.
//
// No sizes are merged silently. If two sizes may or may not be compatible, the result is broadcast(a, b), and
// the clause `a == b or a == 1 or b == 1` is a guard. If a size is known not to be 1, it is the result, and
// every other size must be 1 or equal to it. Several shapes are compatible if any two of them are.
#ifndef DIMWISE_BENCH_FUNCTIONS_BROADCAST_H_
#define DIMWISE_BENCH_FUNCTIONS_BROADCAST_H_

#include <span>
#include <string_view>

#include "infer/operators/operands.h"

namespace dimwise {

// Returns the shape to which these shapes broadcast; shape i belongs to operand i. `part` is inserted in
// messages, such as "the batch axes of ".
Result<Shape> BroadcastShapes(InferenceContext* c, std::span<const Shape> shapes, std::string_view part = {});
// Returns the shape to which all operands broadcast.
Result<Shape> BroadcastInputs(InferenceContext* c);

// Requires that `from` is 1 or equal to `to`.
Status RequireStretches(InferenceContext* c, Dim from, Dim to, Message message);

}  // namespace dimwise

#endif  // DIMWISE_BENCH_FUNCTIONS_BROADCAST_H_
