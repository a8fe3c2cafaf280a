// The condition that sizes broadcast: all sizes other than 1 are equal.
//
// For two sizes it is the clause `N == M or N == 1 or M == 1`. For n sizes this would be n*(n - 1)/2 clauses,
// and pairs with one of the sizes are not enough: with N == 1 they allow M == 2 and K == 3. So it is one
// literal, `broadcastable(N, M, K)`: an expression that is 0 where the sizes broadcast and 1 elsewhere
// (DimTable::Conflict) equals 0.
#ifndef DIMWISE_CORE_DIMS_BROADCASTABLE_H_
#define DIMWISE_CORE_DIMS_BROADCASTABLE_H_

#include <span>

#include "dimwise/condition.h"

namespace dimwise {

// Returns the sizes of `broadcastable(N, M, ...)`, or of its negation; empty for another literal.
inline std::span<const Dim> BroadcastableSizes(const DimTable& table, const Literal& literal) {
  return table.Kind(literal.value) == DimKind::kConflict ? table.Operands(literal.value)
                                                         : std::span<const Dim>();
}

// Returns Conflict(sizes) if the normal clause states that these sizes broadcast, else none.
Dim ConflictOf(DimTable& table, const Clause& clause);

// Returns whether all sizes of one conflict are sizes of another one.
bool ContainsSizes(const DimTable& table, Dim conflict, Dim part);

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_BROADCASTABLE_H_
