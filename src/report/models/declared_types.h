// What a file declares of a result, held against what was inferred.
//
// A declaration is a claim: one that cannot be true is told, and what was inferred is kept. One that says
// more than is known, or gives a size a name of its own, is no disagreement.
#ifndef DIMWISE_REPORT_MODELS_DECLARED_TYPES_H_
#define DIMWISE_REPORT_MODELS_DECLARED_TYPES_H_

#include <optional>

#include "report/models/model_report.h"

namespace dimwise {

// A warning, where the two cannot both be true.
std::optional<Diagnostic> Disagreement(const ModelReport& report, ValueId result);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_DECLARED_TYPES_H_
