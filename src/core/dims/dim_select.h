// A choice between two expressions. dim_select.cc describes the closed forms.
#ifndef DIMWISE_CORE_DIMS_DIM_SELECT_H_
#define DIMWISE_CORE_DIMS_DIM_SELECT_H_

#include "dimwise/dim.h"

namespace dimwise {

// Returns 1 where t >= 0, else 0.
Dim OneIfNotNegative(DimTable& table, Dim t);
// Whether a condition (an expression with values 0 and 1) may imply t >= 0, and whether it may imply t < 0.
// Sample points decide this before any proof is tried.
struct ImpliedSign {
  bool not_negative, negative;
};
ImpliedSign SignImpliedBy(const DimTable& table, Dim condition, Dim t);
// Returns 1 where t is 0, else 0.
Dim OneIfZero(DimTable& table, Dim t);
// Returns a where `which` is 1, and b where it is 0. REQUIRES: which is 0 or 1.
Dim Select(DimTable& table, Dim which, Dim a, Dim b);
// Returns d with the symbols that are choices expanded, unless the result is too large.
Dim Unfold(DimTable& table, Dim d);

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_DIM_SELECT_H_
