// Evaluates expressions of properties: names are bound as for the results, but nothing is required.
#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {

void Evaluator::RunExpressions(const RuleCode& code, const Application& application, RuleHost* host,
                               std::span<const PropertyExpr> expressions, std::span<Dim> values) {
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
  const auto bind = [&] {
    Reset();
    const CompiledSignature* signature = OnlySignature(code);
    if (signature == nullptr) return false;
    Begin(*signature);
    probing_ = true;
    SolveRanks(*signature);
    return Match(*signature) && !failed();
  };
  bool bound = bind();
  for (size_t i = 0; i < expressions.size(); ++i) {
    values[i] = Dim();
    if (expressions[i] == kNoExpr) continue;
    const NodeId node = code.property_expressions[static_cast<size_t>(expressions[i])];
    if (code.nodes[node].op == Op::kConstant) values[i] = Dim(code.nodes[node].immediate);
    if (!bound || code.nodes[node].op == Op::kConstant) continue;
    const Dim value = Int(node);
    if (!failed()) {
      values[i] = value;
    } else {
      bound = bind();  // clears the failure and what depends on it
    }
  }
  probing_ = false;
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
