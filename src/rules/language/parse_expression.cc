// Parses expressions by precedence climbing: Binary(level) parses operators that bind at least as tightly as
// the level.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "rules/language/rule_parser.h"

namespace dimwise::rules {
namespace {

using enum TokenKind;

enum : int {
  kLevelNone = 0,
  kLevelOtherwise,
  kLevelImplies,
  kLevelOr,
  kLevelAnd,
  kLevelNot,
  kLevelCompare,
  kLevelSum,
  kLevelProduct
};

int LevelOf(TokenKind kind) {
  switch (kind) {
    case kQuestionQuestion:
      return kLevelOtherwise;
    case kImplies:
      return kLevelImplies;
    case kOr:
      return kLevelOr;
    case kAnd:
      return kLevelAnd;
    case kEqualEqual:
    case kNotEqual:
    case kLess:
    case kLessEqual:
    case kGreater:
    case kGreaterEqual:
    case kIn:
    case kNot:  // `x not in list`
      return kLevelCompare;
    case kPlus:
    case kMinus:
      return kLevelSum;
    case kStar:
    case kSlashSlash:
    case kPercent:
      return kLevelProduct;
    default:
      return kLevelNone;
  }
}

// The limit on nodes copied by chained comparisons: (a < (b < c < d) < e) doubles its middle at each level.
constexpr int kMaxCopied = 100'000;

}  // namespace

ExprPtr RuleParser::Make(ExprKind kind, const Token& first, std::string_view text) {
  auto expr = std::make_unique<Expr>();
  expr->kind = kind;
  expr->at = At(first);
  expr->text = text;
  return expr;
}

ExprPtr RuleParser::Close(ExprPtr expr, const Token& first) {
  int height = 0;
  for (const ExprPtr& child : expr->children) {
    if (child != nullptr) height = std::max<int>(height, child->height);
  }
  expr->at = From(first);
  if (height >= kMaxHeight) {
    Fail(expr->at, fmt::format("this expression has more than {} levels", kMaxHeight),
         "name its parts with `let`", Code::kRuleLimit);
    return nullptr;
  }
  expr->height = static_cast<uint8_t>(height + 1);
  return expr;
}

ExprPtr RuleParser::Expression() {
  const Level level(*this);
  if (!level.Fits()) return nullptr;
  return Binary(kLevelOtherwise);
}

ExprPtr RuleParser::Sum() { return Binary(kLevelSum); }

ExprPtr RuleParser::Binary(int level) {
  const Token& first = Peek();
  ExprPtr left;
  if (!Is(kNot)) {
    left = Unary();
  } else if (level <= kLevelNot) {
    left = Not();
  } else {
    Fail(At(first), "`not` binds less tightly than the operator before it", "put it in parentheses: (not x)");
  }
  while (left != nullptr) {
    const Token& op = Peek();
    const int op_level = LevelOf(op.kind);
    if (op_level == kLevelNone || op_level < level) return left;
    if (op_level == kLevelCompare) {
      if (op.kind == kNot && Peek(1).kind != kIn) return left;
      if (op.kind == kIn && stop_at_in_) return left;
      left = Comparison(std::move(left), first);
      continue;
    }
    ExprPtr whole = Make(ExprKind::kBinary, Next(), op.text);
    ExprPtr right;
    if (op_level <= kLevelImplies) {
      const Level deeper(*this);
      right = deeper.Fits() ? Binary(op_level) : nullptr;
    } else {
      right = Binary(op_level + 1);
    }
    if (right == nullptr) return nullptr;
    whole->children.reserve(2);
    whole->children.push_back(std::move(left));
    whole->children.push_back(std::move(right));
    left = Close(std::move(whole), first);
  }
  return left;
}

// Parses a < b, a in b, a not in b; and a <= b < c, which means a <= b and b < c.
ExprPtr RuleParser::Comparison(ExprPtr left, const Token& first) {
  ExprPtr all;
  const Token* left_first = &first;
  while (true) {
    const Token& op = Next();
    const bool negated = op.kind == kNot;
    if (negated) Next();
    const Token& right_first = Peek();
    ExprPtr right = Binary(kLevelSum);
    if (right == nullptr) return nullptr;
    const Token& next = Peek();
    const bool chained = LevelOf(next.kind) == kLevelCompare && (next.kind != kIn || !stop_at_in_);
    const auto chains = [](TokenKind kind) { return kind != kIn && kind != kNot && kind != kNotEqual; };
    if (chained && (!chains(op.kind) || !chains(next.kind))) {
      Fail(At(next), "only ==, <, <=, > and >= can be chained", "join the two comparisons with `and`");
      return nullptr;
    }
    ExprPtr middle = chained ? Copy(*right) : nullptr;
    if (chained && middle == nullptr) return nullptr;

    ExprPtr one = Make(ExprKind::kBinary, op, negated ? "in" : op.text);
    one->children.push_back(std::move(left));
    one->children.push_back(std::move(right));
    one = Close(std::move(one), *left_first);
    if (one != nullptr && negated) {
      ExprPtr no = Make(ExprKind::kUnary, op, "not");
      no->children.push_back(std::move(one));
      one = Close(std::move(no), *left_first);
    }
    if (one == nullptr) return nullptr;
    if (all == nullptr) {
      all = std::move(one);
    } else {
      ExprPtr both = Make(ExprKind::kBinary, op, "and");
      both->children.push_back(std::move(all));
      both->children.push_back(std::move(one));
      all = Close(std::move(both), first);
    }
    if (!chained || all == nullptr) return all;
    left = std::move(middle);
    left_first = &right_first;
  }
}

ExprPtr RuleParser::Copy(const Expr& expr) {
  if (++copied_ > kMaxCopied) {
    Fail(expr.at, "chained comparisons make this file too large", "join comparisons with `and`",
         Code::kRuleLimit);
    return nullptr;
  }
  auto copy = std::make_unique<Expr>();
  copy->kind = expr.kind;
  copy->height = expr.height;
  copy->at = expr.at;
  copy->integer = expr.integer;
  copy->real = expr.real;
  copy->text = expr.text;
  copy->names = expr.names;
  for (const ExprPtr& child : expr.children) {
    copy->children.push_back(child != nullptr ? Copy(*child) : nullptr);
    if (child != nullptr && copy->children.back() == nullptr) return nullptr;
  }
  return copy;
}

ExprPtr RuleParser::Not() {
  const Level level(*this);
  if (!level.Fits()) return nullptr;
  const Token& first = Next();
  ExprPtr expr = Make(ExprKind::kUnary, first, "not");
  expr->children.push_back(Binary(kLevelNot));
  if (expr->children.back() == nullptr) return nullptr;
  return Close(std::move(expr), first);
}

ExprPtr RuleParser::Unary() {
  if (!Is(kMinus)) return Postfix();
  const TokenKind after = Peek(1).kind;
  if ((after == kInteger || after == kReal) && Peek(2).kind != kLeftBracket) return Literal();
  const Level level(*this);
  if (!level.Fits()) return nullptr;
  const Token& first = Next();
  ExprPtr expr = Make(ExprKind::kUnary, first, "-");
  expr->children.push_back(Unary());
  if (expr->children.back() == nullptr) return nullptr;
  return Close(std::move(expr), first);
}

ExprPtr RuleParser::Postfix() {
  const Token& first = Peek();
  ExprPtr expr = Primary();
  while (expr != nullptr && Is(kLeftBracket)) expr = Subscript(std::move(expr), first);
  return expr;
}

// Parses x[i], x[i:j], x[i:], x[:j], x[:].
ExprPtr RuleParser::Subscript(ExprPtr whole, const Token& first) {
  Next();
  const bool outer = std::exchange(stop_at_in_, false);
  ExprPtr expr = Make(ExprKind::kIndex, first);
  expr->children.push_back(std::move(whole));
  ExprPtr from;
  if (!Is(kColon) && (from = Expression()) == nullptr) return nullptr;
  expr->children.push_back(std::move(from));
  if (Take(kColon)) {
    expr->kind = ExprKind::kSlice;
    ExprPtr to;
    if (!Is(kRightBracket) && (to = Expression()) == nullptr) return nullptr;
    expr->children.push_back(std::move(to));
  }
  if (!NeedAfter(kRightBracket, "after the index")) return nullptr;
  stop_at_in_ = outer;
  return Close(std::move(expr), first);
}

}  // namespace dimwise::rules
