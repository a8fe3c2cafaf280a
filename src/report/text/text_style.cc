#include "report/text/text_style.h"

#include <fmt/format.h>

namespace dimwise {
namespace {

constexpr std::string_view kPlain = "\x1b[0m";

}  // namespace

std::string Painted(std::string_view text, std::string_view style, Colour colour) {
  if (colour == Colour::kNever || text.empty() || style.empty()) return std::string(text);
  std::string painted(style);
  painted += text;
  painted += kPlain;
  return painted;
}

std::string Shortened(std::string_view text, size_t width) {
  constexpr std::string_view kGap = "..";
  if (Width(text) <= width) return std::string(text);
  const size_t kept = width > kGap.size() ? width - kGap.size() : 0;
  // The end of a name distinguishes it better than its beginning: conv1/Conv_output_0.
  const size_t before = kept / 3, after = kept - before;
  size_t left = 0, right = text.size();
  for (size_t count = 0; left < text.size(); ++left) {
    if (!ContinuesCharacter(text[left]) && count++ == before) break;
  }
  for (size_t count = 0; right > left && count < after;) {
    if (!ContinuesCharacter(text[--right])) ++count;
  }
  std::string shortened(text.substr(0, left));
  shortened += kGap;
  shortened += text.substr(right);
  return shortened;
}

std::string ShortenedPath(std::string_view path, size_t width) {
  constexpr std::string_view kGap = "../";
  if (Width(path) <= width) return std::string(path);
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return Shortened(path, width);
  const std::string_view name = path.substr(slash + 1);
  if (Width(name) + kGap.size() > width) return Shortened(name, width);
  const size_t left = width - Width(name) - kGap.size();
  size_t end = 0;
  for (size_t count = 0; end < slash; ++end) {
    if (!ContinuesCharacter(path[end]) && count++ == left) break;
  }
  return fmt::format("{}{}{}", path.substr(0, end), kGap, name);
}

std::string Clipped(std::string_view text, size_t width) {
  constexpr std::string_view kGap = "...";
  if (Width(text) <= width) return std::string(text);
  size_t end = 0;
  for (size_t count = 0; end < text.size(); ++end) {
    if (!ContinuesCharacter(text[end]) && count++ + kGap.size() == width) break;
  }
  std::string clipped(text.substr(0, end));
  clipped += kGap;
  return clipped;
}

std::string Counted(size_t count, std::string_view noun) {
  if (count == 0) return fmt::format("no {}s", noun);
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace dimwise
