// Prints the documentation of an operator:
//
//   my.Determinant
//     The determinant of square matrices, the last two axes.
//
//   signature
//     Determinant(X: T[...s, n, n]) -> (Y: T[...s])
//     T: float
//   examples
//     f32[N, 3, 3] -> f32[N]
#ifndef DIMWISE_REPORT_OPERATORS_RULE_TEXT_H_
#define DIMWISE_REPORT_OPERATORS_RULE_TEXT_H_

#include <string>

#include "report/operators/rule_document.h"

namespace dimwise {

std::string ToString(const RuleDocument& document);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_OPERATORS_RULE_TEXT_H_
