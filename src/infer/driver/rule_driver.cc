#include "infer/driver/rule_driver.h"

#include <fmt/format.h>

#include <algorithm>

#include "infer/driver/rule_driver_generate.h"
#include "infer/operators/rule_function.h"

namespace dimwise {

int RuleReport::wrong_examples() const {
  return static_cast<int>(std::ranges::count_if(examples, [](const ExampleOutcome& o) { return !o.ok(); }));
}

namespace {

// Returns the sample with constant numbers, but with the sizes of one operand, or the whole operand, unknown.
// Each round selects another operand.
std::optional<Sample> WithOneBlank(const Sample& sample, size_t round) {
  Sample blank = WithNumbers(sample);
  std::vector<SampleOperand*> tensors;
  for (SampleOperand& o : blank.operands) {
    if (o.given && o.is_tensor()) tensors.push_back(&o);
  }
  if (tensors.empty()) return std::nullopt;
  SampleOperand& operand = *tensors[round / 2 % tensors.size()];
  if (round % 2 == 0) {
    for (SampleNumber& n : operand.sizes) n.text = "?";
  } else {
    operand.rank_visible = operand.element_visible = operand.contents_visible = false;
  }
  return blank;
}

}  // namespace

RuleReport DriveRule(const rules::Rule& rule, const DriverOptions& options) {
  RuleReport report;
  report.rule = &rule;
  report.examples = RunExamples(rule);
  const OpDef def = DefinitionOf(rule);
  SampleMaker maker(rule, def, options.seed);
  size_t round = 0;
  for (int i = 0; i < options.samples; ++i) {
    Sample sample = maker.Next();
    Comparison c = Compare(rule, def, sample);
    if (c.skipped) continue;
    ++report.samples;
    report.accepted += c.accepted ? 1 : 0;
    if (c.accepted && !c.disagreement) {
      if (std::optional<Sample> blank = WithOneBlank(sample, round++)) {
        c.disagreement = CompareOnlyBackward(rule, def, *blank);
        if (c.disagreement) sample = *std::move(blank);
      }
    }
    if (!c.disagreement) continue;
    ++report.disagreed;
    const bool known = std::ranges::any_of(
        report.failures, [&](const DriverFailure& f) { return f.disagreement.kind == c.disagreement->kind; });
    if (!known) report.failures.push_back(Shrink(rule, def, {sample, *std::move(c.disagreement)}));
  }
  // A mistake found by forward inference usually causes backward failures too. Report it once.
  const auto is_backward = [](const DriverFailure& f) {
    return f.disagreement.kind == DisagreementKind::kBackward;
  };
  if (!std::ranges::all_of(report.failures, is_backward)) std::erase_if(report.failures, is_backward);
  return report;
}

std::string TableOf(const std::vector<RuleReport>& reports) {
  size_t width = 4;
  for (const RuleReport& r : reports) width = std::max(width, r.rule->FullName().size());
  std::string text = fmt::format("{:<{}}  examples  samples  accepted  refused  disagree\n", "rule", width);
  for (const RuleReport& r : reports) {
    text += fmt::format("{:<{}}  {:>8}  {:>7}  {:>8}  {:>7}  {:>8}\n", r.rule->FullName(), width,
                        r.examples.size(), r.samples, r.accepted, r.samples - r.accepted, r.disagreed);
  }
  return text;
}

std::string FailuresOf(const RuleReport& report) {
  std::string text;
  for (const ExampleOutcome& o : report.examples) {
    if (!o.ok())
      text += fmt::format("{}: an example does not hold\n  example  {}\n  found    {}\n",
                          report.rule->FullName(), o.example, o.found);
  }
  for (const DriverFailure& f : report.failures) {
    text += fmt::format("{}: {}\n  sample   {}\n  finding  {}\n", report.rule->FullName(),
                        ToString(f.disagreement.kind), ToString(f.sample), f.disagreement.finding);
  }
  return text;
}

}  // namespace dimwise
