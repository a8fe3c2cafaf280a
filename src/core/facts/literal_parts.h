// What a literal says of sizes that are at least 1, part by part and without what says nothing in it:
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

// The parts, which hold together wherever the literal does; the literal alone, normalized, where there is no
// more to say. `is_positive`: whether an atom is certainly at least 1.
std::vector<Literal> PartsOf(DimTable& table, const Literal& literal, FunctionRef<bool(Dim)> is_positive);

// The first factor of all terms that suits, else none; never all that there is.
Dim SharedFactor(const DimTable& table, Dim value, FunctionRef<bool(Dim)> suits);

// False where it certainly has none but itself; cheap.
bool MayHaveParts(const DimTable& table, const Literal& literal);

}  // namespace dimwise

#endif  // DIMWISE_CORE_FACTS_LITERAL_PARTS_H_
