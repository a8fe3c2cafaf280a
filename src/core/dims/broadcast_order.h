// Decides which of two sizes is the result of broadcasting them, if neither is known to be 1.
#ifndef DIMWISE_CORE_DIMS_BROADCAST_ORDER_H_
#define DIMWISE_CORE_DIMS_BROADCAST_ORDER_H_

#include "dimwise/condition.h"
#include "dimwise/dim.h"

namespace dimwise {

// Returns whether broadcast(x, d) is x at all sizes where it is defined. This is so if d is between 1 and x,
// or if d is min(x, k) with k >= 1: then d is 1 or x. `holds` returns whether a literal is certain to hold.
template <typename Holds>
bool GivesWayTo(DimTable& table, Dim x, Dim d, const Holds& holds) {
  const Dim above = table.Subtract(x, d);
  if (above.is_expression() && table.Kind(above) == DimKind::kMaxZero &&  // d is x - max(0, x - k)
      holds(AtLeast(table, table.Subtract(x, table.Operands(above)[0]), 1))) {
    return true;
  }
  return holds(AtLeast(table, x, d)) && holds(AtLeast(table, d, 1));
}

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_BROADCAST_ORDER_H_
