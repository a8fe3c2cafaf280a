// A choice between two expressions.
#ifndef DIMWISE_CORE_DIMS_DIM_SELECT_H_
#define DIMWISE_CORE_DIMS_DIM_SELECT_H_

#include "dimwise/dim.h"

namespace dimwise {

// 1 where t >= 0, else 0.
Dim OneIfNotNegative(DimTable& table, Dim t);
// Of a condition, an expression of 0 and 1: whether it may be one that holds only where t >= 0, and whether
// one that holds only where t < 0. That is seen at sample points before it is looked for by computing.
struct SignSaid {
  bool not_negative, negative;
};
SignSaid SignSaidBy(const DimTable& table, Dim condition, Dim t);
// 1 where t is 0, else 0.
Dim OneIfZero(DimTable& table, Dim t);
// a where `which` is 1, b where it is 0. REQUIRES: which is never anything else.
Dim Select(DimTable& table, Dim which, Dim a, Dim b);
// d with the symbols that are choices written out, where that is not too large.
Dim Unfold(DimTable& table, Dim d);

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_DIM_SELECT_H_
