// What an equality of a broadcast size and one of the sizes in it says of the others.
#ifndef DIMWISE_CORE_FACTS_BROADCAST_PARTS_H_
#define DIMWISE_CORE_FACTS_BROADCAST_PARTS_H_

#include <vector>

#include "dimwise/condition.h"

namespace dimwise {

// N == broadcast(N, M, K) is (M == 1 or M == N) and (K == 1 or K == N), wherever the sizes broadcast at all;
// and with alternatives beside it, (N == broadcast(N, M) or C) is (M == 1 or M == N or C). The clauses that
// say the same together; none where there is no such equality in the clause.
std::vector<Clause> WithoutBroadcasts(DimTable& table, const Clause& clause);

}  // namespace dimwise

#endif  // DIMWISE_CORE_FACTS_BROADCAST_PARTS_H_
