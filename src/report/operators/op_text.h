// One operator's answer for a person:
//
//   onnx.Add
//     in     A  f32[N, 3]
//            B  f32[M, 3]
//     out    C  f32[broadcast(N, M), 3]
//     check  N == M or N == 1 or M == 1   A and B must be broadcastable along axis 0
//     where  M <= 64
//
// `check` is what is left for run time. `where` is what is known of the sizes beyond that they are >= 0.
#ifndef DIMWISE_REPORT_OPERATORS_OP_TEXT_H_
#define DIMWISE_REPORT_OPERATORS_OP_TEXT_H_

#include <string>

#include "infer/context/op_call.h"
#include "report/text/text_style.h"

namespace dimwise {

std::string OpAnswerText(Analysis& analysis, const OpAnswer& answer, Colour colour = Colour::kNever);

// The diagnostic as ToString prints it, with the first line's head and the help in colour.
std::string DiagnosticText(const Diagnostic& diagnostic, Colour colour = Colour::kNever);

// What is known of contents, as it follows a type: " = [N, 3]", " = 7", the first of many; empty where
// nothing is.
std::string ContentsText(DimTable& dims, Value value);

// What the facts say of a symbol: "M == N", "1 <= H <= 4096 and H % 8 == 0"; empty where that is only H >= 0.
struct SymbolFacts;
std::string SymbolFactsText(DimTable& dims, const SymbolFacts& facts);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_OPERATORS_OP_TEXT_H_
