#include "rules/mistake.h"

#include <utility>

namespace dimwise::rules {
namespace {

// Counted from 1, without its end; empty past the last.
std::string_view LineOf(std::string_view text, int line) {
  for (int i = 1; i < line; ++i) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return "";
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

}  // namespace

Diagnostic Mistake(std::string_view text, std::string_view file_name, const Position& at, Code code,
                   std::string message, std::string help, int first_line) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.message = std::move(message);
  diagnostic.help = std::move(help);
  diagnostic.source = {.file = std::string(file_name),
                       .line = at.line,
                       .column = at.column,
                       .length = at.length,
                       .text = std::string(LineOf(text, at.line - first_line + 1))};
  return diagnostic;
}

}  // namespace dimwise::rules
