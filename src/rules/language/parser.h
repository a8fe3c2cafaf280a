// Reads rule files. The language is described in docs/rules.md; its grammar:
//
//   file       = [set NAME {. NAME}] {doc} (function | operator) ...
//   function   = fn NAME ( [NAME : NAME {, ...}] ) -> NAME = expr
//   operator   = op NAMES {since INT | until INT} (signatures | like NAME) statements
//              | template NAME {since INT | until INT} signatures statements
//   signatures = signature {"|" signature}                    attributes stand in the first one only
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
// Expressions, from the loosest: implies (to the right), or, and, not, comparisons (which chain) and in, + -,
// * // %, unary -, x[i] x[i:j]. `if` and `fold` reach as far to the right as they can. A statement ends where
// the next one begins: no expression can go on with a word that begins a statement, nor with a name.
//
// Reading is total: bounded depth, bounded size, time linear in the text.
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

// The file, or its first mistake. The file's name is for messages only.
Result<File> Parse(std::string_view text, std::string_view file_name);

// All mistakes, at most one in each declaration and kMaxMistakes in all; the declarations without a mistake
// go into *file.
std::vector<Diagnostic> ParseAll(std::string_view text, std::string_view file_name, File* file);

// The same of a part of a file that begins at a line of it.
std::vector<Diagnostic> ParsePart(std::string_view text, std::string_view file_name, int first_line,
                                  File* file);

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_LANGUAGE_PARSER_H_
