#include "report/text_style.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace dimwise {
namespace {

constexpr std::string_view kPlain = "\x1b[0m";

bool Begins(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

}  // namespace

std::string Painted(std::string_view text, std::string_view style, Colour colour) {
  if (colour == Colour::kNever || text.empty() || style.empty()) return std::string(text);
  std::string painted(style);
  painted += text;
  painted += kPlain;
  return painted;
}

size_t Width(std::string_view text) { return static_cast<size_t>(std::ranges::count_if(text, Begins)); }

std::string Padded(std::string text, size_t width) {
  const size_t used = Width(text);
  if (used < width) text.append(width - used, ' ');
  return text;
}

std::string Shortened(std::string_view text, size_t width) {
  constexpr std::string_view kGap = "..";
  if (Width(text) <= width) return std::string(text);
  const size_t kept = width > kGap.size() ? width - kGap.size() : 0;
  // The end of a name tells more than its beginning: conv1/Conv_output_0.
  const size_t before = kept / 3, after = kept - before;
  size_t left = 0, right = text.size();
  for (size_t count = 0; left < text.size(); ++left) {
    if (Begins(text[left]) && count++ == before) break;
  }
  for (size_t count = 0; right > left && count < after;) {
    if (Begins(text[--right])) ++count;
  }
  std::string shortened(text.substr(0, left));
  shortened += kGap;
  shortened += text.substr(right);
  return shortened;
}

std::string Clipped(std::string_view text, size_t width) {
  constexpr std::string_view kGap = "...";
  if (Width(text) <= width) return std::string(text);
  size_t end = 0;
  for (size_t count = 0; end < text.size(); ++end) {
    if (Begins(text[end]) && count++ + kGap.size() == width) break;
  }
  std::string clipped(text.substr(0, end));
  clipped += kGap;
  return clipped;
}

std::string Printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      out += c;
    } else {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte);
    }
  }
  return out;
}

std::string Counted(size_t count, std::string_view noun) {
  if (count == 0) return fmt::format("no {}s", noun);
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace dimwise
