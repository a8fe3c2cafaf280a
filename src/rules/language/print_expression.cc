#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "rules/language/lexer.h"
#include "rules/language/print.h"
#include "rules/language/print_pieces.h"

namespace dimwise::rules {
namespace {

Binding BinaryBinding(std::string_view op) {
  if (op == "??") return Binding::kOtherwise;
  if (op == "implies") return Binding::kImplies;
  if (op == "or") return Binding::kOr;
  if (op == "and") return Binding::kAnd;
  if (op == "+" || op == "-") return Binding::kSum;
  if (op == "*" || op == "//" || op == "%") return Binding::kProduct;
  return Binding::kCompare;
}

Binding BindingOf(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kIf:
    case ExprKind::kFold:
      return Binding::kAny;
    case ExprKind::kBinary:
      return BinaryBinding(expr.text);
    case ExprKind::kUnary:
      return expr.text == "not" ? Binding::kNot : Binding::kSign;
    case ExprKind::kInteger:
      return expr.integer < 0 ? Binding::kSign : Binding::kPostfix;
    case ExprKind::kReal:
      return std::signbit(expr.real) ? Binding::kSign : Binding::kPostfix;
    default:
      return Binding::kPostfix;
  }
}

Binding Tighter(Binding binding) { return static_cast<Binding>(static_cast<int>(binding) + 1); }

void AppendBinary(std::string& out, const Expr& expr) {
  const Binding own = BinaryBinding(expr.text);
  const bool to_the_right = own == Binding::kImplies || own == Binding::kOtherwise;
  const bool chains = own == Binding::kCompare;
  AppendExpr(out, *expr.children[0], to_the_right || chains ? Tighter(own) : own);
  out += ' ';
  out += expr.text;
  out += ' ';
  AppendExpr(out, *expr.children[1], to_the_right ? own : Tighter(own));
}

// -(3) is an operator applied to a number; -3 is a number.
void AppendUnary(std::string& out, const Expr& expr) {
  const Expr& operand = *expr.children[0];
  if (expr.text == "not") {
    out += "not ";
    return AppendExpr(out, operand, Binding::kNot);
  }
  const bool number = operand.kind == ExprKind::kInteger || operand.kind == ExprKind::kReal;
  out += number ? "-(" : "-";
  AppendExpr(out, operand, number ? Binding::kAny : Binding::kSign);
  if (number) out += ')';
}

void AppendReal(std::string& out, double real) {
  const size_t start = out.size();
  fmt::format_to(std::back_inserter(out), "{}", real);
  if (out.find_first_of(".e", start) == std::string::npos) out += ".0";
}

void AppendList(std::string& out, const std::vector<ExprPtr>& items) {
  const char* separator = "";
  for (const ExprPtr& item : items) {
    out += separator;
    AppendExpr(out, *item);
    separator = ", ";
  }
}

void AppendNames(std::string& out, const std::vector<std::string>& names, size_t first) {
  for (size_t i = first; i < names.size(); ++i) {
    if (i > first) out += ", ";
    AppendName(out, names[i]);
  }
}

void AppendFor(std::string& out, const Expr& expr) {
  out += '[';
  AppendExpr(out, *expr.children[0]);
  out += " for ";
  AppendNames(out, expr.names, 0);
  out += " in ";
  AppendExpr(out, *expr.children[1]);
  if (expr.children[2] != nullptr) {
    out += " if ";
    AppendExpr(out, *expr.children[2]);
  }
  out += ']';
}

void AppendFold(std::string& out, const Expr& expr) {
  out += "fold ";
  AppendNames(out, expr.names, 1);
  out += " in ";
  AppendExpr(out, *expr.children[0]);
  out += " with ";
  AppendName(out, expr.names[0]);
  out += " = ";
  AppendExpr(out, *expr.children[1]);
  out += ": ";
  AppendExpr(out, *expr.children[2]);
}

void AppendSubscript(std::string& out, const Expr& expr) {
  AppendExpr(out, *expr.children[0], Binding::kPostfix);
  out += '[';
  if (expr.children[1] != nullptr) AppendExpr(out, *expr.children[1]);
  if (expr.kind == ExprKind::kSlice) {
    out += ':';
    if (expr.children[2] != nullptr) AppendExpr(out, *expr.children[2]);
  }
  out += ']';
}

void AppendBare(std::string& out, const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kInteger:
      fmt::format_to(std::back_inserter(out), "{}", expr.integer);
      return;
    case ExprKind::kReal:
      return AppendReal(out, expr.real);
    case ExprKind::kString:
      return AppendString(out, expr.text);
    case ExprKind::kBoolean:
      out += expr.integer != 0 ? "true" : "false";
      return;
    case ExprKind::kName:
      return AppendName(out, expr.text);
    case ExprKind::kList:
      out += '[';
      AppendList(out, expr.children);
      out += ']';
      return;
    case ExprKind::kSpread:
      out += "...";
      return AppendExpr(out, *expr.children[0]);
    case ExprKind::kCall:
      AppendName(out, expr.text);
      out += '(';
      AppendList(out, expr.children);
      out += ')';
      return;
    case ExprKind::kIndex:
    case ExprKind::kSlice:
      return AppendSubscript(out, expr);
    case ExprKind::kUnary:
      return AppendUnary(out, expr);
    case ExprKind::kBinary:
      return AppendBinary(out, expr);
    case ExprKind::kIf:
      out += "if ";
      AppendExpr(out, *expr.children[0]);
      out += " then ";
      AppendExpr(out, *expr.children[1]);
      out += " else ";
      return AppendExpr(out, *expr.children[2]);
    case ExprKind::kFor:
      return AppendFor(out, expr);
    case ExprKind::kFold:
      return AppendFold(out, expr);
  }
}

void AppendEscaped(std::string& out, std::string_view text, bool double_braces) {
  for (const char c : text) {
    if (c == '\n' || c == '\t') {
      out += c == '\n' ? "\\n" : "\\t";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    if (double_braces && (c == '{' || c == '}')) out += c;
    out += c;
  }
}

}  // namespace

void AppendExpr(std::string& out, const Expr& expr, Binding at_least) {
  const bool parentheses = BindingOf(expr) < at_least;
  if (parentheses) out += '(';
  AppendBare(out, expr);
  if (parentheses) out += ')';
}

bool UsesIn(const Expr& expr) {
  if (expr.kind == ExprKind::kBinary && expr.text == "in") return true;
  return std::ranges::any_of(expr.children,
                             [](const ExprPtr& child) { return child != nullptr && UsesIn(*child); });
}

void AppendName(std::string& out, std::string_view name) {
  const TokenKind kind = KeywordOrName(name);
  const bool bare = IsIdentifier(name) && (kind == TokenKind::kName || IsSoftKeyword(kind));
  if (!bare) out += '`';
  out += name;
  if (!bare) out += '`';
}

void AppendString(std::string& out, std::string_view text) {
  out += '"';
  AppendEscaped(out, text, /*double_braces=*/false);
  out += '"';
}

void AppendMessage(std::string& out, const Message& message) {
  out += '"';
  for (const MessagePiece& piece : message) {
    AppendEscaped(out, piece.text, /*double_braces=*/true);
    if (piece.expr == nullptr) continue;
    out += '{';
    AppendExpr(out, *piece.expr);
    out += '}';
  }
  out += '"';
}

std::string Print(const Expr& expr) {
  std::string out;
  AppendExpr(out, expr);
  return out;
}

std::string Print(const Message& message) {
  std::string out;
  AppendMessage(out, message);
  return out;
}

}  // namespace dimwise::rules
