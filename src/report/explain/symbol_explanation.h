// Explains where a symbol of a report comes from, either from a type or only from a guard.
#ifndef DIMWISE_REPORT_EXPLAIN_SYMBOL_EXPLANATION_H_
#define DIMWISE_REPORT_EXPLAIN_SYMBOL_EXPLANATION_H_

#include <optional>
#include <string_view>

#include "report/explain/explained_size.h"
#include "report/models/model_report.h"

namespace dimwise {

// Returns the explanation, or nothing if the report does not contain a symbol of that name.
std::optional<ExplainedSize> ExplainSymbol(const ModelReport& report, std::string_view name);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_EXPLAIN_SYMBOL_EXPLANATION_H_
