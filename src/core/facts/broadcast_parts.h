// Splits the equality of a broadcast and one of its operands into conditions on the other operands.
#ifndef DIMWISE_CORE_FACTS_BROADCAST_PARTS_H_
#define DIMWISE_CORE_FACTS_BROADCAST_PARTS_H_

#include <vector>

#include "dimwise/condition.h"

namespace dimwise {

// BroadcastIsOperand (core/dims/identities.h): N == broadcast(N, M, K) is (M == 1 or M == N) and (K == 1 or
// K == N) wherever the sizes broadcast. Other literals of the clause are kept in each of the new clauses.
// Returns clauses that are equivalent to the clause together, or nothing if it has no such equality.
std::vector<Clause> WithoutBroadcasts(DimTable& table, const Clause& clause);

}  // namespace dimwise

#endif  // DIMWISE_CORE_FACTS_BROADCAST_PARTS_H_
