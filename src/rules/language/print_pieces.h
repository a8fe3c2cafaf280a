// The functions behind print.h, which append to a string.
#ifndef DIMWISE_RULES_LANGUAGE_PRINT_PIECES_H_
#define DIMWISE_RULES_LANGUAGE_PRINT_PIECES_H_

#include <string>
#include <string_view>

#include "rules/language/ast.h"

namespace dimwise::rules {

// Precedence from lowest to highest. An operand with a lower precedence than its position requires is printed
// in parentheses.
enum class Binding : int {
  kAny,
  kOtherwise,
  kImplies,
  kOr,
  kAnd,
  kNot,
  kCompare,
  kSum,
  kProduct,
  kSign,
  kPostfix
};

void AppendExpr(std::string& out, const Expr& expr, Binding at_least = Binding::kAny);
// Returns whether the operator `in` occurs. In the default of an attribute it needs parentheses.
bool UsesIn(const Expr& expr);

// Appends a name, in backquotes if it is a keyword or not an identifier.
void AppendName(std::string& out, std::string_view name);
void AppendString(std::string& out, std::string_view text);
void AppendMessage(std::string& out, const Message& message);
void AppendPattern(std::string& out, const TypePattern& pattern);

void AppendProperty(std::string& out, const Statement& property);

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_LANGUAGE_PRINT_PIECES_H_
