// Rules as shape functions: what a rule asks and says goes through the inference context.
#ifndef DIMWISE_INFER_OPERATORS_RULE_FUNCTION_H_
#define DIMWISE_INFER_OPERATORS_RULE_FUNCTION_H_

#include <cstdint>

#include "dimwise/inference_context.h"
#include "dimwise/op_registry.h"
#include "rules/library.h"

namespace dimwise {

// Applies a rule to the operator of a context: results, contents, checks and facts. Where the context asks about
// inputs, they are refined.
Status ApplyRule(const rules::Rule& rule, InferenceContext* context);
// The same of a rule that fills only parts, in the place of those that the outputs have by now.
Status ApplyRuleOver(const rules::Rule& rule, InferenceContext* context);

// Of this thread, for tests: how many applications were answered by plans (rules/plans.h), and that they be forgotten.
uint64_t AnswersByPlans();
void ForgetPlans();

// The rule as the registry wants it. The library outlives the registry.
ShapeFn ShapeFunctionOf(const rules::Rule& rule);
OpDef DefinitionOf(const rules::Rule& rule);

}  // namespace dimwise

#endif  // DIMWISE_INFER_OPERATORS_RULE_FUNCTION_H_
