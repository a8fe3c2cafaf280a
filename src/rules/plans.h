// Plans keep what rules did for operands of the kinds that came often, and answer for the next of the same kind: rules
// are applied to the same few kinds over and over, and a rule says much that does not change with the sizes.
//
// A kind is a rule, its version, its attributes, and what a Recording depends on. A plan gives what the rule itself
// would; where that is an error, a check, a fact or contents, there is no plan.
//
// Thread safety: one thread at a time.
#ifndef DIMWISE_RULES_PLANS_H_
#define DIMWISE_RULES_PLANS_H_

#include <memory>
#include <vector>

#include "rules/evaluator.h"

namespace dimwise::rules {

class Plans {
 public:
  Plans();
  ~Plans();
  Plans& operator=(Plans&& other) noexcept;

  // The results by a plan; false where there is none for these operands.
  bool Apply(const RuleCode& code, std::span<const Operand> operands, const AttrMap& attrs, int version, Site& site, std::span<Type> results);
  // Says that the rule itself has answered this, with nothing but these results: if such operands come often, that is
  // recorded.
  void Learn(const RuleCode& code, const Application& application, const AttrMap& attrs, std::span<const Type> results, Site& site, Evaluator* evaluator);

 private:
  struct Plan;
  struct OfRule;

  std::vector<std::unique_ptr<OfRule>> rules_;  // by the id of the code
};

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_PLANS_H_
