// Compares what the results imply about the operands with the operands themselves.
#include <fmt/format.h>

#include "infer/driver/rule_driver_inference.h"

namespace dimwise {
namespace {

std::string ResultsOf(SampleInference& full) {
  std::string text;
  for (const Type& type : full.results)
    text += (text.empty() ? "" : "; ") + ToString(full.analysis.dims(), type);
  return text;
}

}  // namespace

Finding CompareFacts(SampleInference& told, DisagreementKind kind) {
  Facts& facts = told.analysis.facts();
  DimTable& dims = told.analysis.dims();
  for (const auto& [symbol, number] : told.call.numbers) {
    if (facts.Equal(symbol, number) != Truth::kNo) continue;
    return Disagree(kind, fmt::format("inference learns that {} is not {}", dims.ToString(symbol), number));
  }
  const ScopeId scope = facts.NewScope(ScopeId::kRoot);
  for (const auto& [symbol, number] : told.call.numbers)
    facts.Assert(Clause{Equal(dims, symbol, number)}, FactKind::kGiven, 2, scope);
  const std::optional<Contradiction> wrong = facts.FindContradiction(scope);
  facts.DropScope(scope);
  if (!wrong) return std::nullopt;
  return Disagree(kind, fmt::format("inference learns that {}, which does not go with {}", wrong->first_text,
                                    wrong->second_text));
}

Finding CompareBackward(const rules::Rule& rule, const OpDef& def, const Sample& sample,
                        SampleInference& full) {
  if (!full.status || !full.checks.empty()) return std::nullopt;
  const std::unique_ptr<SampleInference> told = Infer(rule, def, sample, Query::kSuccess, &full);
  if (told == nullptr) return std::nullopt;
  if (Finding f = CompareQuery(*told)) return f;
  const auto disagree = [&](std::string_view finding) {
    return Disagree(DisagreementKind::kBackward,
                    fmt::format("from the results {}: {}", ResultsOf(full), finding));
  };
  if (!told->status) {
    return disagree(fmt::format("operands that have them are refused: \"{}\"", told->status.error().message));
  }
  if (!told->MeetsAssumptions()) return std::nullopt;
  for (size_t i = 0; i < told->operands.size(); ++i) {
    if (!sample.operands[i].given) continue;
    if (Finding f = CompareResult(NameOfOperand(def, i), *told, told->operands[i], full, full.call.types[i]))
      return disagree(f->finding);
  }
  if (Finding f = CompareFacts(*told, DisagreementKind::kBackward)) return disagree(f->finding);
  return std::nullopt;
}

Finding CompareQuery(const SampleInference& told) {
  const Truth seen = !told.status ? Truth::kNo : told.checks.empty() ? Truth::kYes : Truth::kMaybe;
  if (told.would_succeed == seen || (!told.status && told.status.error().code == Code::kRuleLimit))
    return std::nullopt;
  const auto words = [](Truth truth) {
    return truth == Truth::kYes ? "yes" : truth == Truth::kNo ? "no" : "perhaps";
  };
  return Disagree(DisagreementKind::kQuery,
                  fmt::format("asked whether it would succeed, the rule answers {}; a run says {}{}",
                              words(told.would_succeed), words(seen),
                              told.status ? "" : fmt::format(": \"{}\"", told.status.error().message)));
}

}  // namespace dimwise
