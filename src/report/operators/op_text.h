// Prints the result of `dimwise op` for one operator:
//
//   my.Sum
//     in     A  f32[N, 3]
//            B  f32[M, 3]
//     out    C  f32[broadcast(N, M), 3]
//     guard  N == M or N == 1 or M == 1   A and B must be broadcastable along axis 0
//     where  M <= 64
//
// `guard` lists the guards. `where` lists facts about the sizes other than N >= 0.
#ifndef DIMWISE_REPORT_OPERATORS_OP_TEXT_H_
#define DIMWISE_REPORT_OPERATORS_OP_TEXT_H_

#include <string>

#include "infer/context/op_call.h"
#include "report/text/text_style.h"

namespace dimwise {

std::string OpAnswerText(Analysis& analysis, const OpAnswer& answer, Colour colour = Colour::kNever);

// Formats a diagnostic as ToString does, with the head of its first line and the help in color. Lines are
// wrapped to `width` columns; 0: unlimited.
std::string DiagnosticText(const Diagnostic& diagnostic, Colour colour = Colour::kNever, size_t width = 0);

// Returns known contents as a suffix of a type: " = [N, 3]", " = 7". Long contents are shortened; unknown
// contents are "".
std::string ContentsText(DimTable& dims, Value value);

// Returns the facts about a symbol: "M == N", "1 <= H <= 4096 and H % 8 == 0"; "" if only H >= 0 is known.
struct SymbolFacts;
std::string SymbolFactsText(DimTable& dims, const SymbolFacts& facts);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_OPERATORS_OP_TEXT_H_
