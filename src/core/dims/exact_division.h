// Floor divisions with a known remainder, and sums with such a division eliminated.
#ifndef DIMWISE_CORE_DIMS_EXACT_DIVISION_H_
#define DIMWISE_CORE_DIMS_EXACT_DIVISION_H_

#include <cstdint>

#include "dimwise/dim.h"

namespace dimwise {

// An atom floordiv(p, m) with m > 0, and the value of m times the atom.
struct ExactDivision {
  Dim quotient;
  int64_t divisor;
  Dim whole;
};

// Returns d times the divisor to the power, with each divisor*quotient replaced by the whole. Returns none if
// the quotient occurs in a higher power.
Dim TimesDivisor(DimTable& table, Dim d, const ExactDivision& division, int power = 1);

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_EXACT_DIVISION_H_
