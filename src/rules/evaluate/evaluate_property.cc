// Evaluates expressions of properties: names are bound as for the results, but nothing is required.
#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {

Dim Evaluator::RunExpression(const RuleCode& code, const Application& application, RuleHost* host,
                             PropertyExpr expression) {
  const NodeId node = code.property_expressions[static_cast<size_t>(expression)];
  if (code.nodes[node].op == Op::kConstant) return Dim(code.nodes[node].immediate);
  Outcome outcome;
  outcome.results.resize(static_cast<size_t>(application.result_count));
  outcome.refined.resize(application.operands.size());
  code_ = &code;
  application_ = &application;
  host_ = host;
  outcome_ = &outcome;
  filter_ = FactFilter::kWithoutChecked;
  choice_ = Choice::kNotMade;
  probing_ = true;
  Reset();
  Dim value;
  if (const CompiledSignature* signature = OnlySignature(code); signature != nullptr) {
    Begin(*signature);
    probing_ = true;
    SolveRanks(*signature);
    if (Match(*signature) && !failed()) value = Int(node);
  }
  probing_ = false;
  return failed() ? Dim() : value;
}

// Returns the alternative that applies, or null if it is not certain.
const CompiledSignature* Evaluator::OnlySignature(const RuleCode& code) {
  if (!AssignOperands(code.signatures[0])) return nullptr;
  if (code.signatures.size() == 1) return &code.signatures[0];
  const CompiledSignature* found = nullptr;
  for (const CompiledSignature& s : code.signatures) {
    if (!Feasible(s)) continue;
    const Truth case_condition = CaseCondition(s);
    if (case_condition == Truth::kNo) continue;
    if (found != nullptr) return nullptr;
    found = &s;
    if (case_condition == Truth::kYes && Decided(s)) break;
  }
  return found;
}

// Returns the shape of the first tensor of a result.
Shape Evaluator::ResultShape(uint32_t result) {
  size_t flat = 0;
  for (uint32_t i = 0; i < result; ++i) flat += ResultCount(code_->signatures[0], i, flat);
  const std::span<const Type> types = application_->result_types;
  return flat < types.size() && types[flat].is_tensor() ? types[flat].shape : Shape();
}

}  // namespace dimwise::rules
