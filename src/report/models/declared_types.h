// Compares the type that a file declares for a result with the inferred type.
//
// A declaration is a claim. If it cannot be true, it is reported and the inferred type is used. A declaration
// that contains more than was inferred, or names a size, is no disagreement. The shapes of outputs are also
// compared for weaker declarations, which `dimwise infer` mentions.
#ifndef DIMWISE_REPORT_MODELS_DECLARED_TYPES_H_
#define DIMWISE_REPORT_MODELS_DECLARED_TYPES_H_

#include <optional>

#include "report/models/model_report.h"

namespace dimwise {

// Returns a warning if the declared and the inferred type cannot both be true.
std::optional<Diagnostic> Disagreement(const ModelReport& report, ValueId result);

// How the declared shape of an output compares with the inferred one.
enum class DeclaredShape {
  kAgrees,   // equal, or undeclared, or inference knows less; also if Disagreement reports the difference
  kWeaker,   // a size has no name, or a name that no input has, but inference knows the size
  kDiffers,  // another size, which may be equal in some runs
};
DeclaredShape CompareDeclaredShape(const ModelReport& report, ValueId output);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_DECLARED_TYPES_H_
