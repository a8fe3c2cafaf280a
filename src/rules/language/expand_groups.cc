#include "rules/language/expand_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace dimwise::rules {
namespace {

// Copies parts of a syntax tree. All parts of a copy have the same position.
class TreeCopier {
 public:
  explicit TreeCopier(Position at) : at_(at) {}

  // Returns null for null.
  ExprPtr Copy(const ExprPtr& expr) const {
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
  Attribute Copy(const Attribute& a) const {
    return {at_,
            a.name,
            a.optional,
            a.kind,
            Copy(a.otherwise),
            Copy(a.allowed),
            Copy(a.minimum),
            Copy(a.maximum)};
  }
  Statement Copy(const Statement& s) const {
    Statement copy{s.kind, at_, s.name, Copy(s.expr), {}, s.words, {}, s.text, {}};
    copy.words_at.assign(s.words_at.size(), at_);
    for (const MessagePiece& piece : s.message) copy.message.push_back({piece.text, Copy(piece.expr)});
    for (const PropertyPart& part : s.parts) copy.parts.push_back(Copy(part));
    return copy;
  }

 private:
  std::vector<ExprPtr> Copy(const std::vector<ExprPtr>& list) const {
    std::vector<ExprPtr> copy;
    for (const ExprPtr& expr : list) copy.push_back(Copy(expr));
    return copy;
  }
  PropertyPart Copy(const PropertyPart& p) const {
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

  Position at_;
};

}  // namespace

std::optional<GroupMistake> ExpandGroups(Operator& op, const FindTemplate& find) {
  int groups = 0;
  for (size_t i = 0; i < op.statements.size();) {
    if (op.statements[i].kind != StatementKind::kWith) {
      ++i;
      continue;
    }
    const Statement with = std::move(op.statements[i]);
    op.statements.erase(op.statements.begin() + static_cast<ptrdiff_t>(i));
    const Operator* group = find(with.name);
    if (group == nullptr || !group->IsGroup()) {
      return GroupMistake{with.at, group == nullptr
                                       ? fmt::format("there is no template '{}'", with.name)
                                       : fmt::format("the template '{}' has operands; `with` takes "
                                                     "one without",
                                                     with.name)};
    }
    if (++groups > kMaxGroupsOfOperator)
      return GroupMistake{with.at, fmt::format("'{}' includes too many templates, or itself", op.names[0])};
    if (!op.like.empty() && !group->attributes.empty())
      return GroupMistake{with.at,
                          fmt::format("the attributes of '{}' are those of its template", op.names[0])};
    const TreeCopier copier(with.at);
    for (const Attribute& attribute : group->attributes) op.attributes.push_back(copier.Copy(attribute));
    std::vector<Statement> statements;
    for (const Statement& statement : group->statements) statements.push_back(copier.Copy(statement));
    op.statements.insert(op.statements.begin() + static_cast<ptrdiff_t>(i),
                         std::make_move_iterator(statements.begin()),
                         std::make_move_iterator(statements.end()));
  }
  return std::nullopt;
}

}  // namespace dimwise::rules
