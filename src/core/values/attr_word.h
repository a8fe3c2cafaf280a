// The words of the notation of attributes: text without quotes.
#ifndef DIMWISE_CORE_VALUES_ATTR_WORD_H_
#define DIMWISE_CORE_VALUES_ATTR_WORD_H_

#include <algorithm>
#include <string_view>

#include "core/base/characters.h"

namespace dimwise {

constexpr bool IsAttrWordStart(char c) { return BeginsWord(c) || c == '*'; }
constexpr bool IsAttrWordPart(char c) {
  return IsAttrWordStart(c) || IsDigit(c) || c == '.' || c == '/' || c == ':' || c == '>';
}
constexpr bool IsAttrWord(std::string_view text) {
  return !text.empty() && IsAttrWordStart(text[0]) && std::ranges::all_of(text, IsAttrWordPart);
}

}  // namespace dimwise

#endif  // DIMWISE_CORE_VALUES_ATTR_WORD_H_
