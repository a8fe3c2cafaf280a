// Applies a rule in both directions.
//
// The rule itself runs only forward. The rank of an operand is inferred backward by trial: a rank is excluded
// if the rule, or the merge of its results with the known results, fails in every run. Sizes are symbols; the
// facts from the merge determine them.
#ifndef DIMWISE_INFER_OPERATORS_RULE_BOTH_WAYS_H_
#define DIMWISE_INFER_OPERATORS_RULE_BOTH_WAYS_H_

#include "infer/operators/rule_run.h"

namespace dimwise {

// Runs the rule with scratch->operands, and refines the inputs of the context. The results are in
// scratch->outcome.
Status RunBothWays(const rules::Rule& rule, const rules::Application& application, RuleScratch* scratch,
                   InferenceContext* context);

}  // namespace dimwise

#endif  // DIMWISE_INFER_OPERATORS_RULE_BOTH_WAYS_H_
