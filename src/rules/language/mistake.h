// Creates diagnostics about positions in a rule file.
#ifndef DIMWISE_RULES_LANGUAGE_MISTAKE_H_
#define DIMWISE_RULES_LANGUAGE_MISTAKE_H_

#include <string>
#include <string_view>
#include <utility>

#include "dimwise/diagnostic.h"
#include "rules/language/ast.h"

namespace dimwise::rules {

// `text` is the part of the file from `first_line` on.
Diagnostic Mistake(std::string_view text, std::string_view file_name, const Position& at, Code code,
                   std::string message, std::string help = "", int first_line = 1);

inline Diagnostic Mistake(const File& file, const Position& at, Code code, std::string message,
                          std::string help = "") {
  return Mistake(file.text, file.name, at, code, std::move(message), std::move(help), file.first_line);
}

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_LANGUAGE_MISTAKE_H_
