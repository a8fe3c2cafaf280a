// Applies rules as shape functions. The inference context answers the queries of a rule and receives its
// effects.
#ifndef DIMWISE_INFER_OPERATORS_RULE_FUNCTION_H_
#define DIMWISE_INFER_OPERATORS_RULE_FUNCTION_H_

#include <cstdint>
#include <span>

#include "dimwise/inference_context.h"
#include "dimwise/op_registry.h"
#include "rules/compile/library.h"
#include "rules/evaluate/trace_cache.h"

namespace dimwise {

// Applies a rule to the operator of a context: sets results and contents, and adds guards and facts. If the
// context infers inputs, refines them.
Status ApplyRule(const rules::Rule& rule, InferenceContext* context);
// Applies a rule that defines only some parts, and replaces these parts of the outputs.
Status ApplyRuleOver(const rules::Rule& rule, InferenceContext* context);

// An application of a rule without a context.
struct BareCall {
  Analysis& analysis;
  ScopeId scope;  // the scope of fact queries
  std::span<const rules::Operand> operands;
  const AttrMap& attrs;
  int version;  // as stated by the node
};
// Returns whether traces of the rule are recorded at all.
bool MayUseTrace(const rules::Rule& rule);
// For callers that apply many rules: computes the types of the results and their contents, in equal number,
// by a trace (rules/evaluate/trace_cache.h). A trace has no requirements, facts or new unknowns; all results
// are tensors. Returns false if there is no trace; then the rule must be evaluated.
bool ApplyTrace(const rules::Rule& rule, const BareCall& call, std::span<Type> results,
                std::span<Value> contents);

// Evaluates a rule as a query without side effects. The results hold in every run that does not fail; each
// unknown is new. Returns false if the rule gives no result or makes an assumption. REQUIRES:
// MayUseTrace(rule).
bool QueryRule(const rules::Rule& rule, const BareCall& call, std::span<Type> results,
               std::span<Value> contents);

// Computes a property of a call: an integer expression of the rule, given the types of all results. Returns
// null if it is unknown.
Dim EvaluateProperty(const rules::Rule& rule, const BareCall& call, std::span<const Type> result_types,
                     PropertyExpr expression);

// For tests, per thread: the number of applications answered by traces, and clearing all traces.
uint64_t AnswersByTraces();
void ForgetTraces();

// The form of a rule for the registry. The library must outlive the registry.
struct RuleShapeFn {
  const rules::Rule* rule;
  Status operator()(InferenceContext* context) const { return ApplyRule(*rule, context); }
};
ShapeFn ShapeFunctionOf(const rules::Rule& rule);
OpDef DefinitionOf(const rules::Rule& rule);

}  // namespace dimwise

#endif  // DIMWISE_INFER_OPERATORS_RULE_FUNCTION_H_
