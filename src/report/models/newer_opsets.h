// Warns about models with operators of a version that the built-in rules do not know.
#ifndef DIMWISE_REPORT_MODELS_NEWER_OPSETS_H_
#define DIMWISE_REPORT_MODELS_NEWER_OPSETS_H_

#include <vector>

#include "dimwise/diagnostic.h"
#include "dimwise/graph.h"

namespace dimwise {

// Returns a warning for each operator set that the nodes use in a version newer than all known ones. The
// newest known definition of each operator is then used, which may differ.
std::vector<Diagnostic> NewerOpsets(const Graph& graph);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_NEWER_OPSETS_H_
