#include "report/text/wrap.h"

#include <algorithm>

#include "core/base/utf8.h"

namespace dimwise {
namespace {

constexpr size_t kLeastText = 20;  // a line has at least this number of columns for words

// Returns the number of columns of a text that may have color codes.
size_t VisibleWidth(std::string_view text) {
  size_t width = Width(text);
  for (size_t at = text.find('\x1b'); at != std::string_view::npos; at = text.find('\x1b', at + 1)) {
    const std::string_view code = text.substr(at, text.find('m', at) - at + 1);
    width -= Width(code);
  }
  return width;
}

// Returns the indentation of the lines that continue a line.
size_t HangOf(std::string_view line) {
  const size_t indent = std::min(line.find_first_not_of(' '), line.size());
  for (const std::string_view label : {"help: ", "note: "}) {
    if (line.substr(indent).starts_with(label)) return indent + label.size();
  }
  return indent + 2;
}

std::string WrappedLine(std::string_view line, size_t width) {
  const size_t hang = HangOf(line);
  if (VisibleWidth(line) <= width || line.starts_with("   |") || width < hang + kLeastText)
    return std::string(line);
  std::string text;
  size_t column = 0;
  for (size_t at = 0; at < line.size();) {
    const size_t word_at = std::min(line.find_first_not_of(' ', at), line.size());
    const size_t end = std::min(line.find(' ', word_at), line.size());
    const std::string_view word = line.substr(word_at, end - word_at);
    const size_t gap = word_at - at;
    if (column > 0 && column + gap + VisibleWidth(word) > width) {
      text += "\n" + std::string(hang, ' ') + std::string(word);
      column = hang + VisibleWidth(word);
    } else {
      text += std::string(gap, ' ') + std::string(word);
      column += gap + VisibleWidth(word);
    }
    at = end;
  }
  return text;
}

}  // namespace

std::string Wrapped(std::string_view text, size_t width) {
  if (width == 0) return std::string(text);
  std::string wrapped;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (at > 0) wrapped += '\n';
    wrapped += WrappedLine(text.substr(at, end - at), width);
    at = end + 1;
  }
  return wrapped;
}

}  // namespace dimwise
