// Which assumptions what was found rests on.
//
// An assumption is used where an answer would be another without it: the type or the contents of a value, a
// check, a finding. To find out, the engine takes it from the facts and visits who asked about its symbols,
// as after any edit, and what comes out is compared. Two assumptions of which either would do excuse each
// other only once: what was found superfluous stays out while the next one is tried, so all that was found
// follows from those that are left. They are tried in halves, since mostly a few of many are used.
//
// Where many are used, as where each layer of a network has sizes of its own, a trial of each with the whole
// program takes the square of its size. So first all are out at once. Of the nodes of which something else is
// told then, each is asked by itself which it needs (assumption_needs.h). An assumption that a node needs for
// a type, with all others there, is used; the whole program is tried for those of which the nodes do not
// tell.
//
// What is left out: ranks and element types that a value learnt from its users stay learnt; no assumption
// decides those.
#ifndef DIMWISE_INFER_ENGINE_ASSUMPTIONS_H_
#define DIMWISE_INFER_ENGINE_ASSUMPTIONS_H_

#include <functional>
#include <vector>

#include "dimwise/inference.h"
#include "infer/engine/engine.h"

namespace dimwise {

// All of them, as used.
std::vector<Assumption> AssumptionsOf(const Engine& engine);

// REQUIRES: the engine has run, and these are its assumptions. `type` answers what is told of a value now.
// The engine settles again with all of them.
void FindUsed(Engine& engine, const std::function<Type(ValueId)>& type, std::vector<Assumption>* assumptions);

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_ASSUMPTIONS_H_
