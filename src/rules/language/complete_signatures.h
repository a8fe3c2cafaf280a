// Completes what a declaration leaves out because another part of it, or of its file, states it:
// 1. An alternative has the operands and results of the first signature that it does not list.
// 2. An operand with an element type alone has any shape: `T` means `T[...]` if `T` is an element type.
// 3. A type variable that the operator does not restrict has the types that the file states for it.
#ifndef DIMWISE_RULES_LANGUAGE_COMPLETE_SIGNATURES_H_
#define DIMWISE_RULES_LANGUAGE_COMPLETE_SIGNATURES_H_

#include <span>

#include "rules/language/ast.h"

namespace dimwise::rules {

// `types` are the types that the file states for variables.
void CompleteSignatures(Operator& op, std::span<const Statement> types);

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_LANGUAGE_COMPLETE_SIGNATURES_H_
