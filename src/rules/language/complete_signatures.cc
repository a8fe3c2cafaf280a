#include "rules/language/complete_signatures.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/language/copy_tree.h"
#include "rules/language/type_names.h"

namespace dimwise::rules {
namespace {

using NameSet = std::set<std::string, std::less<>>;

// Adds the arguments of the first signature that a later one leaves out. A later signature with other names,
// or in another order, is left as it is; the compiler reports it.
void AddOmitted(const std::vector<Argument>& first, Position at, std::vector<Argument>& later) {
  size_t matched = 0;
  for (const Argument& a : first) {
    if (matched < later.size() && later[matched].name == a.name) ++matched;
  }
  if (matched != later.size() || matched == first.size()) return;
  const TreeCopier copier(at);
  std::vector<Argument> all;
  size_t next = 0;
  for (const Argument& a : first) {
    const bool listed = next < later.size() && later[next].name == a.name;
    all.push_back(listed ? std::move(later[next++]) : copier.Copy(a));
  }
  later = std::move(all);
}

// Collects the names of element types that have a shape.
void NamesWithShape(const TypePattern& pattern, NameSet& names) {
  if (pattern.has_shape && pattern.element != nullptr && pattern.element->kind == ExprKind::kName)
    names.insert(pattern.element->text);
  if (pattern.key != nullptr && pattern.key->kind == ExprKind::kName) names.insert(pattern.key->text);
  for (const TypePattern& inside : pattern.inside) NamesWithShape(inside, names);
}

bool IsElementType(const TypePattern& pattern, const NameSet& names) {
  if (pattern.kind != PatternKind::kTensor || pattern.has_shape || pattern.each_element) return false;
  if (pattern.element == nullptr || pattern.element->kind != ExprKind::kName) return false;
  const std::string& name = pattern.element->text;
  return names.contains(name) || (TypeSetNamed(name).has_value() && name != "handle");
}

void AddAnyShape(TypePattern& pattern) {
  pattern.has_shape = true;
  pattern.shape.emplace_back().kind = ItemKind::kList;
  pattern.shape.back().at = pattern.at;
}

}  // namespace

void CompleteSignatures(Operator& op, std::span<const Statement> types) {
  for (size_t i = 1; i < op.signatures.size(); ++i) {
    Signature& later = op.signatures[i];
    AddOmitted(op.signatures[0].operands, later.at, later.operands);
    AddOmitted(op.signatures[0].results, later.at, later.results);
  }
  if (op.part != Part::kAll) return;
  NameSet names;
  for (const Signature& s : op.signatures) {
    for (const Argument& a : s.operands) NamesWithShape(a.pattern, names);
    for (const Argument& a : s.results) NamesWithShape(a.pattern, names);
  }
  NameSet used = names;
  for (const Statement& s : op.statements) {
    if (s.kind == StatementKind::kTypes) names.insert(s.name);
  }
  for (const Statement& s : types) names.insert(s.name);
  for (Signature& s : op.signatures) {
    for (Argument& a : s.operands) {
      if (!IsElementType(a.pattern, names)) continue;
      used.insert(a.pattern.element->text);
      AddAnyShape(a.pattern);
    }
  }
  std::vector<Statement> added;
  for (const Statement& s : types) {
    const auto restricts = [&](const Statement& own) {
      return own.kind == StatementKind::kTypes && own.name == s.name;
    };
    if (used.contains(s.name) && std::ranges::none_of(op.statements, restricts))
      added.push_back(TreeCopier(op.at).Copy(s));
  }
  op.statements.insert(op.statements.begin(), std::make_move_iterator(added.begin()),
                       std::make_move_iterator(added.end()));
}

}  // namespace dimwise::rules
