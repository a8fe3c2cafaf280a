#include "rules/language/parser.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "rules/language/mistake.h"
#include "rules/language/rule_parser.h"

namespace dimwise::rules {

// ---- Entry points ----

namespace {

std::vector<Diagnostic> ParseUpTo(size_t max_mistakes, std::string_view text, std::string_view file_name,
                                  int first_line, File* file) {
  file->name = file_name;
  file->first_line = first_line;
  std::vector<Diagnostic> mistakes;
  if (text.size() > kMaxFileBytes) {
    mistakes.push_back(
        Mistake("", file_name, {1, 1, 1}, Code::kRuleLimit,
                fmt::format("the file has {} bytes; a rule file has at most {}", text.size(), kMaxFileBytes),
                "split it into several files"));
    return mistakes;
  }
  file->text = text;
  const std::vector<Token> tokens = Lex(file->text, first_line);
  RuleParser parser(file->text, file_name, tokens, first_line);
  while (!parser.AtEnd() && mistakes.size() < max_mistakes) {
    if (parser.ParseDeclaration(*file)) continue;
    mistakes.push_back(parser.TakeMistake());
    parser.Recover();
  }
  return mistakes;
}

}  // namespace

Result<File> Parse(std::string_view text, std::string_view file_name) {
  File file;
  std::vector<Diagnostic> mistakes = ParseUpTo(1, text, file_name, 1, &file);
  if (!mistakes.empty()) return Unexpected(std::move(mistakes.front()));
  return file;
}

std::vector<Diagnostic> ParseAll(std::string_view text, std::string_view file_name, File* file) {
  return ParseUpTo(kMaxMistakes, text, file_name, 1, file);
}

std::vector<Diagnostic> ParsePart(std::string_view text, std::string_view file_name, int first_line,
                                  File* file) {
  return ParseUpTo(kMaxMistakes, text, file_name, first_line, file);
}

// ---- Tokens ----

bool RuleParser::Level::Fits() const {
  if (parser_.depth_ <= kMaxHeight) return true;
  return parser_.Fail(At(parser_.Peek()), fmt::format("this is nested more than {} levels deep", kMaxHeight),
                      "name its parts with `let`", Code::kRuleLimit);
}

bool RuleParser::Need(TokenKind kind, std::string_view where, std::string_view help) {
  if (Take(kind)) return true;
  return FailExpected(fmt::format("`{}` {}", Spelling(kind), where), help);
}

bool RuleParser::NeedAfterName(TokenKind kind, std::string_view name, std::string_view help) {
  if (Take(kind)) return true;
  return FailExpected(fmt::format("`{}` after the name `{}`", Spelling(kind), name), help);
}

bool RuleParser::NeedAfter(TokenKind kind, std::string_view where, std::string_view help) {
  if (Take(kind)) return true;
  return !FoundUsualMistake() && Need(kind, where, help);
}

bool RuleParser::NeedEnd(TokenKind kind, std::string_view where) {
  if (Take(kind)) return true;
  return !FoundUsualMistake() && FailExpected(fmt::format("`,` or `{}` {}", Spelling(kind), where));
}

std::string_view RuleParser::NameOf(const Token& token) {
  return token.text.starts_with('`') ? token.text.substr(1, token.text.size() - 2) : token.text;
}

bool RuleParser::NeedName(std::string_view what, std::string& name, Position& at) {
  const Token& token = Peek();
  if (IsName(token)) {
    Next();
    name = NameOf(token);
    at = At(token);
    return true;
  }
  if (IsKeyword(token.kind) && !token.starts_line) {
    return Fail(At(token),
                fmt::format("`{}` is a word of the rule language and cannot be {}", token.text, what),
                "choose another name, or put it in backquotes");
  }
  return FailExpected(what);
}

bool RuleParser::NeedVersion(std::string_view what, int& version) {
  const Token& token = Peek();
  if (!Is(TokenKind::kInteger)) return FailExpected(fmt::format("a version after `{}`", what));
  const auto [end, error] =
      std::from_chars(token.text.data(), token.text.data() + token.text.size(), version);
  if (error != std::errc() || version < 1) {
    return Fail(At(token), fmt::format("{} is no version: versions are 1 to 2147483647", token.text), "",
                Code::kRuleLimit);
  }
  Next();
  return true;
}

Position RuleParser::From(const Token& first) const {
  const Token* last = &tokens_[at_ == 0 ? 0 : at_ - 1];
  while (last->line > first.line && last > &first) --last;
  const int length = last->EndColumn() - first.column;
  return {first.line, first.column, length > 0 ? length : 1};
}

void RuleParser::Recover() {
  stop_at_in_ = false;
  if (at_ <= declaration_) at_ = declaration_ + 1;
  for (; at_ + 1 < tokens_.size(); ++at_) {
    const Token& token = tokens_[at_];
    if (token.kind == TokenKind::kDoc) return;
    if (!token.starts_line) continue;
    if (AtPart(at_)) return;
    if (token.kind == TokenKind::kOp || token.kind == TokenKind::kFn || token.kind == TokenKind::kTemplate)
      return;
  }
  at_ = tokens_.size() - 1;
}

}  // namespace dimwise::rules
