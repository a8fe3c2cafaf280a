// Why a dimension is what it is, from the node that made it back to inputs and constants:
//
//   k[2] is 32: axis 2 of 'k' f32[N, 12, 32, S]
//     Transpose 'k_t' (#117) takes it from axis 3 of 'k_heads' f32[N, S, 12, 32]
//     Reshape 'k_heads' (#110) takes it from the contents of 'k_shape' i64[4] = [0, 0, 12, 32]
//     'k_shape' is a constant
//
// A node either takes the size over, from a shape or from contents of an operand, or computes it; then what
// decides is told with it, and followed (size_trace.h).
#ifndef DIMWISE_REPORT_EXPLAIN_EXPLANATION_H_
#define DIMWISE_REPORT_EXPLAIN_EXPLANATION_H_

#include <string>
#include <string_view>

#include "report/models/model_report.h"
#include "report/text/text_style.h"

namespace dimwise {

// `tensor` is the name of a value, with [AXIS] for one of its dimensions; an axis below 0 counts from the
// end. Without an axis each one is explained; of a scalar, its contents. It may also be a symbol, where no
// value has that name. An error where there is no such value or axis.
Result<std::string> Explain(const ModelReport& report, std::string_view tensor,
                            Colour colour = Colour::kNever);

// What a code means: its name, its meaning, an example, the way out.
std::string ExplainCode(const CodeInfo& code, Colour colour = Colour::kNever);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_EXPLAIN_EXPLANATION_H_
