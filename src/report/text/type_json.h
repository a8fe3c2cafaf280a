// Types, contents, symbols, checks and diagnostics as JSON, in the forms that every answer of Dimwise uses:
//
//   size        an integer, or a string: a Python expression over the symbols
//   tensor      {"dtype": "f32", "shape": ["N", 64, "(H + 1)//2"], "storage": "dense"}   null: not known
//   others      {"kind": "sequence", "element": {...}}, {"kind": "map", "key": "i64", "element": {...}},
//               {"kind": "handle", "behind": [...]}
//   contents    a flat list, row by row; null: not known
//   symbol      {"min": 0, "max": null, "multiple_of": 1, "origin": "input x, axis 0"}, or
//               {"equals": "N", "origin": ...}
//   check       {"require": "N == M or N == 1", "message": "...", "node": "...", "values": ["x"]}
//   diagnostic  {"severity": "error", "code": "DW0103", "message": "...", "notes": [], ...}
#ifndef DIMWISE_REPORT_TEXT_TYPE_JSON_H_
#define DIMWISE_REPORT_TEXT_TYPE_JSON_H_

#include <span>
#include <string_view>

#include "dimwise/analysis.h"
#include "dimwise/diagnostic.h"
#include "dimwise/inference_context.h"
#include "report/text/json_writer.h"
#include "report/text/symbol_facts.h"

namespace dimwise {

// REQUIRES: the size is not none.
void WriteSize(JsonWriter& json, DimTable& dims, Dim size);
void WriteShape(JsonWriter& json, DimTable& dims, Shape shape);  // null: the rank is not known

// The fields of a type, inside an object that is open. A tensor has no "kind" here; where values of several
// kinds stand side by side, the caller writes it.
void WriteTypeFields(JsonWriter& json, DimTable& dims, const Type& type);
void WriteType(JsonWriter& json, DimTable& dims, const Type& type);

// REQUIRES: contents that are known and at most ValueTable::kMaxElements.
void WriteContents(JsonWriter& json, DimTable& dims, Value value);

void WriteSymbols(JsonWriter& json, DimTable& dims, std::span<const SymbolFacts> symbols);
// `within`: the sub-graph in which it counts, "if_1.then_branch"; empty for the whole program. `values`: what
// the node reads.
void WriteCheck(JsonWriter& json, DimTable& dims, const Check& check, std::string_view node,
                std::string_view within = {}, std::span<const std::string> values = {});
void WriteDiagnostic(JsonWriter& json, const Diagnostic& diagnostic);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_TEXT_TYPE_JSON_H_
