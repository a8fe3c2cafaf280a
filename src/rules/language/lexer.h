// Splits a rule file into tokens with positions.
//
// White space and line ends only separate tokens. A `#` begins a comment up to the end of the line; a line
// that begins with `##` is documentation and becomes a token. A name that is a keyword or not an identifier
// is written in backquotes. The lexer never fails: unreadable text becomes a kBad token, which the parser
// reports only if it reaches it.
#ifndef DIMWISE_RULES_LANGUAGE_LEXER_H_
#define DIMWISE_RULES_LANGUAGE_LEXER_H_

#include <cstdint>
#include <string_view>
#include <vector>

namespace dimwise::rules {

enum class TokenKind : uint8_t {
  kEnd,
  kBad,      // see Token::mistake
  kDoc,      // ## text
  kName,     // axis, `in`
  kInteger,  // 12
  kReal,     // 0.5, 1e-5
  kString,   // "SAME_UPPER", with its quotes and escapes
  // Symbols.
  kLeftParen,
  kRightParen,
  kLeftBracket,
  kRightBracket,
  kLeftBrace,
  kRightBrace,
  kComma,
  kSemicolon,
  kColon,
  kQuestion,
  kQuestionQuestion,
  kPlus,
  kMinus,
  kStar,
  kSlash,  // not an operator; `//` is one
  kSlashSlash,
  kPercent,
  kEqualEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kArrow,
  kBar,
  kDot,
  kDotDot,
  kEllipsis,
  kUnderscore,
  // Keywords in alphabetical order.
  kAnd,
  kAssume,
  kEach,
  kElse,
  kEnsure,
  kExample,
  kFalse,
  kFn,
  kFold,
  kFor,
  kIf,
  kImplies,
  kIn,
  kLet,
  kLike,
  kNot,
  kOp,
  kOr,
  kProperty,
  kRequire,
  kSet,
  kSince,
  kTemplate,
  kThen,
  kTrue,
  kUntil,
  kValue,
  kWhen,
  kWith,
};

enum class LexMistake : uint8_t {
  kNoMistake,
  kCharacter,       // a character that begins no token
  kOpenString,      // the line ends before the string does
  kOpenQuotedName,  // the line ends before the backquote
  kEmptyName,       // ``
  kNumber,          // 3x, 1e
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  LexMistake mistake = LexMistake::kNoMistake;
  bool starts_line = false;
  int line = 0;           // starts at 1
  int column = 0;         // starts at 1, in bytes
  std::string_view text;  // the text in the file

  int EndColumn() const { return column + static_cast<int>(text.size()); }
};

// Returns all tokens of the text; the last has the kind kEnd. They refer to the text, which must outlive
// them. `line` and `column` are the position of its first byte. REQUIRES: the text is shorter than 2^31
// bytes.
std::vector<Token> Lex(std::string_view text, int line = 1, int column = 1);

// Returns the spelling of a symbol or keyword, or a description of another kind: "a name".
std::string_view Spelling(TokenKind kind);

// Returns the keyword for a word, or kName.
TokenKind KeywordOrName(std::string_view word);

inline bool IsKeyword(TokenKind kind) { return kind >= TokenKind::kAnd; }

// Returns whether a keyword is also an ordinary word of other systems' operators (`value` is an attribute of
// Constant). Such a keyword is accepted as a name where a name is expected.
bool IsSoftKeyword(TokenKind kind);

// Returns whether a word is an identifier by its characters: a letter or _, then letters, digits or _; not _
// alone.
bool IsIdentifier(std::string_view word);

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_LANGUAGE_LEXER_H_
