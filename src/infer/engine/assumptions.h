// Determines which assumptions about the inputs the results of inference depend on.
//
// An assumption is used if some result would be different without it: a type, contents, a guard or a finding.
// A test withdraws an assumption from the facts, evaluates the nodes that queried its symbols again, as after
// any edit, and compares the results. An assumption without effect stays withdrawn during later tests. So if
// either of two assumptions suffices, only one is used; and all results follow from the used assumptions.
// Assumptions are tested in halves, since usually few of many are used.
//
// If many are used, for example because each layer of a network has its own sizes, a test of each with the
// whole program takes quadratic time. So all are withdrawn first. The nodes whose results differ then are
// tested one by one (assumption_needs.h). An assumption that changes the type of a node, with all others in
// place, is used. The whole program is evaluated only for assumptions that single nodes do not decide.
//
// Ranks and element types that users refined are not withdrawn; no assumption decides them.
#ifndef DIMWISE_INFER_ENGINE_ASSUMPTIONS_H_
#define DIMWISE_INFER_ENGINE_ASSUMPTIONS_H_

#include <functional>
#include <vector>

#include "dimwise/inference.h"
#include "infer/engine/engine.h"

namespace dimwise {

// Returns the assumptions of a program, all as used.
std::vector<Assumption> AssumptionsOf(const Engine& engine);

// Sets for each assumption whether it is used, and the first node whose result would be different without it.
// `type` returns the reported type of a value. All assumptions are in place again at the end.
//
// REQUIRES: the program was inferred, and these are its assumptions.
void FindUsed(Engine& engine, const std::function<Type(ValueId)>& type, std::vector<Assumption>* assumptions);

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_ASSUMPTIONS_H_
