// Splits a literal about sizes into simpler literals that hold together exactly where it holds. Some sizes
// are known to be at least 1. These are the rows of kPartIdentities (core/dims/identities.h), for example:
//     N*K == 8*N                   K == 8
//     H*W == 4*(H//2)*(W//2)       H % 2 == 0 and W % 2 == 0, also of quotients that are rounded up
//     (H + 7)//8 == H//8           H % 8 == 0, also of products of such quotients
//     min(N, M) >= 8               N >= 8 and M >= 8
//     N == max(min(N, 8 - M), 0)   N + M <= 8
//     (N + 15)//32 == 1            N >= 17 and N <= 48
//     N*(8//M) == 0                M >= 9
#ifndef DIMWISE_CORE_FACTS_LITERAL_PARTS_H_
#define DIMWISE_CORE_FACTS_LITERAL_PARTS_H_

#include <vector>

#include "core/base/function_ref.h"
#include "dimwise/condition.h"

namespace dimwise {

// Returns the parts of a literal, or only its normal form if it has no parts. `is_positive` returns whether
// an atom is certainly at least 1.
std::vector<Literal> PartsOf(DimTable& table, const Literal& literal, FunctionRef<bool(Dim)> is_positive);

// Returns the first factor that all terms share and that is suitable, or none. Returns none if the value is
// this factor.
Dim SharedFactor(const DimTable& table, Dim value, FunctionRef<bool(Dim)> is_suitable);

// Returns false if PartsOf certainly returns only the literal itself. It is much cheaper than PartsOf.
bool MayHaveParts(const DimTable& table, const Literal& literal);

}  // namespace dimwise

#endif  // DIMWISE_CORE_FACTS_LITERAL_PARTS_H_
