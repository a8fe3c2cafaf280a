// Text in UTF-8 as characters: where one begins and ends, how many columns they take, and what of them a
// terminal may see.
#ifndef DIMWISE_CORE_BASE_UTF8_H_
#define DIMWISE_CORE_BASE_UTF8_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace dimwise {

// Whether a byte belongs to the character before it.
constexpr bool ContinuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// The length of the character at the start of `text`, 1 to 4; 0 where there is none: bytes that are cut
// short, written longer than need be, or of no character.
size_t CharacterLength(std::string_view text);

// Where the character begins that the byte at `at` belongs to, so that a text is cut between characters.
constexpr size_t BeginOfCharacter(std::string_view text, size_t at) {
  while (at > 0 && at < text.size() && ContinuesCharacter(text[at])) --at;
  return at;
}

// The number of characters, so that names in any script line up.
size_t Width(std::string_view text);
// The text with spaces up to a width.
std::string Padded(std::string text, size_t width);
// Names come from files: a control character among them becomes "\x1b", so that it does not reach a terminal.
std::string Printable(std::string_view text);

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_UTF8_H_
