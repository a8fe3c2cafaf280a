// Printing by appending, for the parts of print.h.
#ifndef DIMWISE_RULES_LANGUAGE_PRINT_PIECES_H_
#define DIMWISE_RULES_LANGUAGE_PRINT_PIECES_H_

#include <string>
#include <string_view>

#include "rules/language/ast.h"

namespace dimwise::rules {

// How tightly an expression holds together, from the loosest. An operator puts its operands in parentheses
// where they are looser than it needs.
enum class Binding : int { kAny, kImplies, kOr, kAnd, kNot, kCompare, kSum, kProduct, kSign, kPostfix };

void AppendExpr(std::string& out, const Expr& expr, Binding at_least = Binding::kAny);
// Whether the operator `in` occurs, which must not stand bare in an attribute's default.
bool UsesIn(const Expr& expr);

// In backquotes where the name is a keyword or no identifier.
void AppendName(std::string& out, std::string_view name);
void AppendString(std::string& out, std::string_view text);
void AppendMessage(std::string& out, const Message& message);
void AppendPattern(std::string& out, const TypePattern& pattern);

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_LANGUAGE_PRINT_PIECES_H_
