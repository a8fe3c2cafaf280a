// Parses strings and messages. Expressions in the braces of a message are parsed in place, so that errors
// have their position.
#include <fmt/format.h>

#include "rules/language/rule_parser.h"

namespace dimwise::rules {
namespace {

Position PlaceIn(const Token& token, size_t offset, size_t length) {
  return {token.line, token.column + static_cast<int>(offset), static_cast<int>(length)};
}

}  // namespace

// Parses an escape. The string cannot end here, because its closing quote would be escaped.
bool RuleParser::Escape(const Token& token, size_t& i, std::string& out) {
  const char c = token.text[++i];
  switch (c) {
    case '"':
    case '\\':
      out += c;
      return true;
    case 'n':
      out += '\n';
      return true;
    case 't':
      out += '\t';
      return true;
    default:
      return Fail(PlaceIn(token, i - 1, 2), "this escape is not known", "there are \\\" \\\\ \\n and \\t");
  }
}

// Parses one string, or several adjacent strings, which are joined.
bool RuleParser::JoinedStrings(std::string& out) {
  do {
    if (!String(out)) return false;
  } while (Is(TokenKind::kString));
  return true;
}

bool RuleParser::String(std::string& out) {
  if (!Is(TokenKind::kString)) return FailExpected("a string");
  const Token& token = Next();
  const size_t end = token.text.size() - 1;
  if (token.text.find('\\') == std::string_view::npos) {
    out += token.text.substr(1, end - 1);
    return true;
  }
  for (size_t i = 1; i < end; ++i) {
    if (token.text[i] != '\\') {
      out += token.text[i];
    } else if (!Escape(token, i, out)) {
      return false;
    }
  }
  return true;
}

// Parses one string, or several adjacent strings, which are joined. An expression is inside one of them.
bool RuleParser::ParseMessage(Message& out) {
  if (!Is(TokenKind::kString)) return FailExpected("a message in quotes after `else`");
  out.emplace_back();
  do {
    if (!MessagePart(out)) return false;
  } while (Is(TokenKind::kString));
  return true;
}

bool RuleParser::MessagePart(Message& out) {
  const Token& token = Next();
  const std::string_view text = token.text;
  const size_t end = text.size() - 1;
  for (size_t i = 1; i < end; ++i) {
    const char c = text[i];
    if (c == '\\') {
      if (!Escape(token, i, out.back().text)) return false;
    } else if (c != '{' && c != '}') {
      out.back().text += c;
    } else if (text[i + 1] == c) {
      out.back().text += c;
      ++i;
    } else if (c == '}') {
      return Fail(PlaceIn(token, i, 1), "there is no `{` to this `}`", "a brace itself is written twice: }}");
    } else {
      const size_t close = text.find('}', i);
      if (close == std::string_view::npos) {
        return Fail(PlaceIn(token, i, 1), "there is no `}` to this `{`",
                    "a brace itself is written twice: {{");
      }
      out.back().expr = Embedded(token, i + 1, close);
      if (out.back().expr == nullptr) return false;
      out.emplace_back();
      i = close;
    }
  }
  return true;
}

ExprPtr RuleParser::Embedded(const Token& token, size_t begin, size_t end) {
  const std::vector<Token> tokens =
      Lex(token.text.substr(begin, end - begin), token.line, token.column + static_cast<int>(begin));
  const std::span<const Token> outer_tokens = std::exchange(tokens_, tokens);
  const size_t outer_at = std::exchange(at_, 0);
  ExprPtr expr;
  if (tokens.size() == 1) {
    Fail(PlaceIn(token, begin - 1, end - begin + 2), "there is no expression in the braces",
         "a brace itself is written twice: {{ }}");
  } else {
    expr = Expression();
    if (expr != nullptr && !AtEnd()) {
      if (!FoundUsualMistake()) FailExpected("`}` after the expression");
      expr = nullptr;
    }
  }
  tokens_ = outer_tokens;
  at_ = outer_at;
  return expr;
}

}  // namespace dimwise::rules
