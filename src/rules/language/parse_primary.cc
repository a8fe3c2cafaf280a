// Parses primary expressions: literals, names, calls, lists, `if`, `fold`.
#include <fmt/format.h>

#include <charconv>

#include "rules/language/rule_parser.h"

namespace dimwise::rules {

using enum TokenKind;

ExprPtr RuleParser::Primary() {
  const Token& first = Peek();
  switch (first.kind) {
    case kInteger:
    case kReal:
      return Literal();
    case kString: {
      ExprPtr expr = Make(ExprKind::kString, first);
      return String(expr->text) ? std::move(expr) : nullptr;
    }
    case kTrue:
    case kFalse: {
      ExprPtr expr = Make(ExprKind::kBoolean, Next());
      expr->integer = first.kind == kTrue ? 1 : 0;
      return expr;
    }
    case kLeftBracket:
      return List();
    case kIf:
      return If();
    case kFold:
      return Fold();
    case kLeftParen: {
      Next();
      const bool outer = std::exchange(stop_at_in_, false);
      ExprPtr expr = Expression();
      if (expr == nullptr || !NeedAfter(kRightParen, "after the expression")) return nullptr;
      stop_at_in_ = outer;
      expr->at = From(first);
      return expr;
    }
    default:
      break;
  }
  // `value Y =` is a statement, so an expression is missing before it.
  const bool statement = first.kind == kValue && IsName(Peek(1)) && Peek(2).kind == kEqual;
  if (!IsName(first) || statement) {
    FailExpression();
    return nullptr;
  }
  Next();
  ExprPtr expr = Make(ExprKind::kName, first, NameOf(first));
  if (!Take(kLeftParen)) return expr;
  expr->kind = ExprKind::kCall;
  if (!Expressions(kRightParen, "after an argument", expr->children)) return nullptr;
  return Close(std::move(expr), first);
}

// Parses a number with its sign, so that -9223372036854775808 can be written.
ExprPtr RuleParser::Literal() {
  const Token& first = Peek();
  const bool negative = Take(kMinus);
  const Token& number = Next();
  ExprPtr expr = Make(number.kind == kInteger ? ExprKind::kInteger : ExprKind::kReal, first);
  const char* const end = number.text.data() + number.text.size();
  bool fits = false;
  if (number.kind == kInteger) {
    uint64_t magnitude = 0;
    fits = std::from_chars(number.text.data(), end, magnitude).ec == std::errc();
    const uint64_t limit = (uint64_t{1} << 63) - (negative ? 0 : 1);
    fits = fits && magnitude <= limit;
    expr->integer = static_cast<int64_t>(negative ? ~magnitude + 1 : magnitude);
  } else {
    fits = std::from_chars(number.text.data(), end, expr->real).ec == std::errc();
    if (negative) expr->real = -expr->real;
  }
  expr->at = From(first);
  if (fits) return expr;
  Fail(expr->at, fmt::format("{} needs more than 64 bits", number.text), "", Code::kRuleLimit);
  return nullptr;
}

bool RuleParser::Expressions(TokenKind close, std::string_view where, std::vector<ExprPtr>& out,
                             bool* for_follows) {
  const bool is_list = for_follows != nullptr;
  const bool outer = std::exchange(stop_at_in_, false);
  if (!Is(close)) {
    do {
      const Token& first = Peek();
      if (is_list && Take(kEllipsis)) {
        ExprPtr item = Make(ExprKind::kSpread, first);
        item->children.push_back(Expression());
        if (item->children.back() == nullptr) return false;
        out.push_back(Close(std::move(item), first));
      } else {
        out.push_back(Expression());
      }
      if (out.back() == nullptr) return false;
    } while (Take(kComma));
  }
  if (is_list && Is(kFor) && out.size() == 1) {
    *for_follows = true;
  } else if (!NeedEnd(close, where)) {
    return false;
  }
  stop_at_in_ = outer;
  return true;
}

// Parses [n, ...x], [e for x in xs if c].
ExprPtr RuleParser::List() {
  const Token& first = Next();
  ExprPtr expr = Make(ExprKind::kList, first);
  bool for_follows = false;
  if (!Expressions(kRightBracket, "after an item of the list", expr->children, &for_follows)) return nullptr;
  if (!for_follows) return Close(std::move(expr), first);
  return For(std::move(expr->children.front()), first);
}

ExprPtr RuleParser::For(ExprPtr body, const Token& first) {
  const Token& keyword = Next();
  if (body->kind == ExprKind::kSpread) {
    Fail(At(keyword), "a list that is spread cannot be repeated with `for`",
         "join lists with fold: fold x in xs with all = []: [...all, ...f(x)]");
    return nullptr;
  }
  const bool outer = std::exchange(stop_at_in_, false);
  ExprPtr expr = Make(ExprKind::kFor, first);
  if (!BoundNames(expr->names)) return nullptr;
  ExprPtr list = Expression();
  if (list == nullptr) return nullptr;
  ExprPtr filter;
  if (Take(kIf) && (filter = Expression()) == nullptr) return nullptr;
  if (!NeedAfter(kRightBracket, "after the list")) return nullptr;
  stop_at_in_ = outer;
  expr->children.push_back(std::move(body));
  expr->children.push_back(std::move(list));
  expr->children.push_back(std::move(filter));
  return Close(std::move(expr), first);
}

// Parses `x, i in`.
bool RuleParser::BoundNames(std::vector<std::string>& names) {
  Position at;
  do {
    if (!NeedName("a name to bind", names.emplace_back(), at)) return false;
  } while (Take(kComma));
  return Need(kIn, "after the name that is bound");
}

// Parses `fold x in xs with acc = 0: acc + x`.
ExprPtr RuleParser::Fold() {
  const Token& first = Next();
  ExprPtr expr = Make(ExprKind::kFold, first);
  std::vector<std::string> names;
  if (!BoundNames(names)) return nullptr;
  expr->names.emplace_back();
  expr->names.insert(expr->names.end(), std::make_move_iterator(names.begin()),
                     std::make_move_iterator(names.end()));
  Position at;
  ExprPtr list = Expression();
  if (list == nullptr ||
      !NeedAfter(kWith, "after the list", "for example: fold x in xs with total = 0: total + x"))
    return nullptr;
  if (!NeedName("a name for the state", expr->names.front(), at)) return nullptr;
  if (!Need(kEqual, "after the name")) return nullptr;
  ExprPtr init = Expression();
  if (init == nullptr || !NeedAfter(kColon, "after the first value")) return nullptr;
  ExprPtr body = Expression();
  if (body == nullptr) return nullptr;
  expr->children.push_back(std::move(list));
  expr->children.push_back(std::move(init));
  expr->children.push_back(std::move(body));
  return Close(std::move(expr), first);
}

ExprPtr RuleParser::If() {
  const Token& first = Next();
  ExprPtr expr = Make(ExprKind::kIf, first);
  expr->children.push_back(Expression());
  if (expr->children.back() == nullptr || !NeedAfter(kThen, "after the condition")) return nullptr;
  expr->children.push_back(Expression());
  if (expr->children.back() == nullptr) return nullptr;
  if (!NeedAfter(kElse, "after the value of `then`", "an `if` has a value either way: if c then a else b")) {
    return nullptr;
  }
  expr->children.push_back(Expression());
  if (expr->children.back() == nullptr) return nullptr;
  return Close(std::move(expr), first);
}

}  // namespace dimwise::rules
