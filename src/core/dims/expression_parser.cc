#include "core/dims/expression_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/base/characters.h"
#include "core/base/wide.h"
#include "core/dims/condition_logic.h"
#include "core/dims/limits.h"
#include "dimwise/result_macros.h"

namespace dimwise {

Unexpected ExpressionParser::Fail(std::string message) const {
  Diagnostic d;
  d.code = Code::kBadExpression;
  const std::string_view shown = text_.substr(0, std::min<size_t>(text_.size(), 200));
  d.message = fmt::format("{} at column {} of '{}'", message, at_ + 1, shown);
  d.help =
      "an expression has numbers, names, + - * // %, min, max, broadcast and parentheses; a name with other "
      "characters is written in backquotes";
  return Unexpected(std::move(d));
}

void ExpressionParser::SkipSpace() {
  while (at_ < text_.size() && IsSpace(text_[at_])) ++at_;
}

bool ExpressionParser::AtEnd() {
  SkipSpace();
  return at_ == text_.size();
}

bool ExpressionParser::TakeSymbol(std::string_view symbol) {
  SkipSpace();
  if (!text_.substr(at_).starts_with(symbol)) return false;
  at_ += symbol.size();
  return true;
}

std::string_view ExpressionParser::PeekWord() {
  SkipSpace();
  size_t end = at_;
  while (end < text_.size() && (end == at_ ? BeginsWord(text_[end]) : IsWordPart(text_[end]))) ++end;
  return text_.substr(at_, end - at_);
}

bool ExpressionParser::TakeWord(std::string_view word) {
  if (PeekWord() != word) return false;
  at_ += word.size();
  return true;
}

Result<Dim> ExpressionParser::NeedDim(Operand operand) const {
  if (operand.is_condition) return Fail("a size is required instead of a condition");
  return operand.dim;
}

Result<Condition> ExpressionParser::NeedCondition(Operand operand) const {
  if (!operand.is_condition) return Fail("a comparison is required instead of a size");
  return std::move(operand.condition);
}

Result<Dim> ExpressionParser::ParseDim() {
  if (text_.size() > kMaxExpressionText) return Fail("the expression is longer than 65536 characters");
  DIMWISE_ASSIGN_OR_RETURN(auto operand, Or());
  if (!AtEnd()) return Fail(fmt::format("unexpected '{}'", text_.substr(at_, 1)));
  return NeedDim(std::move(operand));
}

Result<Condition> ExpressionParser::ParseConditions() {
  if (text_.size() > kMaxExpressionText) return Fail("the condition is longer than 65536 characters");
  Condition all;
  do {
    DIMWISE_ASSIGN_OR_RETURN(auto operand, Or());
    DIMWISE_ASSIGN_OR_RETURN(auto condition, NeedCondition(std::move(operand)));
    std::ranges::move(condition.clauses, std::back_inserter(all.clauses));
  } while (TakeSymbol(","));
  if (!AtEnd()) return Fail(fmt::format("unexpected '{}'", text_.substr(at_, 1)));
  return all;
}

Result<ExpressionParser::Operand> ExpressionParser::Or() {
  if (++depth_ > kMaxParserNesting) return Fail("the expression is nested more than 100 deep");
  DIMWISE_ASSIGN_OR_RETURN(auto left, And());
  while (TakeWord("or")) {
    DIMWISE_ASSIGN_OR_RETURN(auto right, And());
    DIMWISE_ASSIGN_OR_RETURN(auto a, NeedCondition(std::move(left)));
    DIMWISE_ASSIGN_OR_RETURN(auto b, NeedCondition(std::move(right)));
    std::optional<Condition> either = EitherOf(a, b);
    if (!either) return Fail("the condition has too many cases");
    left = {{}, std::move(*either), true};
  }
  --depth_;
  return left;
}

Result<ExpressionParser::Operand> ExpressionParser::And() {
  DIMWISE_ASSIGN_OR_RETURN(auto left, Negation());
  while (TakeWord("and")) {
    DIMWISE_ASSIGN_OR_RETURN(auto right, Negation());
    DIMWISE_ASSIGN_OR_RETURN(auto a, NeedCondition(std::move(left)));
    DIMWISE_ASSIGN_OR_RETURN(auto b, NeedCondition(std::move(right)));
    std::ranges::move(b.clauses, std::back_inserter(a.clauses));
    left = {{}, std::move(a), true};
  }
  return left;
}

Result<ExpressionParser::Operand> ExpressionParser::Negation() {
  if (!TakeWord("not")) return Comparison();
  if (++depth_ > kMaxParserNesting) return Fail("the expression is nested more than 100 deep");
  DIMWISE_ASSIGN_OR_RETURN(auto operand, Negation());
  --depth_;
  DIMWISE_ASSIGN_OR_RETURN(auto condition, NeedCondition(std::move(operand)));
  std::optional<Condition> negated = NotOf(table_, condition);
  if (!negated) return Fail("the condition has too many cases");
  return Operand{{}, std::move(*negated), true};
}

Result<ExpressionParser::Operand> ExpressionParser::Comparison() {
  DIMWISE_ASSIGN_OR_RETURN(auto left, Sum());
  Condition all;
  bool compared = false;
  while (true) {
    static constexpr std::string_view kOperators[] = {"==", "!=", "<=", ">=", "<", ">"};
    const auto op = std::ranges::find_if(kOperators, [&](std::string_view s) { return TakeSymbol(s); });
    if (op == std::end(kOperators)) break;
    DIMWISE_ASSIGN_OR_RETURN(auto right, Sum());
    DIMWISE_ASSIGN_OR_RETURN(auto a, NeedDim(left));
    DIMWISE_ASSIGN_OR_RETURN(auto b, NeedDim(right));
    const Literal literal = *op == "=="   ? Equal(table_, a, b)
                            : *op == "!=" ? NotEqual(table_, a, b)
                            : *op == "<=" ? AtMost(table_, a, b)
                            : *op == ">=" ? AtLeast(table_, a, b)
                            : *op == "<"  ? LessThan(table_, a, b)
                                          : LessThan(table_, b, a);
    if (literal.value.is_none()) return Fail("a number is too large");
    all.clauses.push_back({literal});
    left = std::move(right);
    compared = true;
  }
  if (!compared) return left;
  return Operand{{}, std::move(all), true};
}

Result<ExpressionParser::Operand> ExpressionParser::Sum() {
  DIMWISE_ASSIGN_OR_RETURN(auto left, Product());
  while (true) {
    const bool plus = TakeSymbol("+");
    if (!plus && !TakeSymbol("-")) return left;
    DIMWISE_ASSIGN_OR_RETURN(auto right, Product());
    DIMWISE_ASSIGN_OR_RETURN(auto a, NeedDim(std::move(left)));
    DIMWISE_ASSIGN_OR_RETURN(auto b, NeedDim(std::move(right)));
    left = {plus ? table_.Add(a, b) : table_.Subtract(a, b), {}, false};
  }
}

Result<ExpressionParser::Operand> ExpressionParser::Product() {
  DIMWISE_ASSIGN_OR_RETURN(auto left, Unary());
  while (true) {
    static constexpr std::string_view kOperators[] = {"*", "//", "%"};
    const auto op = std::ranges::find_if(kOperators, [&](std::string_view s) { return TakeSymbol(s); });
    if (op == std::end(kOperators)) {
      if (!AtEnd() && text_[at_] == '/') return Fail("a size is divided with '//', not '/',");
      return left;
    }
    DIMWISE_ASSIGN_OR_RETURN(auto right, Unary());
    DIMWISE_ASSIGN_OR_RETURN(auto a, NeedDim(std::move(left)));
    DIMWISE_ASSIGN_OR_RETURN(auto b, NeedDim(std::move(right)));
    if (*op != "*" && b == Dim(0)) return Fail("division by zero");
    left = {*op == "*"    ? table_.Multiply(a, b)
            : *op == "//" ? table_.FloorDivide(a, b)
                          : table_.Mod(a, b),
            {},
            false};
  }
}

Result<ExpressionParser::Operand> ExpressionParser::Unary() {
  bool negative = false;
  while (TakeSymbol("-")) negative = !negative;
  SkipSpace();
  if (negative && at_ < text_.size() && IsDigit(text_[at_])) return Number(negative);
  DIMWISE_ASSIGN_OR_RETURN(auto operand, Primary());
  if (!negative) return operand;
  DIMWISE_ASSIGN_OR_RETURN(auto d, NeedDim(std::move(operand)));
  return Operand{table_.Negate(d), {}, false};
}

// Parses a number. The sign is passed in, because the magnitude of INT64_MIN does not fit int64_t.
Result<ExpressionParser::Operand> ExpressionParser::Number(bool negative) {
  uint64_t digits = 0;
  const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), digits);
  const Wide value = negative ? -Wide{digits} : Wide{digits};
  if (error != std::errc() || !FitsInt64(value)) return Fail("the number is too large");
  const Dim number(static_cast<int64_t>(value));
  if (number.is_none()) return Fail("the number is too large");
  at_ = static_cast<size_t>(end - text_.data());
  return Operand{number, {}, false};
}

// Returns the symbol of this name. A name from printed output may belong to a generated symbol.
ExpressionParser::Operand ExpressionParser::Named(std::string_view name) {
  const std::optional<Dim> known = table_.FindSymbol(name);
  return {known ? *known : table_.Symbol(name), {}, false};
}

Result<ExpressionParser::Operand> ExpressionParser::QuotedName() {
  std::string name;
  while (true) {
    const size_t close = text_.find('`', at_);
    if (close == std::string_view::npos) return Fail("a closing backquote is missing");
    name += text_.substr(at_, close - at_);
    at_ = close + 1;
    if (at_ == text_.size() || text_[at_] != '`') break;
    name += '`';
    ++at_;
  }
  return Named(name);
}

Result<ExpressionParser::Operand> ExpressionParser::Primary() {
  SkipSpace();
  if (at_ == text_.size()) return Fail("the expression ends too early");
  if (IsDigit(text_[at_])) return Number(/*negative=*/false);
  if (TakeSymbol("`")) return QuotedName();
  if (TakeSymbol("(")) {
    DIMWISE_ASSIGN_OR_RETURN(auto inner, Or());
    if (!TakeSymbol(")")) return Fail("')' is missing");
    return inner;
  }
  const std::string_view word = PeekWord();
  if (word.empty())
    return Fail(fmt::format("expected a number, a name or '(' instead of '{}'", text_.substr(at_, 1)));
  if (word == "and" || word == "or" || word == "not")
    return Fail(fmt::format("'{}' has no left operand", word));
  at_ += word.size();
  if (word == "min" || word == "max" || word == "broadcast") return Call(word);
  if (word == "broadcastable") return Broadcastable();
  return Named(word);
}

Status ExpressionParser::OpenCall(std::string_view function) {
  if (TakeSymbol("(")) return {};
  return Fail(
      fmt::format("'{}' is a function and needs '(' (write a symbol of that name in backquotes)", function));
}

Result<ExpressionParser::Operand> ExpressionParser::Broadcastable() {
  DIMWISE_RETURN_IF_ERROR(OpenCall("broadcastable"));
  std::vector<Dim> sizes;
  do {
    DIMWISE_ASSIGN_OR_RETURN(auto operand, Or());
    DIMWISE_ASSIGN_OR_RETURN(auto d, NeedDim(std::move(operand)));
    sizes.push_back(d);
  } while (TakeSymbol(","));
  if (!TakeSymbol(")")) return Fail("')' is missing");
  return Operand{{}, Condition{{dimwise::Broadcastable(table_, sizes)}}, true};
}

Result<ExpressionParser::Operand> ExpressionParser::Call(std::string_view function) {
  DIMWISE_RETURN_IF_ERROR(OpenCall(function));
  Dim result;
  do {
    DIMWISE_ASSIGN_OR_RETURN(auto operand, Or());
    DIMWISE_ASSIGN_OR_RETURN(auto d, NeedDim(std::move(operand)));
    if (result.is_none()) {
      result = d;
    } else {
      const Dim joined = function == "min"   ? table_.Min(result, d)
                         : function == "max" ? table_.Max(result, d)
                                             : table_.Broadcast(result, d);
      if (joined.is_none())
        return Fail(fmt::format("{} and {} do not broadcast", table_.ToString(result), table_.ToString(d)));
      result = joined;
    }
  } while (TakeSymbol(","));
  if (!TakeSymbol(")")) return Fail("')' is missing");
  return Operand{result, {}, false};
}

Result<Dim> DimTable::Parse(std::string_view text) { return ExpressionParser(*this, text).ParseDim(); }

}  // namespace dimwise
