#include "cli/shell_word.h"

#include <algorithm>
#include <cctype>

namespace dimwise {

std::string Quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string ShellWord(std::string_view text) {
  const auto is_plain = [](unsigned char c) {
    return c >= 0x80 || std::isalnum(c) != 0 ||
           std::string_view("_@%+=:,./-").find(static_cast<char>(c)) != std::string_view::npos;
  };
  return !text.empty() && std::ranges::all_of(text, is_plain) ? std::string(text) : Quoted(text);
}

}  // namespace dimwise
