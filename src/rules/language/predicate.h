#ifndef DIMWISE_RULES_LANGUAGE_PREDICATE_H_
#define DIMWISE_RULES_LANGUAGE_PREDICATE_H_

#include "rules/language/ast.h"

namespace dimwise::rules {

// Returns the part of a required condition that its message is about: b of `a implies b`.
inline const Expr& PredicateOf(const Expr& condition) {
  const Expr* e = &condition;
  while (e->kind == ExprKind::kBinary && e->text == "implies") e = e->children[1].get();
  return *e;
}

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_LANGUAGE_PREDICATE_H_
