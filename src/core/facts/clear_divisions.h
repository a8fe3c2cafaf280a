// Finds divisions with a known remainder, and removes them from sums by multiplication with the divisor.
//
// Identities (core/dims/identities.h): MultipleOfExactQuotient, MultipleOfNestedQuotient,
// ProductOfExactQuotients. For example, 49*(H//7)*(W//7) and 49*(H*W//49) are both H*W if H % 7 and W % 7 are
// 0.
#ifndef DIMWISE_CORE_FACTS_CLEAR_DIVISIONS_H_
#define DIMWISE_CORE_FACTS_CLEAR_DIVISIONS_H_

#include <optional>
#include <span>

#include "core/dims/exact_division.h"
#include "dimwise/dim.h"

namespace dimwise {

class FactSource;

// Returns the division that the atom is, if the divisor is a constant and the remainder is known.
std::optional<ExactDivision> AsExactDivision(DimTable& table, const FactSource& source, Dim atom);

// Returns the atom as the division of an inner quotient with a known remainder: H//28 is (H//4)//7, and
// (H + 24)//28 is (H//4 + 6)//7. The divisions by 7 are exact if (H//4) % 7 is 0.
// REQUIRES: the atom is a floor division by a constant.
std::optional<ExactDivision> FromQuotient(DimTable& table, const FactSource& source, Dim atom);

// Multiplies all sums by the same positive number to remove divisions. Returns whether it removed any.
bool ClearDivisions(DimTable& table, const FactSource& source, std::span<Dim> sums);

}  // namespace dimwise

#endif  // DIMWISE_CORE_FACTS_CLEAR_DIVISIONS_H_
