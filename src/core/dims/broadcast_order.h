// Which of two sizes that meet in broadcasting is the result, where neither is known to be 1.
#ifndef DIMWISE_CORE_DIMS_BROADCAST_ORDER_H_
#define DIMWISE_CORE_DIMS_BROADCAST_ORDER_H_

#include "dimwise/condition.h"
#include "dimwise/dim.h"

namespace dimwise {

// Whether x is the result of x and d wherever they broadcast: d is between 1 and x, or min(x, k) with k >= 1.
// Then d is 1, or it is x. `holds` tells whether a literal does for sure.
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
