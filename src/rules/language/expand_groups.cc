#include "rules/language/expand_groups.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>
#include <vector>

#include "rules/language/copy_tree.h"

namespace dimwise::rules {
namespace {

// Copies the template of `op like NAME` into the operator, which then has no template.
void Inline(Operator& op, const Operator& base) {
  const TreeCopier copier(op.like_at);
  for (const Signature& s : base.signatures) {
    Signature& copy = op.signatures.emplace_back();
    copy.at = op.like_at;
    for (const Argument& a : s.operands) copy.operands.push_back(copier.Copy(a));
    for (const Argument& a : s.results) copy.results.push_back(copier.Copy(a));
    copy.when = copier.Copy(s.when);
  }
  std::vector<Attribute> attributes;
  for (const Attribute& a : base.attributes) attributes.push_back(copier.Copy(a));
  op.attributes.insert(op.attributes.begin(), std::make_move_iterator(attributes.begin()),
                       std::make_move_iterator(attributes.end()));
  std::vector<Statement> statements;
  for (const Statement& s : base.statements) statements.push_back(copier.Copy(s));
  op.statements.insert(op.statements.begin(), std::make_move_iterator(statements.begin()),
                       std::make_move_iterator(statements.end()));
  op.like.clear();
}

}  // namespace

std::optional<GroupMistake> ExpandGroups(Operator& op, const FindTemplate& find) {
  const Operator* const base = op.like.empty() ? nullptr : find(op.like);
  const bool can_inline = base != nullptr && base->regions.empty() && !base->IsGroup();
  if (can_inline && !op.attributes.empty()) Inline(op, *base);
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
    if (!op.like.empty() && !group->attributes.empty() && can_inline) {
      op.statements.insert(op.statements.begin() + static_cast<ptrdiff_t>(i), TreeCopier(with.at).Copy(with));
      Inline(op, *base);
      i = 0;
      continue;
    }
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
