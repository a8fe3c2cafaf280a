// Writes the result of `dimwise op` for one operator as JSON.
#ifndef DIMWISE_REPORT_OPERATORS_OP_JSON_H_
#define DIMWISE_REPORT_OPERATORS_OP_JSON_H_

#include "infer/context/op_call.h"
#include "report/text/json_writer.h"

namespace dimwise {

// Write the fields that follow the ID into an open object:
//   "ok": true, "inputs": [...], "outputs": [...], "symbols": {...}, "checks": [...]
//   "ok": false, "diagnostics": [...]
void WriteOpAnswer(JsonWriter& json, Analysis& analysis, const OpAnswer& answer);
void WriteOpFailure(JsonWriter& json, const Diagnostic& diagnostic);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_OPERATORS_OP_JSON_H_
