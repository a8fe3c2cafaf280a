// The bounds of a sum with products, by how far its atoms lie above their least: with N == n + 1 and M == m +
// 1, N*M - N - M + 1 is n*m. Where all of its terms grow, a sum is at its least with all of its atoms.
#ifndef DIMWISE_CORE_DIMS_BOUNDS_FROM_LEAST_H_
#define DIMWISE_CORE_DIMS_BOUNDS_FROM_LEAST_H_

#include "core/base/function_ref.h"
#include "core/dims/dim_table.h"
#include "core/dims/interval.h"

namespace dimwise {

// Everything where that says no more than the terms do one by one, or an atom has no least.
Interval BoundsFromLeast(DimTable::Impl& table, const DimTable::Impl::Sum& sum,
                         FunctionRef<Interval(Dim)> bounds_of_atom);

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_BOUNDS_FROM_LEAST_H_
