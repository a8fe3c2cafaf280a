// Writes the documentation of operators as JSON (docs/schema/rule.json, docs/schema/rules.json).
#ifndef DIMWISE_REPORT_OPERATORS_RULE_JSON_H_
#define DIMWISE_REPORT_OPERATORS_RULE_JSON_H_

#include <span>

#include "report/operators/rule_document.h"
#include "report/text/json_writer.h"

namespace dimwise {

// {"dimwise": 1, "name": "my.Chop", "doc": "...", "implementation": "rule", "signatures": [...], ...}
void WriteRule(JsonWriter& json, const RuleDocument& document);

// {"dimwise": 1, "operators": [{"name": "my.Sort", "since": 6, "doc": "..."}]}
void WriteOperators(JsonWriter& json, std::span<const OpDef* const> operators);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_OPERATORS_RULE_JSON_H_
