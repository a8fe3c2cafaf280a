// Plans keep what rules did for operands of the kinds that came often, and answer for the next of the same
// kind: rules are applied to the same few kinds over and over, and a rule says much that does not change with
// the sizes.
//
// A kind is a rule, its version, its attributes, and what a Recording depends on. A plan gives what the rule
// itself would; where that is an error, a check, a fact, or contents that are neither integers nor floats of
// the operands as they are, there is no plan.
//
// Thread safety: one thread at a time.
#ifndef DIMWISE_RULES_EVALUATE_PLANS_H_
#define DIMWISE_RULES_EVALUATE_PLANS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {

// Which attributes of a rule's plans are those of a caller, so that they are compared once and not at each
// application. It is for one rule and one AttrMap, and with other Plans it is found anew.
struct PlanHint {
  uint64_t plans = 0;     // whose
  uint32_t searched = 0;  // how many there were
  uint32_t found = 0;     // which; `searched`: none of them
};

class Recording;

class Plans {
 public:
  Plans();
  ~Plans();
  Plans& operator=(Plans&& other) noexcept;

  // The results by a plan and their contents, which are as many; false where there is none for these
  // operands. The site is asked, and nothing is required of it.
  bool Apply(const RuleCode& code, std::span<const Operand> operands, const AttrMap& attrs, int version,
             Site& site, std::span<Type> results, std::span<Value> contents, PlanHint* hint = nullptr);
  // Says that the rule itself has answered this, with nothing but these results: if such operands come often,
  // that is recorded.
  void Learn(const RuleCode& code, const Application& application, const AttrMap& attrs,
             const Outcome& outcome, Site& site, Evaluator* evaluator);

 private:
  struct OfRule;
  static uint64_t NewId();
  static bool Agrees(Recording& recording, const RuleCode& code, const Application& a, const Outcome& outcome,
                     Site& site);

  uint64_t id_;  // of all in the process, and a new one when some are forgotten
  std::vector<std::unique_ptr<OfRule>> rules_;  // by the id of the code
};

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_EVALUATE_PLANS_H_
