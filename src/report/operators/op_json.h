// One operator's answer as JSON: a line of `dimwise op --batch`.
#ifndef DIMWISE_REPORT_OPERATORS_OP_JSON_H_
#define DIMWISE_REPORT_OPERATORS_OP_JSON_H_

#include "infer/context/op_call.h"
#include "report/text/json_writer.h"

namespace dimwise {

// The fields that follow the id, inside an object that is open:
//   "ok": true, "inputs": [...], "outputs": [...], "symbols": {...}, "checks": [...]
//   "ok": false, "diagnostics": [...]
void WriteOpAnswer(JsonWriter& json, Analysis& analysis, const OpAnswer& answer);
void WriteOpFailure(JsonWriter& json, const Diagnostic& diagnostic);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_OPERATORS_OP_JSON_H_
