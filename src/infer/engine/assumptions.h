// Determines which assumptions about the inputs the results of inference depend on.
//
// The results follow from the used assumptions if inference with them alone gives the same types, contents
// and findings, and if all guards that it leaves follow from the reported guards. To find few such
// assumptions, the program is inferred once more, first without any:
// 1. A node is visited. If its results differ from those with all assumptions, the assumptions about the
//    symbols that it queried are put back, and each that it does not need is set aside again. What is in
//    place stays for the remaining nodes. So each node follows from the assumptions that are in place at the
//    end.
// 2. At the fixed point, types are compared as they are reported, and guards that do not follow from the
//    reported guards put back the assumptions about their symbols.
// 3. The results of all nodes are compared once more. If any differs, or if the limit of work is reached, the
//    assumptions that are still aside are reported as used. This is sound: there are too many, never too few.
// So in a program of many similar layers, each layer is evaluated a few times, whatever the number of layers
// is. If either of two assumptions suffices, usually only the first one is used.
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

// Sets for each assumption whether it is used, and the first node that needs it. `type` returns the reported
// type of a value; `guards` are the reported guards. All assumptions are in place again at the end.
//
// REQUIRES: the program was inferred, and these are its assumptions.
void FindUsed(Engine& engine, const std::function<Type(ValueId)>& type,
              const std::vector<ResidualGuard>& guards, std::vector<Assumption>* assumptions);

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_ASSUMPTIONS_H_
