#include "rules/language/print.h"
#include "rules/language/print_pieces.h"

namespace dimwise::rules {
namespace {

void AppendElement(std::string& out, const Expr& element) {
  if (element.kind == ExprKind::kName) return AppendName(out, element.text);
  out += '(';
  AppendExpr(out, element);
  out += ')';
}

void AppendItem(std::string& out, const ShapeItem& item) {
  switch (item.kind) {
    case ItemKind::kAny:
      out += '_';
      return;
    case ItemKind::kExpr:
      if (item.each) out += "each ";
      return AppendExpr(out, *item.expr);
    case ItemKind::kList:
      out += "...";
      if (item.expr == nullptr) return;
      if (item.each) out += "each ";
      AppendExpr(out, *item.expr, Binding::kPostfix);
      if (item.length == nullptr) return;
      out += '{';
      AppendExpr(out, *item.length);
      out += '}';
      return;
  }
}

void AppendShape(std::string& out, const TypePattern& pattern) {
  out += '[';
  if (pattern.unknown_shape) out += '*';
  const char* separator = "";
  for (const ShapeItem& item : pattern.shape) {
    out += separator;
    AppendItem(out, item);
    separator = ", ";
  }
  out += ']';
}

void AppendTensor(std::string& out, const TypePattern& pattern) {
  // A storage alone, as in `storage op`.
  if (!pattern.has_shape && pattern.element == nullptr && !pattern.storage.empty()) {
    return AppendName(out, pattern.storage);
  }
  if (pattern.each_element) out += "each ";
  if (pattern.element != nullptr)
    AppendElement(out, *pattern.element);
  else
    out += '_';
  if (pattern.has_shape) AppendShape(out, pattern);
  if (pattern.storage.empty()) return;
  out += ' ';
  AppendName(out, pattern.storage);
}

void AppendContainer(std::string& out, std::string_view word, const TypePattern& pattern) {
  out += word;
  out += '(';
  if (pattern.key != nullptr) {
    AppendElement(out, *pattern.key);
    out += ", ";
  }
  const char* separator = "";
  for (const TypePattern& inside : pattern.inside) {
    out += separator;
    AppendPattern(out, inside);
    separator = ", ";
  }
  if (pattern.length != nullptr) {
    out += ", length=";
    AppendExpr(out, *pattern.length);
  }
  out += ')';
}

}  // namespace

void AppendPattern(std::string& out, const TypePattern& pattern) {
  switch (pattern.kind) {
    case PatternKind::kTensor:
      return AppendTensor(out, pattern);
    case PatternKind::kSequence:
      return AppendContainer(out, "seq", pattern);
    case PatternKind::kOptional:
      return AppendContainer(out, "opt", pattern);
    case PatternKind::kMap:
      return AppendContainer(out, "map", pattern);
    case PatternKind::kHandle:
      return AppendContainer(out, "handle", pattern);
    case PatternKind::kAnything:
      out += '_';
      return;
  }
}

std::string Print(const TypePattern& pattern) {
  std::string out;
  AppendPattern(out, pattern);
  return out;
}

}  // namespace dimwise::rules
