// The words of the notation of attributes: what stands without quotes.
#ifndef DIMWISE_CORE_ATTR_WORD_H_
#define DIMWISE_CORE_ATTR_WORD_H_

#include <algorithm>
#include <string_view>

namespace dimwise {

constexpr bool IsAttrWordStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '*';
}
constexpr bool IsAttrWordPart(char c) {
  return IsAttrWordStart(c) || (c >= '0' && c <= '9') || c == '.' || c == '/' || c == ':' || c == '>';
}
constexpr bool IsAttrWord(std::string_view text) {
  return !text.empty() && IsAttrWordStart(text[0]) && std::ranges::all_of(text, IsAttrWordPart);
}

}  // namespace dimwise

#endif  // DIMWISE_CORE_ATTR_WORD_H_
