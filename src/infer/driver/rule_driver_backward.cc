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

Finding CompareFacts(SampleInference& partial, DisagreementKind kind) {
  Facts& facts = partial.analysis.facts();
  DimTable& dims = partial.analysis.dims();
  for (const auto& [symbol, number] : partial.call.numbers) {
    if (facts.Equal(symbol, number) != Truth::kNo) continue;
    return Disagree(kind, fmt::format("inference derives that {} is not {}", dims.ToString(symbol), number));
  }
  const ScopeId scope = facts.NewScope(ScopeId::kRoot);
  for (const auto& [symbol, number] : partial.call.numbers)
    facts.Assert(Clause{Equal(dims, symbol, number)}, FactKind::kGiven, 2, scope);
  const std::optional<Contradiction> wrong = facts.FindContradiction(scope);
  facts.DropScope(scope);
  if (!wrong) return std::nullopt;
  return Disagree(kind, fmt::format("inference derives that {}, which contradicts {}", wrong->first_text,
                                    wrong->second_text));
}

Finding CompareBackward(const rules::Rule& rule, const OpDef& def, const Sample& sample,
                        SampleInference& full) {
  if (!full.status || !full.guards.empty()) return std::nullopt;
  const std::unique_ptr<SampleInference> partial = Infer(rule, def, sample, QueryKind::kSuccess, &full);
  if (partial == nullptr) return std::nullopt;
  if (Finding f = CompareQuery(*partial)) return f;
  const auto disagree = [&](std::string_view finding) {
    return Disagree(DisagreementKind::kBackward,
                    fmt::format("from the results {}: {}", ResultsOf(full), finding));
  };
  if (!partial->status) {
    return disagree(
        fmt::format("operands that have them are refused: \"{}\"", partial->status.error().message));
  }
  if (!partial->MeetsAssumptions()) return std::nullopt;
  for (size_t i = 0; i < partial->operands.size(); ++i) {
    if (!sample.operands[i].given) continue;
    if (Finding f =
            CompareResult(NameOfOperand(def, i), *partial, partial->operands[i], full, full.call.types[i]))
      return disagree(f->finding);
  }
  if (Finding f = CompareFacts(*partial, DisagreementKind::kBackward)) return disagree(f->finding);
  return std::nullopt;
}

Finding CompareQuery(const SampleInference& partial) {
  const Truth seen = !partial.status ? Truth::kNo : partial.guards.empty() ? Truth::kYes : Truth::kMaybe;
  if (partial.would_succeed == seen || (!partial.status && partial.status.error().code == Code::kRuleLimit))
    return std::nullopt;
  const auto words = [](Truth truth) {
    return truth == Truth::kYes ? "yes" : truth == Truth::kNo ? "no" : "perhaps";
  };
  return Disagree(DisagreementKind::kQuery,
                  fmt::format("the query whether it would succeed returns {}; a run returns {}{}",
                              words(partial.would_succeed), words(seen),
                              partial.status ? "" : fmt::format(": \"{}\"", partial.status.error().message)));
}

}  // namespace dimwise
