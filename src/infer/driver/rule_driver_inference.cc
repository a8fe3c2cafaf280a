#include "infer/driver/rule_driver_inference.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/dims/condition_logic.h"
#include "infer/operators/rule_function.h"

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
  return IsTrueFor(literal.relation, *n) ? Truth::kYes : Truth::kNo;
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

bool SampleInference::MeetsAssumptions() {
  return std::ranges::all_of(guards, [&](const Guard& c) {
    return c.code != Code::kAssumption || Holds(c.condition) == Truth::kYes;
  });
}

namespace {

// Returns the results of another analysis as far as they are numbers.
std::vector<Type> ResultsIn(Analysis& analysis, const SampleInference& from) {
  std::vector<Type> results;
  for (const Type& type : from.results) {
    Type& result = results.emplace_back();
    if (!type.is_tensor() || type.shape.is_none()) continue;
    Shape shape;
    if (type.shape.has_rank()) {
      std::vector<Dim> sizes;
      for (Dim d : type.shape.dims()) sizes.push_back(d.is_constant() ? d : analysis.dims().Fresh());
      shape = analysis.shapes().Make(sizes);
    } else {
      shape = analysis.shapes().Unknown(type.shape.min_rank(), type.shape.max_rank());
    }
    result = Type::Tensor(type.element, shape, type.storage);
  }
  return results;
}

std::string NameOf(std::span<const ArgDef> args, size_t i, std::string_view what) {
  if (i < args.size() && !args[i].variadic) return args[i].name;
  if (args.empty()) return fmt::format("{} {}", what, i);
  const size_t last = args.size() - 1;
  return fmt::format("{}[{}]", args[last].name, i - std::min(i, last));
}

}  // namespace

std::unique_ptr<SampleInference> Infer(const rules::Rule& rule, const OpDef& def, const Sample& sample,
                                       QueryKind query, const SampleInference* from) {
  auto inference = std::make_unique<SampleInference>();
  Result<SampleCall> call = MakeCall(inference->analysis, sample);
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
  if (from != nullptr) context.set_known_outputs(ResultsIn(inference->analysis, *from));
  const auto apply = [&](InferenceContext* c) { return ApplyRule(rule, c); };
  if (query == QueryKind::kSuccess) inference->would_succeed = context.WouldSucceed(apply);
  inference->status = context.Run(apply);
  for (int i = 0; i < context.num_inputs(); ++i) inference->operands.push_back(context.refined_input_type(i));
  for (int i = 0; i < context.num_outputs(); ++i) {
    inference->results.push_back(context.full_output_type(i));
    inference->contents.push_back(context.output_value(i));
  }
  inference->guards.assign(context.guards().begin(), context.guards().end());
  return inference;
}

std::string NameOfOperand(const OpDef& def, size_t i) { return NameOf(def.inputs, i, "operand"); }
std::string NameOfResult(const OpDef& def, size_t i) { return NameOf(def.outputs, i, "result"); }

std::string ListOf(std::span<const int64_t> sizes) {
  std::string text = "[";
  for (int64_t s : sizes)
    text += fmt::format("{}{}", text.size() > 1 ? ", " : "", s < 0 ? "?" : std::to_string(s));
  return text + "]";
}

}  // namespace dimwise
