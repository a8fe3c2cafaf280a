// Decides which of two sizes is the result of broadcasting them, if neither is known to be 1.
#ifndef DIMWISE_CORE_DIMS_BROADCAST_ORDER_H_
#define DIMWISE_CORE_DIMS_BROADCAST_ORDER_H_

#include "dimwise/condition.h"
#include "dimwise/dim.h"

namespace dimwise {

// Returns s if d is max(0, s), else none. The normal form of max(0, s) is an atom or, for the opposite of the
// operand of an atom, the atom minus its operand.
Dim AsMaxZero(DimTable& table, Dim d);

// Returns whether broadcast(x, d) is x at all sizes where it is defined (BroadcastOfLarger and
// BroadcastOfMinimumWithSize in identities.h): d is between 1 and x, or d is min(x, k) with k >= 1. `holds`
// returns whether a literal is certain to hold.
template <typename Holds>
bool Absorbs(DimTable& table, Dim x, Dim d, const Holds& holds) {
  const Dim above = AsMaxZero(table, table.Subtract(x, d));  // d is x - max(0, x - k)
  if (!above.is_none() && holds(AtLeast(table, table.Subtract(x, above), 1))) return true;
  return holds(AtLeast(table, x, d)) && holds(AtLeast(table, d, 1));
}

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_BROADCAST_ORDER_H_
