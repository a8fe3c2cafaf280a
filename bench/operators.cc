// Measures inference of a single operator, static and symbolic, including the construction of a context.
// TensorFlow's InferenceContext takes 0.7 to 2.7 microseconds for each of these; the target is a tenth.
//
// Infer/ is the C++ function, Rule/ the rule of the same operator, which may take 1.5 times as long.
// Evaluate/ is the rule at run time on numbers.
#include <string>
#include <vector>

#include "bench/functions/functions.h"
#include "benchmark/benchmark.h"
#include "dimwise/builtin.h"
#include "dimwise/inference_context.h"
#include "dimwise/rule.h"
#include "infer/operators/builtin_rules_library.h"
#include "infer/operators/rule_function.h"

namespace dimwise {
namespace {

struct Case {
  const char* name;
  const char* op;
  std::vector<const char*> inputs;
  AttrMap attrs;
  std::vector<int64_t> contents = {};  // of the second input
};

const std::vector<Case>& Cases() {
  static const std::vector<Case> cases = {
      {"Relu/static", "onnx.Relu", {"f32[8, 64, 56, 56]"}, {}},
      {"Relu/symbolic", "onnx.Relu", {"f32[N, 64, H, W]"}, {}},
      {"Add/static", "onnx.Add", {"f32[8, 64, 56, 56]", "f32[64, 1, 1]"}, {}},
      {"Add/symbolic", "onnx.Add", {"f32[N, 64, H, W]", "f32[N, 64, H, W]"}, {}},
      {"MatMul/static", "onnx.MatMul", {"f32[8, 128, 768]", "f32[768, 3072]"}, {}},
      {"MatMul/symbolic", "onnx.MatMul", {"f32[N, S, 768]", "f32[768, 3072]"}, {}},
      {"Conv/static",
       "onnx.Conv",
       {"f32[8, 64, 56, 56]", "f32[64, 64, 3, 3]"},
       {{"pads", AttrValue::Ints{1, 1, 1, 1}}, {"strides", AttrValue::Ints{2, 2}}}},
      {"Conv/symbolic",
       "onnx.Conv",
       {"f32[N, 64, H, W]", "f32[64, 64, 3, 3]"},
       {{"pads", AttrValue::Ints{1, 1, 1, 1}}, {"strides", AttrValue::Ints{2, 2}}}},
      {"Reshape/static", "onnx.Reshape", {"f32[8, 128, 768]", "i64[4]"}, {}, {0, 0, 12, -1}},
      {"Reshape/symbolic", "onnx.Reshape", {"f32[N, S, 768]", "i64[4]"}, {}, {0, 0, 12, -1}},
      {"Concat/static", "onnx.Concat", {"f32[8, 64, 56, 56]", "f32[8, 32, 56, 56]"}, {{"axis", 1}}},
      {"Concat/symbolic", "onnx.Concat", {"f32[N, P, 64]", "f32[N, S, 64]"}, {{"axis", 1}}},
      {"Transpose/static",
       "onnx.Transpose",
       {"f32[8, 128, 12, 64]"},
       {{"perm", AttrValue::Ints{0, 2, 1, 3}}}},
      {"Transpose/symbolic",
       "onnx.Transpose",
       {"f32[N, S, 12, 64]"},
       {{"perm", AttrValue::Ints{0, 2, 1, 3}}}},
  };
  return cases;
}

void Infer(benchmark::State& state, const Case& c, const OpDef& def, const ShapeFn& function) {
  Analysis analysis;
  std::vector<Type> inputs;
  std::vector<Value> values;
  for (const char* text : c.inputs) inputs.push_back(*ParseType(analysis, text));
  if (!c.contents.empty()) {
    const int64_t length[] = {static_cast<int64_t>(c.contents.size())};
    values = {Value(), analysis.values().Integers(ElementType::kI64, length,
                                                  std::vector<Dim>(c.contents.begin(), c.contents.end()))};
  }
  // The symbols are at least 1, as in the inputs of a model.
  for (const char* name : {"N", "S", "P", "H", "W"}) {
    analysis.facts().Assert(Clause{AtLeast(analysis.dims(), analysis.dims().Symbol(name), 1)},
                            FactKind::kAssumed, 2);
  }
  NodeDescription node;
  node.op = &def;
  node.attrs = &c.attrs;
  node.num_outputs = 1;
  node.owner = 1;
  InferenceContext context(analysis);
  for (auto _ : state) {
    context.Reset(node, std::span<const Type>(inputs), values);
    const Status status = context.Run(function);
    if (!status) return state.SkipWithError(status.error().message.c_str());
    benchmark::DoNotOptimize(context.output(0));
  }
}

void InferByFunction(benchmark::State& state, const Case& c) {
  OpRegistryBuilder functions;
  RegisterBaseline(functions);
  const OpRegistry registry = functions.Build().value();
  const OpRegistrationData* op = registry.Find(c.op);
  if (op == nullptr) return state.SkipWithError("it has no C++ function");
  Infer(state, c, op->def, op->shape_fn);
}

void InferByRule(benchmark::State& state, const Case& c) {
  const rules::Rule* rule = BuiltinRules().Find(c.op, INT32_MAX);
  if (rule == nullptr) return state.SkipWithError("it has no rule");
  Infer(state, c, DefinitionOf(*rule), ShapeFunctionOf(*rule));
}

void Evaluate(benchmark::State& state, const Case& c) {
  const rules::Rule* rule = BuiltinRules().Find(c.op, INT32_MAX);
  if (rule == nullptr) return state.SkipWithError("it has no rule");
  Analysis analysis;
  std::vector<std::vector<int64_t>> shapes;
  std::vector<RunTimeOperand> operands;
  for (const char* text : c.inputs) {
    shapes.emplace_back();
    for (Dim d : ParseType(analysis, text)->shape.dims()) shapes.back().push_back(d.constant());
  }
  for (const std::vector<int64_t>& shape : shapes) operands.push_back({shape, {}, true});
  if (!c.contents.empty()) operands[1].contents = c.contents;
  RuleCall call(*rule, c.attrs, 1);
  for (auto _ : state) {
    const Status status = call.Evaluate(operands);
    if (!status) return state.SkipWithError(status.error().message.c_str());
    benchmark::DoNotOptimize(call.result(0).data());
  }
}

const bool registered = [] {
  const auto add = [](const char* group, const Case& c, void (*run)(benchmark::State&, const Case&)) {
    benchmark::RegisterBenchmark((std::string(group) + c.name).c_str(),
                                 [&c, run](benchmark::State& s) { run(s, c); });
  };
  for (const Case& c : Cases()) add("Infer/", c, InferByFunction);
  for (const Case& c : Cases()) add("Rule/", c, InferByRule);
  for (const Case& c : Cases()) {
    if (std::string_view(c.name).ends_with("/static")) add("Evaluate/", c, Evaluate);
  }
  return true;
}();

}  // namespace
}  // namespace dimwise
