// Prints the syntax tree in a canonical layout, for documentation, `dimwise rule` and tests.
//
// Parsing the output yields the same tree, except for positions. Comments are lost. A chained comparison is
// printed as a conjunction. Functions are printed before operators.
#ifndef DIMWISE_RULES_LANGUAGE_PRINT_H_
#define DIMWISE_RULES_LANGUAGE_PRINT_H_

#include <span>
#include <string>
#include <string_view>

#include "rules/language/ast.h"

namespace dimwise::rules {

std::string Print(const File& file);

// Include the documentation, and a line end after the last line.
std::string Print(const Operator& op);
std::string Print(const Function& function);

// Print without indentation and line end. Only the first signature is printed with the attributes.
std::string Print(const Signature& signature, std::span<const Attribute> attributes = {});
std::string Print(const Statement& statement);
std::string Print(const Argument& argument);
std::string Print(const Attribute& attribute);
std::string Print(const Region& region);
std::string Print(const TypePattern& pattern);
std::string Print(const Expr& expr);
std::string Print(const Message& message);

// Returns "int", "ints".
std::string_view KindName(AttributeKind kind);
// Returns "shape" for `shape op`, "" for `op`.
std::string_view WordOf(Part part);

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_LANGUAGE_PRINT_H_
