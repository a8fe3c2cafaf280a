// Cutting a text that a person wrote at places outside brackets and quotes.
#ifndef DIMWISE_CORE_BASE_TEXT_PIECES_H_
#define DIMWISE_CORE_BASE_TEXT_PIECES_H_

#include <cstddef>
#include <string_view>

namespace dimwise {

// Without the space around it.
std::string_view Trimmed(std::string_view text);

// Where a character of `stops` first stands outside brackets, quotes and backquotes; the text's size where
// none does. A backslash in quotes takes the next character along. A closing bracket without an opening one
// stands outside.
size_t FindOutside(std::string_view text, std::string_view stops);

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_TEXT_PIECES_H_
