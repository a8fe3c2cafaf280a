// Rules as shape functions: what a rule asks and says goes through the inference context.
#ifndef DIMWISE_INFER_OPERATORS_RULE_FUNCTION_H_
#define DIMWISE_INFER_OPERATORS_RULE_FUNCTION_H_

#include <cstdint>
#include <span>

#include "dimwise/inference_context.h"
#include "dimwise/op_registry.h"
#include "rules/compile/library.h"
#include "rules/evaluate/plans.h"

namespace dimwise {

// Applies a rule to the operator of a context: results, contents, checks and facts. Where the context asks
// about inputs, they are refined.
Status ApplyRule(const rules::Rule& rule, InferenceContext* context);
// The same of a rule that fills only parts, in the place of those that the outputs have by now.
Status ApplyRuleOver(const rules::Rule& rule, InferenceContext* context);

// A rule without a context.
struct BareCall {
  Analysis& analysis;
  ScopeId scope;  // whose facts are asked
  std::span<const rules::Operand> operands;
  const AttrMap& attrs;
  int version;  // as the node says
};
// Whether plans of the rule are made at all.
bool MayPlan(const rules::Rule& rule);
// For those that apply many: only where a plan (rules/evaluate/plans.h) answers, which requires nothing,
// teaches nothing and makes nothing up. Fills the types of the results, all of them tensors, and their
// contents, which are as many; false where the rule has to be asked itself.
bool ApplyPlan(const rules::Rule& rule, const BareCall& call, rules::PlanHint* hint, std::span<Type> results,
               std::span<Value> contents);

// What the rule says of every run that does not fail, where nobody may see that it was asked: it requires
// nothing and teaches nothing, and each unknown of it is new. False where it says nothing, or assumes
// something. REQUIRES: MayPlan(rule).
bool AskRule(const rules::Rule& rule, const BareCall& call, std::span<Type> results,
             std::span<Value> contents);

// Of this thread, for tests: how many applications were answered by plans (rules/evaluate/plans.h), and that
// they be forgotten.
uint64_t AnswersByPlans();
void ForgetPlans();

// The rule as the registry wants it. The library outlives the registry.
struct RuleShapeFn {
  const rules::Rule* rule;
  Status operator()(InferenceContext* context) const { return ApplyRule(*rule, context); }
};
ShapeFn ShapeFunctionOf(const rules::Rule& rule);
OpDef DefinitionOf(const rules::Rule& rule);

}  // namespace dimwise

#endif  // DIMWISE_INFER_OPERATORS_RULE_FUNCTION_H_
