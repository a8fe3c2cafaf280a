#include "rules/language/copy_tree.h"

#include <memory>

namespace dimwise::rules {

ExprPtr TreeCopier::Copy(const ExprPtr& expr) const {
  if (expr == nullptr) return nullptr;
  auto copy = std::make_unique<Expr>();
  copy->kind = expr->kind;
  copy->height = expr->height;
  copy->at = at_;
  copy->integer = expr->integer;
  copy->real = expr->real;
  copy->text = expr->text;
  copy->names = expr->names;
  copy->children = Copy(expr->children);
  return copy;
}

Attribute TreeCopier::Copy(const Attribute& a) const {
  return {
      at_, a.name, a.optional, a.kind, Copy(a.otherwise), Copy(a.allowed), Copy(a.minimum), Copy(a.maximum)};
}

Statement TreeCopier::Copy(const Statement& s) const {
  Statement copy{s.kind, at_, s.name, Copy(s.expr), {}, s.words, {}, s.text, {}};
  copy.words_at.assign(s.words_at.size(), at_);
  for (const MessagePiece& piece : s.message) copy.message.push_back({piece.text, Copy(piece.expr)});
  for (const PropertyPart& part : s.parts) copy.parts.push_back(Copy(part));
  return copy;
}

TypePattern TreeCopier::Copy(const TypePattern& p) const {
  TypePattern copy;
  copy.kind = p.kind;
  copy.at = at_;
  copy.element = Copy(p.element);
  copy.each_element = p.each_element;
  copy.unknown_shape = p.unknown_shape;
  copy.has_shape = p.has_shape;
  for (const ShapeItem& item : p.shape)
    copy.shape.push_back({item.kind, at_, Copy(item.expr), Copy(item.length), item.each});
  copy.storage = p.storage;
  copy.storage_at = at_;
  copy.key = Copy(p.key);
  for (const TypePattern& inside : p.inside) copy.inside.push_back(Copy(inside));
  copy.length = Copy(p.length);
  return copy;
}

Argument TreeCopier::Copy(const Argument& a) const {
  return {at_, a.name, a.arity, a.count, at_, Copy(a.pattern)};
}

std::vector<ExprPtr> TreeCopier::Copy(const std::vector<ExprPtr>& list) const {
  std::vector<ExprPtr> copy;
  for (const ExprPtr& expr : list) copy.push_back(Copy(expr));
  return copy;
}

PropertyPart TreeCopier::Copy(const PropertyPart& p) const {
  PropertyPart copy;
  copy.word = p.word;
  copy.at = at_;
  copy.names = p.names;
  copy.names_at.assign(p.names_at.size(), at_);
  copy.expr = Copy(p.expr);
  copy.has_layout = p.has_layout;
  copy.takes = p.takes;
  copy.gives = p.gives;
  copy.takes_at.assign(p.takes_at.size(), at_);
  copy.gives_at.assign(p.gives_at.size(), at_);
  return copy;
}

}  // namespace dimwise::rules
