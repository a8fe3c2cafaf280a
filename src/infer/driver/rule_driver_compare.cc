// Compares guards and facts with the numbers, and runs all comparisons on a sample.
#include "infer/driver/rule_driver_compare.h"

#include <fmt/format.h>

#include <algorithm>

#include "infer/driver/rule_driver_inference.h"

namespace dimwise {
namespace {

// Returns whether the rule reads the contents of an operand, judged by its position.
bool Reads(const rules::Rule& rule, size_t operand) {
  const std::vector<rules::CompiledArgument>& arguments = rule.code->signatures[0].operands;
  size_t variadic = 0;
  while (variadic < arguments.size() && arguments[variadic].arity != rules::Arity::kOneOrMore &&
         arguments[variadic].arity != rules::Arity::kAnyNumber)
    ++variadic;
  return std::ranges::any_of(rule.code->nodes, [&](const rules::Node& n) {
    return n.op == rules::Op::kContents && (n.a == operand || (operand >= variadic && n.a >= variadic));
  });
}

// Returns whether inference has all information that guards use: ranks, element types, and the contents that
// the rule reads. Otherwise a rule may leave conditions to the operator that are not about sizes.
bool CanCheckAll(const rules::Rule& rule, const Sample& sample) {
  for (size_t i = 0; i < sample.operands.size(); ++i) {
    const SampleOperand& o = sample.operands[i];
    if (!o.given || !o.is_tensor()) continue;
    if (!o.rank_visible || !o.element_visible) return false;
    const auto plain = [](const SampleNumber& n) { return n.text.empty(); };
    const bool contents = o.has_contents && o.contents_visible && std::ranges::all_of(o.sizes, plain) &&
                          std::ranges::all_of(o.integers, plain);
    if (!contents && Reads(rule, i)) return false;
  }
  return true;
}

Finding CompareGuards(const rules::Rule& rule, const Sample& sample, SampleInference& partial,
                      const SampleInference& full) {
  DimTable& dims = partial.analysis.dims();
  if (full.status) {
    for (const Guard& c : partial.guards) {
      if (partial.Holds(c.condition) != Truth::kNo) continue;
      return Disagree(DisagreementKind::kGuardTooStrong,
                      fmt::format("the guard {} (\"{}\") fails here, but inference accepts these numbers",
                                  ToString(dims, c.condition), c.message));
    }
    return std::nullopt;
  }
  if (!CanCheckAll(rule, sample)) return std::nullopt;
  std::string all;
  for (const Guard& c : partial.guards) {
    if (partial.Holds(c.condition) != Truth::kYes) return std::nullopt;
    all += (all.empty() ? "" : ", ") + ToString(dims, c.condition);
  }
  return Disagree(DisagreementKind::kGuardTooWeak,
                  fmt::format("{}, but inference rejects these numbers: \"{}\"",
                              all.empty() ? "there is no guard" : fmt::format("the guards {} hold", all),
                              full.status.error().message));
}

Finding CompareInference(const rules::Rule& rule, const OpDef& def, const Sample& sample,
                         SampleInference& partial, SampleInference& full) {
  if (!partial.status) {
    if (!full.status || !full.guards.empty()) return std::nullopt;
    return Disagree(DisagreementKind::kRefused,
                    fmt::format("it is rejected for all numbers: \"{}\"; but these numbers are accepted",
                                partial.status.error().message));
  }
  if (full.status && (!full.guards.empty() || !partial.MeetsAssumptions())) return std::nullopt;
  Finding result;
  if (full.status) {
    for (size_t i = 0; i < full.results.size() && !result; ++i) {
      result = CompareResult(NameOfResult(def, i), partial, partial.results[i], full, full.results[i]);
      if (!result)
        result = CompareContents(NameOfResult(def, i), partial, partial.contents[i], full.contents[i]);
    }
  }
  // Results are valid only if the guards hold, so a failing guard is reported first.
  if (Finding f = CompareGuards(rule, sample, partial, full)) return f;
  if (result) return result;
  return full.status ? CompareFacts(partial, DisagreementKind::kFact) : std::nullopt;
}

}  // namespace

std::string_view ToString(DisagreementKind kind) {
  static constexpr std::string_view kWords[] = {
      "the run time and inference disagree",
      "two alternatives overlap",
      "a result is wrong",
      "the contents of a result are wrong",
      "the element type of a result is wrong",
      "an error is too strong",
      "a guard is too strong",
      "a guard is missing or too weak",
      "a fact is wrong",
      "a result implies a wrong fact about an operand",
      "the query whether it is valid returns a wrong answer",
  };
  return kWords[static_cast<size_t>(kind)];
}

Comparison Compare(const rules::Rule& rule, const OpDef& def, const Sample& sample) {
  Comparison comparison;
  const Sample numbers = WithNumbers(sample);
  const std::unique_ptr<SampleInference> full = Infer(rule, def, numbers, QueryKind::kNone);
  const std::unique_ptr<SampleInference> partial =
      full == nullptr ? nullptr : Infer(rule, def, sample, QueryKind::kSuccess);
  if (partial == nullptr) {
    comparison.skipped = true;
    return comparison;
  }
  comparison.accepted = full->status.has_value();
  Finding& finding = comparison.disagreement;
  finding = CompareRunTime(rule, def, numbers);
  if (!finding) finding = CompareForms(rule, numbers, *full);
  if (!finding) finding = CompareQuery(*partial);
  if (!finding) finding = CompareInference(rule, def, sample, *partial, *full);
  if (!finding && partial->MeetsAssumptions()) finding = CompareBackward(rule, def, sample, *full);
  return comparison;
}

std::optional<Disagreement> CompareOnlyBackward(const rules::Rule& rule, const OpDef& def,
                                                const Sample& sample) {
  const std::unique_ptr<SampleInference> full = Infer(rule, def, WithNumbers(sample), QueryKind::kNone);
  const std::unique_ptr<SampleInference> partial =
      full == nullptr ? nullptr : Infer(rule, def, sample, QueryKind::kNone);
  if (partial == nullptr || !partial->MeetsAssumptions()) return std::nullopt;
  return CompareBackward(rule, def, sample, *full);
}

}  // namespace dimwise
