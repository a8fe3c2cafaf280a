// Splits text that a person wrote, respecting brackets and quotes.
#ifndef DIMWISE_CORE_BASE_TEXT_PIECES_H_
#define DIMWISE_CORE_BASE_TEXT_PIECES_H_

#include <cstddef>
#include <string_view>

namespace dimwise {

// Returns the text without surrounding white space.
std::string_view Trimmed(std::string_view text);

// Returns the position of the first character of `stops` outside brackets, quotes and backquotes, or the size
// of the text. A backslash in quotes escapes the next character. An unmatched closing bracket counts as
// outside.
size_t FindOutside(std::string_view text, std::string_view stops);

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_TEXT_PIECES_H_
