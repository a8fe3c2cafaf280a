// The normal form of literals. It uses no facts, only the laws of kConditionIdentities (identities.h).
//
// Normalize(DimTable&, Literal) in condition.h applies the rules. This header declares the parts that other
// files use.
#ifndef DIMWISE_CORE_DIMS_NORMALIZE_LITERAL_H_
#define DIMWISE_CORE_DIMS_NORMALIZE_LITERAL_H_

#include "dimwise/condition.h"

namespace dimwise {

// Returns whether a implies b, as far as this follows without facts. REQUIRES: a is normal.
bool Implies(DimTable& table, const Literal& a, const Literal& b);

// CeilingIsExact: p rounded up to a multiple of m equals p exactly if p % m is 0. Returns p % m if `value` is
// the difference of the two, or its opposite, else `value`.
Dim CeilingIsExact(DimTable& table, Dim value);

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_NORMALIZE_LITERAL_H_
