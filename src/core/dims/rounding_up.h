// What a remainder decides: sizes that are one where it is 0 and another where it is not, as what is filled
// up to a multiple.
#ifndef DIMWISE_CORE_DIMS_ROUNDING_UP_H_
#define DIMWISE_CORE_DIMS_ROUNDING_UP_H_

#include <optional>

#include "core/dims/exact_division.h"
#include "dimwise/dim.h"

namespace dimwise {

// d as p % m with m > 0; nothing where it is none. Where that is 0, the division is exact.
std::optional<ExactDivision> AsRemainder(DimTable& table, Dim d);

// The expression of ceildiv(p, m) that is `at_zero` where p % m is 0 and `otherwise` where it is not; else
// none. Where it is not, floordiv(p, m) is ceildiv(p, m) - 1.
Dim ByCeiling(DimTable& table, const ExactDivision& r, Dim at_zero, Dim otherwise);

// Whether d is 0 wherever `which`, which is 0 or 1, is 0: then divisions in d are exact that make it 0.
bool IsZeroUnless(DimTable& table, Dim which, Dim d);

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_ROUNDING_UP_H_
