// Parses functions, operators and templates, and the statements of an operator.
#include <fmt/format.h>

#include <utility>

#include "rules/language/complete_signatures.h"
#include "rules/language/rule_parser.h"

namespace dimwise::rules {

using enum TokenKind;

bool RuleParser::ParseDeclaration(File& file) {
  declaration_ = at_;
  std::string doc;
  const Token* first_doc = nullptr;
  while (Is(kDoc)) {
    const Token& token = Next();
    std::string_view line = token.text.substr(2);
    if (line.starts_with(' ')) line.remove_prefix(1);
    while (line.ends_with('\r') || line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
    if (first_doc == nullptr) first_doc = &token;
    if (!doc.empty()) doc += '\n';
    doc += line;
  }
  while (doc.ends_with('\n')) doc.pop_back();
  part_ = Part::kAll;
  if (AtPart(at_)) {
    const std::string_view word = Next().text;
    part_ = word == "shape" ? Part::kShape : word == "type" ? Part::kType : Part::kStorage;
  }
  switch (Peek().kind) {
    case kFn: {
      Function function;
      function.doc = std::move(doc);
      if (!ParseFunction(function)) return false;
      file.functions.push_back(std::move(function));
      return true;
    }
    case kOp:
    case kTemplate: {
      Operator op;
      op.part = part_;
      op.doc = std::move(doc);
      if (!ParseOperator(op)) return false;
      CompleteSignatures(op, file.types);
      file.operators.push_back(std::move(op));
      return true;
    }
    default:
      break;
  }
  if (first_doc != nullptr) {
    return Fail({first_doc->line, first_doc->column, 2}, "there is no declaration below this documentation",
                "`##` documents an op, fn or template; a comment begins with a single #");
  }
  return Is(kSet) ? ParseSet(file) : FailDeclaration();
}

// Parses `set my` or `set my.extra`, and the types of variables after it.
bool RuleParser::ParseSet(File& file) {
  const Token& first = Next();
  if (!file.set.empty()) {
    return Fail(At(first), fmt::format("the file already belongs to the set `{}`", file.set), "",
                Code::kRuleDuplicate);
  }
  if (!file.operators.empty() || !file.functions.empty()) {
    return Fail(At(first), "`set` comes before all functions and operators");
  }
  std::string set;
  do {
    const Token& part = Peek();
    if (!IsIdentifier(part.text)) return FailExpected("the name of an operator set");
    if (!set.empty()) set += '.';
    set += Next().text;
  } while (Take(kDot));
  file.set = std::move(set);
  while (AtTypes()) {
    if (!TypesGroup(file.types)) return false;
  }
  return true;
}

// Parses `fn window(x, k: int) -> int = expr`.
bool RuleParser::ParseFunction(Function& out) {
  Next();
  if (!NeedName("the name of a function", out.name, out.at)) return false;
  if (!Need(kLeftParen, "after the name of the function", "for example: fn half(x: int) -> int = x // 2"))
    return false;
  if (!Is(kRightParen)) {
    do {
      const size_t first = out.parameters.size();
      do {
        Parameter& parameter = out.parameters.emplace_back();
        if (!NeedName("the name of a parameter", parameter.name, parameter.at)) return false;
      } while (Take(kComma));
      std::span<Parameter> group(out.parameters);
      group = group.subspan(first);
      if (!NeedAfterName(kColon, group.back().name, "each parameter has a type: x: int") ||
          !Repeat(group.size(),
                  [&](size_t i) { return NeedName("a type", group[i].type, group[i].type_at); })) {
        return false;
      }
    } while (Take(kComma));
  }
  if (!NeedEnd(kRightParen, "after a parameter") || !Need(kArrow, "and the type of the result")) return false;
  if (!NeedName("the type of the result", out.result, out.result_at)) return false;
  if (!Need(kEqual, "before the function's value")) return false;
  out.body = Expression();
  if (out.body == nullptr) return false;
  if (Take(kElse) && !ParseMessage(out.message)) return false;
  if (AtDeclaration() || FoundUsualMistake()) return !mistake_.has_value();
  return FailExpected("a declaration after the function");
}

bool RuleParser::ParseOperator(Operator& out) {
  out.is_template = Next().kind == kTemplate;
  if (!OperatorNames(out) || !Versions(out)) return false;
  if (out.like.empty() && !(out.is_template && !Is(kLeftParen)) && !Signatures(out)) return false;
  if (!out.like.empty() && Take(kLeftParen)) {  // attributes in addition to those of the template
    if (!Need(kSemicolon, "before attributes", "for example: op Elu like unary (; alpha = 1.0)") ||
        !Attributes(out) || !NeedEnd(kRightParen, "after an attribute"))
      return false;
  }
  return Statements(out);
}

// Any word may name an operator: stablehlo has `and`, `or`, `not`.
bool RuleParser::OperatorNames(Operator& out) {
  do {
    const Token& token = Peek();
    Position at = At(token);
    if (IsKeyword(token.kind) && !token.starts_line) {
      out.names.emplace_back(Next().text);
    } else if (!NeedName(out.is_template ? "the name of a template" : "the name of an operator",
                         out.names.emplace_back(), at)) {
      return false;
    }
    out.names_at.push_back(at);
  } while (!out.is_template && Take(kComma));
  out.at = out.names_at.front();
  return true;
}

bool RuleParser::Versions(Operator& out) {
  bool since = false;
  while (true) {
    const Token& token = Peek();
    const bool again = (token.kind == kSince && since) || (token.kind == kUntil && out.until != 0) ||
                       (token.kind == kLike && !out.like.empty());
    if (again) {
      return Fail(At(token), fmt::format("`{}` is given twice", token.text), "", Code::kRuleDuplicate);
    }
    if (Take(kSince)) {
      since = true;
      if (!NeedVersion("since", out.since)) return false;
    } else if (Take(kUntil)) {
      if (!NeedVersion("until", out.until)) return false;
    } else if (Is(kLike)) {
      if (out.is_template) return Fail(At(token), "a template cannot be like another");
      Next();
      if (!NeedName("the name of a template", out.like, out.like_at)) return false;
    } else {
      return true;
    }
  }
}

bool RuleParser::Signatures(Operator& out) {
  if (!ParseSignature(out.signatures.emplace_back(), &out)) return false;
  if (out.signatures.empty()) return true;
  while (Is(kBar)) {
    Next();
    if (!ParseSignature(out.signatures.emplace_back(), nullptr)) return false;
  }
  return true;
}

// Parses `(operands; attributes) -> (results) when condition`.
bool RuleParser::ParseSignature(Signature& out, Operator* with_attributes) {
  const Token& first = Peek();
  if (!Need(kLeftParen, "before the operands", "for example: op Relu(X: T[...s]) -> (Y: T[...s])"))
    return false;
  if (!Arguments(out.operands, "the name of an operand")) return false;
  if (Is(kSemicolon) && with_attributes == nullptr) {
    return Fail(At(Peek()), "attributes are written once, in the first signature");
  }
  const bool has_attributes = Take(kSemicolon);
  if (has_attributes && !Attributes(*with_attributes)) return false;
  if (!NeedEnd(kRightParen, has_attributes ? "after an attribute" : "after an operand")) return false;
  out.at = From(first);
  if (with_attributes != nullptr && with_attributes->is_template && out.operands.empty() && !Is(kArrow)) {
    with_attributes->signatures.clear();  // a group of attributes and statements
    return true;
  }
  if (!Need(kArrow, "and the results", "an operator without results ends with -> ()")) return false;
  if (!Need(kLeftParen, "before the results", "results are written in parentheses: -> (Y: T[...s])"))
    return false;
  if (!Arguments(out.results, "the name of a result")) return false;
  if (Is(kSemicolon)) return Fail(At(Peek()), "attributes follow the operands, not the results");
  if (!NeedEnd(kRightParen, "after a result")) return false;
  if (!Take(kWhen)) return true;
  out.when = Expression();
  return out.when != nullptr;
}

// ---- Statements ----

// Recognizes `shape op`, `type op`, `storage op`, whose first words are keywords only here.
bool RuleParser::AtPart(size_t at) const {
  const Token& token = tokens_[at];
  if (token.kind != kName || !token.starts_line || at + 1 >= tokens_.size() || tokens_[at + 1].kind != kOp)
    return false;
  return token.text == "shape" || token.text == "type" || token.text == "storage";
}

bool RuleParser::AtDeclaration() const {
  const TokenKind kind = Peek().kind;
  if (AtPart(at_)) return true;
  return kind == kEnd || kind == kDoc || kind == kOp || kind == kFn || kind == kTemplate ||
         (kind == kSet && Peek().starts_line && Peek(1).kind != kColon);
}

bool RuleParser::Statements(Operator& out) {
  while (!AtDeclaration()) {
    if (!(AtTypes() ? TypesGroup(out.statements) : ParseStatement(out.statements.emplace_back())))
      return false;
  }
  return true;
}

bool RuleParser::ParseStatement(Statement& out) {
  const Token& first = Peek();
  out.at = At(first);
  switch (first.kind) {
    case kLet:
      return Binding(StatementKind::kLet, "a name", out);
    case kValue:
      return Binding(StatementKind::kValue, "the name of a result", out);
    case kRequire:
      return Require(StatementKind::kRequire, out);
    case kAssume:
      return Require(StatementKind::kAssume, out);
    case kEnsure:
      Next();
      out.kind = StatementKind::kEnsure;
      return (out.expr = Expression()) != nullptr;
    case kProperty:
      return ParseProperty(out);
    case kExample:
      Next();
      out.kind = StatementKind::kExample;
      return Is(kString) ? JoinedStrings(out.text) : FailExpected("an example in quotes");
    default:
      if (first.text == "with") return With(out);
      return FailStatement();
  }
}

// Parses `with window`.
bool RuleParser::With(Statement& out) {
  out.kind = StatementKind::kWith;
  Next();
  return NeedName("the name of a template", out.name, out.at);
}

bool RuleParser::Binding(StatementKind kind, std::string_view what, Statement& out) {
  out.kind = kind;
  Next();
  if (!NeedName(what, out.name, out.at)) return false;
  if (!NeedAfterName(kEqual, out.name)) return false;
  return (out.expr = Expression()) != nullptr;
}

// Returns whether names and a colon follow: `T, U: float`.
bool RuleParser::AtTypes() const {
  size_t i = 0;
  while (IsName(Peek(i)) && Peek(i + 1).kind == kComma) i += 2;
  return IsName(Peek(i)) && Peek(i + 1).kind == kColon;
}

// Parses `T, U: float | i32`: names that have the same types.
bool RuleParser::TypesGroup(std::vector<Statement>& out) {
  const size_t first = out.size();
  do {
    Statement& statement = out.emplace_back();
    statement.kind = StatementKind::kTypes;
    statement.at = At(Peek());
    statement.name = NameOf(Next());
  } while (Take(kComma));
  Next();
  return Repeat(out.size() - first, [&](size_t i) { return Types(out[first + i]); });
}

// Parses `float | i32`.
bool RuleParser::Types(Statement& out) {
  do {
    if (!NeedName("a type or a class of types", out.words.emplace_back(), out.words_at.emplace_back()))
      return false;
  } while (Take(kBar));
  return true;
}

bool RuleParser::Require(StatementKind kind, Statement& out) {
  out.kind = kind;
  Next();
  out.expr = Expression();
  if (out.expr == nullptr) return false;
  if (Is(kString))
    return FailExpected("`else` before the message", "for example: require n > 0 else \"n is {n}\"");
  return !Take(kElse) || ParseMessage(out.message);
}

}  // namespace dimwise::rules
