// Explains where a symbol of a report comes from, either from a type or only from a guard.
#ifndef DIMWISE_REPORT_EXPLAIN_SYMBOL_EXPLANATION_H_
#define DIMWISE_REPORT_EXPLAIN_SYMBOL_EXPLANATION_H_

#include <string>
#include <string_view>

#include "report/models/model_report.h"
#include "report/text/text_style.h"

namespace dimwise {

// Returns the explanation, or "" if the report does not contain a symbol of that name.
std::string ExplainSymbol(const ModelReport& report, std::string_view name, Colour colour);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_EXPLAIN_SYMBOL_EXPLANATION_H_
