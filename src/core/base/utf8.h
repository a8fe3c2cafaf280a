// UTF-8 text: character boundaries, column widths, and escaping of control characters for a terminal.
#ifndef DIMWISE_CORE_BASE_UTF8_H_
#define DIMWISE_CORE_BASE_UTF8_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace dimwise {

// Returns whether a byte continues the preceding character.
constexpr bool ContinuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// Returns the length of the character at the start of `text`, 1 to 4. Returns 0 for invalid bytes: truncated,
// overlong or no character.
size_t CharacterLength(std::string_view text);

// Returns the start of the character that contains the byte at `at`. Use it to cut text between characters.
constexpr size_t BeginOfCharacter(std::string_view text, size_t at) {
  while (at > 0 && at < text.size() && ContinuesCharacter(text[at])) --at;
  return at;
}

// Returns the number of characters, to align names in any script.
size_t Width(std::string_view text);
// Returns the text padded with spaces to a width.
std::string Padded(std::string text, size_t width);
// Replaces control characters by escapes such as "\x1b". Names come from files and must not send control
// codes to a terminal.
std::string Printable(std::string_view text);

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_UTF8_H_
