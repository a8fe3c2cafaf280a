// Prints findings as commands of a GitHub workflow, which shows them beside the change:
//   ::error file=bert.onnx,title=DW0103 requirement::MatMul multiplies 64 columns by 32 rows
#ifndef DIMWISE_REPORT_MODELS_GITHUB_H_
#define DIMWISE_REPORT_MODELS_GITHUB_H_

#include <span>
#include <string>

#include "dimwise/diagnostic.h"

namespace dimwise {

std::string GithubText(std::span<const Diagnostic> findings);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_GITHUB_H_
