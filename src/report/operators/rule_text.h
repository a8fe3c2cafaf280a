// Prints a rule as documentation:
//
//   my.Determinant
//     The determinant of square matrices, the last two axes.
//
//   signature
//     Determinant(X: T[...s, n, n]) -> (Y: T[...s])
//     T: float
//   examples
//     f32[N, 3, 3] -> f32[N]
//
// Everything comes from the declaration. The results of the examples are computed.
#ifndef DIMWISE_REPORT_OPERATORS_RULE_TEXT_H_
#define DIMWISE_REPORT_OPERATORS_RULE_TEXT_H_

#include <string>

#include "rules/compile/library.h"

namespace dimwise {

// Documents a rule. `library` contains its other versions and the functions that it calls.
std::string DocumentRule(const rules::RuleLibrary& library, const rules::Rule& rule);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_OPERATORS_RULE_TEXT_H_
