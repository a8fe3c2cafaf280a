#include "rules/language/lexer.h"

#include <array>
#include <utility>

#include "core/base/utf8.h"

namespace dimwise::rules {
namespace {

using enum TokenKind;

// In the order of TokenKind.
// clang-format off
constexpr std::array kSpellings = std::to_array<std::string_view>({
    "the end of the file", "a mistake", "documentation", "a name", "an integer", "a real number", "a string",
    "(", ")", "[", "]", "{", "}", ",", ";", ":", "?", "??", "+", "-", "*", "/", "//", "%",
    "==", "!=", "<", "<=", ">", ">=", "=", "->", "|", ".", "..", "...", "_",
    "and", "assume", "each", "else", "ensure", "example", "false", "fn", "fold", "for", "if", "implies", "in", "let", "like",
    "not", "op", "or", "property", "require", "set", "since", "template", "then", "true", "until", "value", "when", "with",
});
// clang-format on
static_assert(kSpellings.size() == static_cast<size_t>(kWith) + 1);

constexpr size_t kFirstKeyword = static_cast<size_t>(kAnd);

// The index in kSpellings of the first keyword for each initial letter, with an end marker after z.
constexpr std::array<uint8_t, 27> kKeywordsByLetter = [] {
  std::array<uint8_t, 27> starts{};
  size_t at = kFirstKeyword;
  for (size_t letter = 0; letter < starts.size(); ++letter) {
    while (at < kSpellings.size() && static_cast<size_t>(kSpellings[at][0] - 'a') < letter) ++at;
    starts[letter] = static_cast<uint8_t>(at);
  }
  return starts;
}();

enum CharClass : uint8_t { kOther = 0, kLetter = 1, kDigit = 2 };

constexpr std::array<uint8_t, 256> kClasses = [] {
  std::array<uint8_t, 256> classes{};
  for (int c = 'a'; c <= 'z'; ++c) classes[static_cast<size_t>(c)] = kLetter;
  for (int c = 'A'; c <= 'Z'; ++c) classes[static_cast<size_t>(c)] = kLetter;
  for (int c = '0'; c <= '9'; ++c) classes[static_cast<size_t>(c)] = kDigit;
  classes['_'] = kLetter;
  return classes;
}();

bool IsLetter(char c) { return kClasses[static_cast<unsigned char>(c)] == kLetter; }
bool IsDigit(char c) { return kClasses[static_cast<unsigned char>(c)] == kDigit; }
bool IsWord(char c) { return kClasses[static_cast<unsigned char>(c)] != kOther; }

class Lexer {
 public:
  Lexer(std::string_view text, int line, int column)
      : at_(text.data()), end_(at_ + text.size()), line_start_(at_), first_column_(column), line_(line) {
    tokens_.reserve(text.size() / 3 + 8);
  }

  std::vector<Token> Run() && {
    while (SkipSpace()) Next();
    start_ = at_;
    Add(kEnd);
    return std::move(tokens_);
  }

 private:
  char Peek(int ahead = 0) const { return end_ - at_ > ahead ? at_[ahead] : '\0'; }

  // Moves to the first byte of the next token. Returns false at the end.
  bool SkipSpace() {
    for (; at_ != end_; ++at_) {
      switch (*at_) {
        case '\n':
          ++line_;
          line_start_ = at_ + 1;
          first_column_ = 1;
          starts_line_ = true;
          break;
        case ' ':
        case '\t':
        case '\r':
          break;
        case '#':
          if (starts_line_ && Peek(1) == '#' && Peek(2) != '#') return true;
          SkipLine();
          --at_;
          break;
        default:
          return true;
      }
    }
    return false;
  }

  void SkipLine() {
    while (at_ != end_ && *at_ != '\n') ++at_;
  }

  void Next() {
    start_ = at_;
    const char c = *at_++;
    if (IsLetter(c)) return Word();
    if (IsDigit(c)) return Number();
    switch (c) {
      case '#':
        SkipLine();
        return Add(kDoc);
      case '"':
        return String();
      case '`':
        return QuotedName();
      default:
        return Symbol(c);
    }
  }

  void Word() {
    while (at_ != end_ && IsWord(*at_)) ++at_;
    const std::string_view word(start_, static_cast<size_t>(at_ - start_));
    Add(word == "_" ? kUnderscore : KeywordOrName(word));
  }

  // A point belongs to a number only before a digit, so that 0..3 is a range.
  void Number() {
    TokenKind kind = kInteger;
    SkipDigits();
    if (Peek() == '.' && IsDigit(Peek(1))) {
      kind = kReal;
      ++at_;
      SkipDigits();
    }
    if ((Peek() == 'e' || Peek() == 'E')) {
      const int sign = Peek(1) == '-' || Peek(1) == '+' ? 1 : 0;
      if (IsDigit(Peek(1 + sign))) {
        kind = kReal;
        at_ += 1 + sign;
        SkipDigits();
      }
    }
    if (at_ == end_ || !IsWord(*at_)) return Add(kind);
    while (at_ != end_ && IsWord(*at_)) ++at_;
    Add(kBad, LexMistake::kNumber);
  }

  void SkipDigits() {
    while (at_ != end_ && IsDigit(*at_)) ++at_;
  }

  void String() {
    for (; at_ != end_ && *at_ != '\n'; ++at_) {
      if (*at_ == '"') {
        ++at_;
        return Add(kString);
      }
      if (*at_ == '\\' && Peek(1) != '\n' && end_ - at_ > 1) ++at_;
    }
    Add(kBad, LexMistake::kOpenString);
  }

  void QuotedName() {
    while (at_ != end_ && *at_ != '`' && *at_ != '\n') ++at_;
    if (Peek() != '`') return Add(kBad, LexMistake::kOpenQuotedName);
    ++at_;
    if (at_ - start_ == 2) return Add(kBad, LexMistake::kEmptyName);
    Add(kName);
  }

  void Symbol(char c) {
    switch (c) {
      case '(':
        return Add(kLeftParen);
      case ')':
        return Add(kRightParen);
      case '[':
        return Add(kLeftBracket);
      case ']':
        return Add(kRightBracket);
      case '{':
        return Add(kLeftBrace);
      case '}':
        return Add(kRightBrace);
      case ',':
        return Add(kComma);
      case ';':
        return Add(kSemicolon);
      case ':':
        return Add(kColon);
      case '?':
        return Take('?') ? Add(kQuestionQuestion) : Add(kQuestion);
      case '+':
        return Add(kPlus);
      case '*':
        return Add(kStar);
      case '%':
        return Add(kPercent);
      case '-':
        return Take('>') ? Add(kArrow) : Add(kMinus);
      case '/':
        return Take('/') ? Add(kSlashSlash) : Add(kSlash);
      case '=':
        return Take('=') ? Add(kEqualEqual) : Add(kEqual);
      case '<':
        return Take('=') ? Add(kLessEqual) : Add(kLess);
      case '>':
        return Take('=') ? Add(kGreaterEqual) : Add(kGreater);
      case '!':
        return Take('=') ? Add(kNotEqual) : Add(kBad, LexMistake::kCharacter);
      case '|':
        return Take('|') ? Add(kBad, LexMistake::kCharacter) : Add(kBar);
      case '&':
        Take('&');
        return Add(kBad, LexMistake::kCharacter);
      case '.':
        if (!Take('.')) return Add(kDot);
        return Take('.') ? Add(kEllipsis) : Add(kDotDot);
      default:
        // Keep the bytes of a UTF-8 character together in the message.
        while (at_ != end_ && ContinuesCharacter(*at_)) ++at_;
        return Add(kBad, LexMistake::kCharacter);
    }
  }

  bool Take(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  void Add(TokenKind kind, LexMistake mistake = LexMistake::kNoMistake) {
    Token& token = tokens_.emplace_back();
    token.kind = kind;
    token.mistake = mistake;
    token.starts_line = std::exchange(starts_line_, false);
    token.line = line_;
    token.column = first_column_ + static_cast<int>(start_ - line_start_);
    token.text = std::string_view(start_, static_cast<size_t>(at_ - start_));
  }

  const char* at_;
  const char* const end_;
  const char* start_ = nullptr;
  const char* line_start_;
  int first_column_;
  int line_;
  bool starts_line_ = true;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> Lex(std::string_view text, int line, int column) {
  return Lexer(text, line, column).Run();
}

std::string_view Spelling(TokenKind kind) { return kSpellings[static_cast<size_t>(kind)]; }

TokenKind KeywordOrName(std::string_view word) {
  if (word.empty() || word[0] < 'a' || word[0] > 'z') return kName;
  const auto letter = static_cast<size_t>(word[0] - 'a');
  for (size_t i = kKeywordsByLetter[letter]; i < kKeywordsByLetter[letter + 1]; ++i) {
    if (kSpellings[i] == word) return static_cast<TokenKind>(i);
  }
  return kName;
}

bool IsSoftKeyword(TokenKind kind) {
  return kind == kValue || kind == kSet || kind == kSince || kind == kUntil || kind == kLike ||
         kind == kExample || kind == kProperty;
}

bool IsIdentifier(std::string_view word) {
  if (word.empty() || word == "_" || !IsLetter(word[0])) return false;
  for (const char c : word) {
    if (!IsWord(c)) return false;
  }
  return true;
}

}  // namespace dimwise::rules
