// The tree back as text, in one canonical layout: for documentation, `dimwise rule`, and tests.
//
// Reading the text again gives the same tree but for positions. Comments are not in the tree and so are lost;
// a chained comparison is printed as the `and` that it is; functions come before operators.
#ifndef DIMWISE_RULES_LANGUAGE_PRINT_H_
#define DIMWISE_RULES_LANGUAGE_PRINT_H_

#include <span>
#include <string>
#include <string_view>

#include "rules/language/ast.h"

namespace dimwise::rules {

std::string Print(const File& file);

// With the documentation, and a line end after the last line.
std::string Print(const Operator& op);
std::string Print(const Function& function);

// Without indentation and line end. The signature with the attributes, which only the first one shows.
std::string Print(const Signature& signature, std::span<const Attribute> attributes = {});
std::string Print(const Statement& statement);
std::string Print(const Argument& argument);
std::string Print(const Attribute& attribute);
std::string Print(const Region& region);
std::string Print(const TypePattern& pattern);
std::string Print(const Expr& expr);
std::string Print(const Message& message);

// "int", "ints".
std::string_view KindName(AttributeKind kind);
// "shape" of `shape op`; empty of `op`.
std::string_view WordOf(Part part);

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_LANGUAGE_PRINT_H_
