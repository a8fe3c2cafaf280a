// Messages for syntax errors: what was expected, what was found, and a suggestion.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "core/base/nearest_name.h"
#include "core/base/utf8.h"
#include "rules/language/mistake.h"
#include "rules/language/rule_parser.h"

namespace dimwise::rules {
namespace {

using enum TokenKind;

constexpr std::array kDeclarationWords = std::to_array<std::string_view>({"op", "fn", "template", "set"});
constexpr std::array kStatementWords = std::to_array<std::string_view>(
    {"let", "require", "assume", "ensure", "value", "property", "example", "when", "op", "fn", "template"});
constexpr std::array kKindWords =
    std::to_array<std::string_view>({"int", "ints", "float", "floats", "bool", "string", "strings", "type",
                                     "types", "shape", "shapes", "tensor", "any"});

// Names of attribute kinds in other languages.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kKindsElsewhere = {{
    {"dtype", "type"},
    {"dtypes", "types"},
    {"str", "string"},
    {"boolean", "bool"},
    {"integer", "int"},
    {"i64", "int"},
    {"int64", "int"},
    {"number", "float"},
    {"f32", "float"},
    {"double", "float"},
    {"list", "ints"},
    {"graph", "any"},
}};

// Returns a token in quotes; a long one is shortened.
std::string Quoted(const Token& token) {
  if (token.kind == kEnd) return "the end";
  if (token.kind == kDoc) return "`##`";
  constexpr size_t kShown = 40;
  if (token.text.size() <= kShown) return fmt::format("`{}`", token.text);
  return fmt::format("`{}...`", token.text.substr(0, BeginOfCharacter(token.text, kShown)));
}

}  // namespace

bool RuleParser::Fail(const Position& at, std::string message, std::string help, Code code) {
  if (!mistake_)
    mistake_ = Mistake(text_, file_name_, at, code, std::move(message), std::move(help), first_line_);
  return false;
}

// If the next token is on a later line, the position is behind the last token, where something is missing.
bool RuleParser::FailExpected(std::string_view expected, std::string_view help) {
  const Token& token = Peek();
  if (token.kind == kBad) return FailBadToken(token);
  Position at = At(token);
  if (at_ > 0 && (tokens_[at_ - 1].line < token.line || token.kind == kEnd)) {
    at = {tokens_[at_ - 1].line, tokens_[at_ - 1].EndColumn(), 1};
  }
  return Fail(at, fmt::format("expected {}, found {}", expected, Quoted(token)), std::string(help));
}

bool RuleParser::FailBadToken(const Token& token) {
  switch (token.mistake) {
    case LexMistake::kOpenString:
      return Fail({token.line, token.column, 1}, "the string does not end on its line",
                  "close it with \"; a quote inside is written \\\"");
    case LexMistake::kOpenQuotedName:
      return Fail({token.line, token.column, 1}, "the name in backquotes does not end on its line");
    case LexMistake::kEmptyName:
      return Fail(At(token), "a name has at least one letter");
    case LexMistake::kNumber:
      return Fail(At(token), fmt::format("{} is no number", Quoted(token)),
                  "numbers are written 12, 0.5 or 1e-5; a name begins with a letter or _");
    default:
      break;
  }
  std::string help;
  if (token.text == "!") help = "a condition is negated with `not`";
  if (token.text == "&&" || token.text == "&") help = "conditions are joined with `and`";
  if (token.text == "||") help = "conditions are joined with `or`";
  if (token.text == "'") help = "strings stand in double quotes: \"...\"";
  if (token.text == "^" || token.text == "~") help = "bits are tested with `bit(x, i)`";
  return Fail(At(token), fmt::format("{} is no part of the rule language", Quoted(token)), std::move(help));
}

std::string RuleParser::DidYouMean(std::string_view was, std::span<const std::string_view> names) {
  const std::string_view name = NearestName(was, names);
  return name.empty() ? "" : fmt::format("did you mean `{}`?", name);
}

bool RuleParser::FailExpression() {
  const Token& token = Peek();
  switch (token.kind) {
    case kUnderscore:
      return Fail(At(token), "`_` has no value",
                  "it matches any size or type in a pattern; give it a name to use it");
    case kEllipsis:
      return Fail(At(token), "`...` denotes a list of sizes only inside [ ]",
                  "a list itself is its name, without dots");
    case kDotDot:
      return Fail(At(token), "`..` is used only between the ends of an attribute's range",
                  "a list is spread with three dots: [...x]");
    case kNot:
      return Fail(At(token), "`not` binds less tightly than the operator before it",
                  "put it in parentheses: (not x)");
    default:
      return FailExpected("an expression");
  }
}

bool RuleParser::FoundUsualMistake() {
  const Token& token = Peek();
  switch (token.kind) {
    case kEqual:
      Fail(At(token), "`=` gives a value to a name and does not compare", "to compare, write `==`");
      break;
    case kSlash:
      Fail(At(token), "sizes have no division with `/`",
           "`//` divides and rounds down; ceildiv(a, b) rounds up");
      break;
    case kDotDot:
      Fail(At(token), "`..` is used only between the ends of an attribute's range",
           "for a list of integers write range(a, b)");
      break;
    case kQuestion:
      Fail(At(token), "a choice is not written with `?`", "write: if c then a else b");
      break;
    case kBar:
      Fail(At(token), "`|` separates types, and precedes another signature `| (...) -> (...)`",
           "conditions are joined with `or`; other signatures come before all statements");
      break;
    case kDot:
      Fail(At(token), "nothing here has parts that `.` could select",
           "the sizes of X are what its pattern binds: X: T[...s]");
      break;
    case kBad:
      FailBadToken(token);
      break;
    default:
      return false;
  }
  return true;
}

bool RuleParser::FailStatement() {
  const Token& token = Peek();
  if (FoundUsualMistake()) return false;
  if (!IsName(token)) return FailExpected("a statement or a declaration");
  if (Peek(1).kind == kEqual) {
    return Fail(
        At(token), fmt::format("{} is not allowed here", Quoted(token)),
        fmt::format("write `let {0} = ...`, `value {0} = ...` or, for types, `{0}: ...`", token.text));
  }
  return Fail(At(token), fmt::format("{} begins no statement", Quoted(token)),
              DidYouMean(token.text, kStatementWords));
}

bool RuleParser::FailDeclaration() {
  const Token& token = Peek();
  if (token.kind == kName) {
    return Fail(At(token), fmt::format("{} begins no declaration", Quoted(token)),
                DidYouMean(token.text, kDeclarationWords));
  }
  return FailExpected("`op`, `fn` or `template`");
}

bool RuleParser::FailKind(const Token& kind) {
  std::string help;
  for (const auto& [elsewhere, here] : kKindsElsewhere) {
    if (kind.text == elsewhere) help = fmt::format("it is called `{}` here", here);
  }
  if (help.empty()) help = DidYouMean(kind.text, kKindWords);
  if (help.empty())
    help = "the kinds are int ints float floats bool string strings type types shape tensor any";
  return Fail(At(kind), fmt::format("{} is no kind of attribute", Quoted(kind)), std::move(help));
}

}  // namespace dimwise::rules
