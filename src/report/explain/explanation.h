// Explains a size by a trace from the node that computes it back to inputs and constants:
//
//   k[2] is 32: axis 2 of 'k' f32[N, 12, 32, S]
//     Transpose 'k_t' (#117) takes it from axis 3 of 'k_heads' f32[N, S, 12, 32]
//     Reshape 'k_heads' (#110) takes it from the contents of 'k_shape' i64[4] = [0, 0, 12, 32]
//     'k_shape' is a constant
//
// A node either copies the size, from a shape or from the contents of an operand, or computes it. The trace
// names what a computed size depends on and follows it (size_trace.h).
#ifndef DIMWISE_REPORT_EXPLAIN_EXPLANATION_H_
#define DIMWISE_REPORT_EXPLAIN_EXPLANATION_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/explain/explained_size.h"

namespace dimwise {

// Explains a value, or a symbol if no value has that name. `tensor` is a name with an optional [AXIS]; a
// negative axis counts from the end. Without an axis all axes are explained, and for a scalar its contents.
// Returns an error if there is no such value or axis.
Result<std::vector<ExplainedSize>> Explain(const ModelReport& report, std::string_view tensor);

// Returns the documentation of a diagnostic code: its name, meaning, example and remedy.
std::string ExplainCode(const CodeInfo& code, Colour colour = Colour::kNever);

// {"dimwise": 1, "codes": [{"code": "DW0102", "name": "size-mismatch", "meaning": "...", "example": "...",
//  "way_out": "..."}]}
void WriteCodes(JsonWriter& json, std::span<const CodeInfo> codes);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_EXPLAIN_EXPLANATION_H_
