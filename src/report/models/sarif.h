// Writes findings as SARIF 2.1.0 for code scanners and editors. A document is the head, the results of each
// model separated by commas, and the tail.
#ifndef DIMWISE_REPORT_MODELS_SARIF_H_
#define DIMWISE_REPORT_MODELS_SARIF_H_

#include <span>
#include <string>

#include "dimwise/diagnostic.h"

namespace dimwise {

std::string SarifHead();
std::string SarifResults(std::span<const Diagnostic> findings);
std::string SarifTail();

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_SARIF_H_
