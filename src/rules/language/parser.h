// Parses rule files. docs/rules.md describes the language; its grammar:
//
//   file       = [set NAME {. NAME}] {doc} (function | operator) ...
//   function   = fn NAME ( [NAME : NAME {, ...}] ) -> NAME = expr
//   operator   = op NAMES {since INT | until INT} (signatures | like NAME) statements
//              | template NAME {since INT | until INT} signatures statements
//   signatures = signature {"|" signature}                    only the first one has attributes
//   signature  = ( [argument {, ...}] [; attribute {, ...}] ) -> ( [argument {, ...}] ) [when expr]
//   argument   = NAME [? + *] : pattern
//   pattern    = [each] element ["[" shape "]"] | seq ( pattern ) | opt ( pattern ) | map ( element , pattern
//   )
//              | handle ( [pattern {, ...}] ) | _
//   element    = NAME | _ | ( expr )
//   shape      = "*" | [item {, ...}]
//   item       = _ | [each] expr | "..." [[each] postfix ["{" expr "}"]]
//   attribute  = NAME [?] : KIND [= expr] [in "[" expr {, ...} "]" | in [sum] .. [sum]]
//   statement  = let NAME = expr | (require | assume) expr [else STRING] | ensure expr | value NAME = expr
//              | NAME : NAME {"|" NAME} | example STRING
//
// Expressions, from lowest precedence: ?? and implies (right-associative), or, and, not, comparisons (which
// chain) and in, + -, * // %, unary -, x[i] x[i:j]. `if` and `fold` extend as far to the right as possible. A
// statement ends where the next one begins, because no expression can continue with a word that begins a
// statement, or with a name.
//
// The parser accepts any input: depth and size are bounded, and time is linear in the size of the text.
#ifndef DIMWISE_RULES_LANGUAGE_PARSER_H_
#define DIMWISE_RULES_LANGUAGE_PARSER_H_

#include <string_view>
#include <vector>

#include "dimwise/diagnostic.h"
#include "dimwise/result.h"
#include "rules/language/ast.h"

namespace dimwise::rules {

inline constexpr size_t kMaxFileBytes = size_t{1} << 20;
inline constexpr size_t kMaxMistakes = 100;

// Returns the file, or the first syntax error. `file_name` is used in diagnostics only.
Result<File> Parse(std::string_view text, std::string_view file_name);

// Returns all syntax errors, at most one per declaration and kMaxMistakes in total. Declarations without an
// error are stored in *file.
std::vector<Diagnostic> ParseAll(std::string_view text, std::string_view file_name, File* file);

// Likewise for a part of a file that begins at `first_line`.
std::vector<Diagnostic> ParsePart(std::string_view text, std::string_view file_name, int first_line,
                                  File* file);

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_LANGUAGE_PARSER_H_
