// Simplifies expressions that have one value where a remainder is 0 and another value elsewhere. Padding a
// size up to a multiple creates them.
#ifndef DIMWISE_CORE_DIMS_ROUNDING_UP_H_
#define DIMWISE_CORE_DIMS_ROUNDING_UP_H_

#include <optional>

#include "core/dims/exact_division.h"
#include "dimwise/dim.h"

namespace dimwise {

// Returns d as p % m with m > 0, or nullopt. The division is exact where d is 0.
std::optional<ExactDivision> AsRemainder(DimTable& table, Dim d);

// Returns an expression of ceildiv(p, m) that is `at_zero` where p % m is 0 and `otherwise` elsewhere, or
// none. Elsewhere, floordiv(p, m) is ceildiv(p, m) - 1.
Dim ByCeiling(DimTable& table, const ExactDivision& r, Dim at_zero, Dim otherwise);

// Returns whether d is 0 wherever `which`, which is 0 or 1, is 0. There, divisions in d become exact.
bool IsZeroUnless(DimTable& table, Dim which, Dim d);

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_ROUNDING_UP_H_
