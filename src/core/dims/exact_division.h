// Divisions that leave a known remainder, and sums without them.
#ifndef DIMWISE_CORE_DIMS_EXACT_DIVISION_H_
#define DIMWISE_CORE_DIMS_EXACT_DIVISION_H_

#include <cstdint>

#include "dimwise/dim.h"

namespace dimwise {

// An atom floordiv(p, m) with m > 0, and what m times the atom is.
struct ExactDivision {
  Dim quotient;
  int64_t divisor;
  Dim whole;
};

// d times the divisor to the power, with the whole in the place of the quotient. None where the quotient
// stands in a higher power.
Dim TimesDivisor(DimTable& table, Dim d, const ExactDivision& division, int power = 1);

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_EXACT_DIVISION_H_
