#include "infer/rule_driver_inference.h"

#include <fmt/format.h>

#include <algorithm>

#include "infer/rule_function.h"

namespace dimwise {

std::optional<int64_t> SampleInference::NumberOf(Dim d) {
  return analysis.dims().Evaluate(d, [&](Dim symbol) {
    const auto it = call.numbers.find(symbol);
    return it == call.numbers.end() ? std::nullopt : std::optional(it->second);
  });
}

Truth SampleInference::Holds(const Literal& literal) {
  const std::optional<int64_t> n = NumberOf(literal.value);
  if (!n) return Truth::kMaybe;
  const bool holds = literal.relation == Relation::kEqual      ? *n == 0
                     : literal.relation == Relation::kNotEqual ? *n != 0
                                                               : *n >= 0;
  return holds ? Truth::kYes : Truth::kNo;
}

Truth SampleInference::Holds(const Condition& condition) {
  Truth all = Truth::kYes;
  for (const Clause& clause : condition.clauses) {
    Truth any = Truth::kNo;
    for (const Literal& l : clause) any = std::max(any, Holds(l));
    all = std::min(all, any);
  }
  return all;
}

std::unique_ptr<SampleInference> Infer(const rules::Rule& rule, const OpDef& def, const Sample& sample) {
  auto inference = std::make_unique<SampleInference>();
  Result<SampleCall> call = Tell(inference->analysis, sample);
  if (!call) return nullptr;
  inference->call = *std::move(call);
  NodeDescription node;
  node.name = "sample";
  node.op = &def;
  node.attrs = &sample.attrs;
  node.num_outputs = sample.results;
  node.version = sample.version;
  node.owner = 1;
  InferenceContext context(inference->analysis, node, std::span<const Type>(inference->call.types),
                           inference->call.values);
  inference->status = context.Run([&](InferenceContext* c) { return ApplyRule(rule, c); });
  for (int i = 0; i < context.num_outputs(); ++i) {
    inference->results.push_back(context.full_output_type(i));
    inference->contents.push_back(context.output_value(i));
  }
  inference->checks.assign(context.checks().begin(), context.checks().end());
  return inference;
}

std::string NameOfResult(const OpDef& def, size_t i) {
  if (i < def.outputs.size() && !def.outputs[i].variadic) return def.outputs[i].name;
  if (def.outputs.empty()) return fmt::format("result {}", i);
  const size_t last = def.outputs.size() - 1;
  return fmt::format("{}[{}]", def.outputs[last].name, i - std::min(i, last));
}

std::string ListOf(std::span<const int64_t> sizes) {
  std::string text = "[";
  for (int64_t s : sizes)
    text += fmt::format("{}{}", text.size() > 1 ? ", " : "", s < 0 ? "?" : std::to_string(s));
  return text + "]";
}

}  // namespace dimwise
