// Copies parts of a syntax tree.
#ifndef DIMWISE_RULES_LANGUAGE_COPY_TREE_H_
#define DIMWISE_RULES_LANGUAGE_COPY_TREE_H_

#include <vector>

#include "rules/language/ast.h"

namespace dimwise::rules {

// Copies parts of a syntax tree. All parts of a copy have the same position.
class TreeCopier {
 public:
  explicit TreeCopier(Position at) : at_(at) {}

  // Returns null for null.
  ExprPtr Copy(const ExprPtr& expr) const;
  Attribute Copy(const Attribute& attribute) const;
  Statement Copy(const Statement& statement) const;
  TypePattern Copy(const TypePattern& pattern) const;
  Argument Copy(const Argument& argument) const;

 private:
  std::vector<ExprPtr> Copy(const std::vector<ExprPtr>& list) const;
  PropertyPart Copy(const PropertyPart& part) const;

  Position at_;
};

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_LANGUAGE_COPY_TREE_H_
