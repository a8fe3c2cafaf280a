// A rule file cut into tokens, each with its place.
//
// Layout is free: spaces and line ends only separate. A `#` begins a comment, up to the end of the line; a
// line that begins with `##` is documentation and stays as a token. A name that is a keyword, or is no
// identifier, stands in backquotes. The lexer never fails: what it cannot read becomes a kBad token, which
// the parser reports when, and only if, it gets there.
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
  kPlus,
  kMinus,
  kStar,
  kSlash,  // no operator; `//` is
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
  // Keywords, in the order of the alphabet.
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
  kCharacter,       // a character that begins nothing
  kOpenString,      // the line ends before the string does
  kOpenQuotedName,  // the line ends before the backquote
  kEmptyName,       // ``
  kNumber,          // 3x, 1e
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  LexMistake mistake = LexMistake::kNoMistake;
  bool starts_line = false;
  int line = 0;           // from 1
  int column = 0;         // from 1, in bytes
  std::string_view text;  // as it stands in the file

  int EndColumn() const { return column + static_cast<int>(text.size()); }
};

// All tokens of the text, the last of kind kEnd. They refer to the text, which must outlive them. The place
// is that of the first byte, for a piece of a larger text. REQUIRES: the text is shorter than 2^31 bytes.
std::vector<Token> Lex(std::string_view text, int line = 1, int column = 1);

// How a symbol or keyword is written; for the other kinds what they are: "a name".
std::string_view Spelling(TokenKind kind);

// The keyword that a word is, or kName.
TokenKind KeywordOrName(std::string_view word);

inline bool IsKeyword(TokenKind kind) { return kind >= TokenKind::kAnd; }

// Keywords that are words of other systems' operators too (`value` is an attribute of Constant) and that
// cannot be mistaken where a name is due: there, they are names.
bool IsSoftKeyword(TokenKind kind);

// Whether a word can stand for itself, as far as its letters go: a letter or _, then also digits; not _
// alone.
bool IsIdentifier(std::string_view word);

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_LANGUAGE_LEXER_H_
