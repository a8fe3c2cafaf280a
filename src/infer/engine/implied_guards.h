// Drops guards of a program that other guards of the same region imply, in whatever order they are listed.
// guard_list.h states which ones.
#ifndef DIMWISE_INFER_ENGINE_IMPLIED_GUARDS_H_
#define DIMWISE_INFER_ENGINE_IMPLIED_GUARDS_H_

#include <vector>

#include "dimwise/inference.h"
#include "infer/engine/state/program_state.h"

namespace dimwise {

void DropImpliedGuards(const ProgramState& state, std::vector<ResidualGuard>* guards);

// Returns the divisors in a clause that are not constants, inner ones first.
std::vector<Dim> DivisorsIn(const DimTable& dims, const Clause& clause);

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_IMPLIED_GUARDS_H_
