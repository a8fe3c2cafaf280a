// Writes types, contents, symbols, guards and diagnostics as JSON, in the forms that all commands share:
//
//   size        an integer, or a string: a Python expression over the symbols
//   tensor      {"dtype": "f32", "shape": ["N", 64, "(H + 1)//2"], "storage": "dense"}   null: not known
//   others      {"kind": "sequence", "element": {...}}, {"kind": "map", "key": "i64", "element": {...}},
//               {"kind": "handle", "behind": [...]}
//   contents    a flat list, row by row; null: not known
//   symbol      {"min": 0, "max": null, "multiple_of": 1, "origin": "input x, axis 0"}, or
//               {"equals": "N", "origin": ...}. A symbol that represents an expression has "definition": "N*M
//               + K", a Python expression over symbols, which may have definitions too. A size that is
//               computed in floating point has a definition by functions such as f32_mul (docs/runtime.md)
//   guard       {"require": "N == M or N == 1", "message": "...", "node": "...", "values": ["x"]}
//   diagnostic  {"severity": "error", "code": "DW0103", "message": "...", "notes": [], ...}
#ifndef DIMWISE_REPORT_TEXT_TYPE_JSON_H_
#define DIMWISE_REPORT_TEXT_TYPE_JSON_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "dimwise/analysis.h"
#include "dimwise/diagnostic.h"
#include "dimwise/inference_context.h"
#include "report/text/json_writer.h"
#include "report/text/symbol_facts.h"

namespace dimwise {

// The version of all documents. It changes when the meaning of a field changes.
inline constexpr int64_t kFormatVersion = 1;

// REQUIRES: the size is not none.
void WriteSize(JsonWriter& json, DimTable& dims, Dim size);
void WriteShape(JsonWriter& json, DimTable& dims, Shape shape);  // null: unknown rank

// Writes the fields of a type into an open object. A tensor has no "kind" here; callers that mix kinds write
// it.
void WriteTypeFields(JsonWriter& json, DimTable& dims, const Type& type);
void WriteType(JsonWriter& json, DimTable& dims, const Type& type);

// REQUIRES: the contents are known and have at most ValueTable::kMaxElements elements.
void WriteContents(JsonWriter& json, DimTable& dims, Value value);

void WriteSymbols(JsonWriter& json, DimTable& dims, std::span<const SymbolFacts> symbols);
// `within`: the region of the node, "if_1.then_branch"; empty for the whole program. `values`: the operands
// of the node.
void WriteGuard(JsonWriter& json, DimTable& dims, const Guard& guard, std::string_view node,
                std::string_view within = {}, std::span<const std::string> values = {});
void WriteDiagnostic(JsonWriter& json, const Diagnostic& diagnostic);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_TEXT_TYPE_JSON_H_
