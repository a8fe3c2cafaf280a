#include "rules/language/mistake.h"

#include <utility>

namespace dimwise::rules {
namespace {

// Returns a line, counted from 1, without its line feed; empty past the last line.
std::string_view LineOf(std::string_view text, int line) {
  for (int i = 1; i < line; ++i) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return "";
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

}  // namespace

Diagnostic Mistake(std::string_view text, std::string_view file_name, const Position& at, Code code,
                   std::string message, std::string help, int first_line) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.message = std::move(message);
  diagnostic.help = std::move(help);
  std::string_view line = LineOf(text, at.line - first_line + 1);
  int column = at.column;
  if (line.ends_with('\r')) {
    if (static_cast<size_t>(column) == line.size() + 1)
      --column;  // the end of the text is the end of the line
    line.remove_suffix(1);
  }
  diagnostic.source = {.file = std::string(file_name),
                       .line = at.line,
                       .column = column,
                       .length = at.length,
                       .text = std::string(line)};
  return diagnostic;
}

}  // namespace dimwise::rules
