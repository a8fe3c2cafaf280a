// Selects the alternatives of a rule: `(...) -> (...) | (...) -> (...)`.
#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {

std::vector<size_t> Evaluator::FormsOf(const RuleCode& code, const Application& application) {
  Outcome outcome;
  std::vector<size_t> forms;
  for (size_t i = 0; i < code.signatures.size(); ++i) {
    const CompiledSignature& s = code.signatures[i];
    code_ = &code;
    application_ = &application;
    host_ = nullptr;
    outcome_ = &outcome;
    probing_ = false;
    Reset();
    outcome.refined.assign(application.operands.size(), Type());
    if (!AssignOperands(s) || !Feasible(s) || CaseCondition(s) != Truth::kYes) continue;
    if (Match(s) && !failed()) forms.push_back(i);
  }
  return forms;
}

}  // namespace dimwise::rules
