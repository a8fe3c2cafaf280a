// Bounds a sum with products by shifting each atom to its lower bound. With N == n + 1 and M == m + 1, N*M -
// N - M + 1 is n*m. If no shifted term has a negative coefficient, the sum is smallest where all atoms are
// smallest.
#ifndef DIMWISE_CORE_DIMS_BOUNDS_FROM_LEAST_H_
#define DIMWISE_CORE_DIMS_BOUNDS_FROM_LEAST_H_

#include "core/base/function_ref.h"
#include "core/dims/dim_table.h"
#include "core/dims/interval.h"

namespace dimwise {

// Returns everything if the shift cannot improve on the bounds of single terms, or if an atom has no lower
// bound.
Interval BoundsFromLeast(DimTable::Impl& table, const DimTable::Impl::Sum& sum,
                         FunctionRef<Interval(Dim)> bounds_of_atom);

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_BOUNDS_FROM_LEAST_H_
