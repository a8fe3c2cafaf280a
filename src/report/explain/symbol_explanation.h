// Where a symbol of a report comes from: `u1` of a type, or one that only a check speaks of.
#ifndef DIMWISE_REPORT_EXPLAIN_SYMBOL_EXPLANATION_H_
#define DIMWISE_REPORT_EXPLAIN_SYMBOL_EXPLANATION_H_

#include <string>
#include <string_view>

#include "report/models/model_report.h"
#include "report/text/text_style.h"

namespace dimwise {

// Empty where reports speak of no symbol of that name.
std::string ExplainSymbol(const ModelReport& report, std::string_view name, Colour colour);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_EXPLAIN_SYMBOL_EXPLANATION_H_
