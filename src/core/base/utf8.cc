#include "core/base/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace dimwise {

size_t CharacterLength(std::string_view text) {
  const auto byte = [text](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned lead = byte(0), second = byte(1);
  const size_t length = text.empty()                   ? 0
                        : lead < 0x80                  ? 1
                        : lead >= 0xc2 && lead <= 0xdf ? 2
                        : lead >= 0xe0 && lead <= 0xef ? 3
                        : lead >= 0xf0 && lead <= 0xf4 ? 4
                                                       : 0;
  if (length > text.size()) return 0;
  if (length > 1 && !std::ranges::all_of(text.substr(1, length - 1), ContinuesCharacter)) return 0;
  const bool is_overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool is_surrogate = lead == 0xed && second >= 0xa0;
  const bool is_too_large = lead == 0xf4 && second >= 0x90;
  return is_overlong || is_surrogate || is_too_large ? 0 : length;
}

size_t Width(std::string_view text) {
  return text.size() - static_cast<size_t>(std::ranges::count_if(text, ContinuesCharacter));
}

std::string Padded(std::string text, size_t width) {
  const size_t used = Width(text);
  if (used < width) text.append(width - used, ' ');
  return text;
}

std::string Printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace dimwise
