// Proves from facts that sizes broadcast.
#ifndef DIMWISE_CORE_FACTS_BROADCASTABLE_FACTS_H_
#define DIMWISE_CORE_FACTS_BROADCASTABLE_FACTS_H_

#include "core/facts/entailment.h"

namespace dimwise {

// Returns whether known conditions imply that the sizes of a conflict (DimTable::Conflict) broadcast: one
// condition on all of them (BroadcastableSubset), or conditions on all pairs (BroadcastableByPairs).
// REQUIRES: the conflict is simplified by the facts.
bool AreBroadcastable(DimTable& table, const FactSource& source, Dim conflict);

}  // namespace dimwise

#endif  // DIMWISE_CORE_FACTS_BROADCASTABLE_FACTS_H_
