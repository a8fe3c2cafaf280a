// Classifies ASCII characters independently of the locale. The bytes of other UTF-8 letters belong to no
// class.
#ifndef DIMWISE_CORE_BASE_CHARACTERS_H_
#define DIMWISE_CORE_BASE_CHARACTERS_H_

namespace dimwise {

constexpr bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Returns whether a name may start with the character: a letter or an underscore.
constexpr bool BeginsWord(char c) { return IsLetter(c) || c == '_'; }
constexpr bool IsWordPart(char c) { return BeginsWord(c) || IsDigit(c); }

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_CHARACTERS_H_
