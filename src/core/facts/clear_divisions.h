// Divisions that leave no remainder, as far as the facts show, taken out of sums by multiplying with what
// they divide by: floordiv(H, 7)*floordiv(W, 7) and floordiv(H*W, 49), both times 49, are H*W.
#ifndef DIMWISE_CORE_FACTS_CLEAR_DIVISIONS_H_
#define DIMWISE_CORE_FACTS_CLEAR_DIVISIONS_H_

#include <optional>
#include <span>

#include "core/dims/exact_division.h"
#include "dimwise/dim.h"

namespace dimwise {

class FactSource;

// The division that an atom is, where that is by a number and the remainder is known; else nothing.
std::optional<ExactDivision> AsExactDivision(DimTable& table, const FactSource& source, Dim atom);

// The same only by a part of the way whose remainder is known: H//28 is (H//4)/7 where (H//4) % 7 is 0,
// and so is (H + 24)//28, which is (H//4 + 6)//7.
// REQUIRES: the atom is a division by a number.
std::optional<ExactDivision> FromQuotient(DimTable& table, const FactSource& source, Dim atom);

// Multiplies all the sums by the same positive number, so that they have fewer divisions. Whether they have.
bool ClearDivisions(DimTable& table, const FactSource& source, std::span<Dim> sums);

}  // namespace dimwise

#endif  // DIMWISE_CORE_FACTS_CLEAR_DIVISIONS_H_
