// Compares three ways to evaluate built-in rules for constant shapes: a call with traces, a new call that
// evaluates the rule, and inference. The operands are those of the rules' examples, with two sets of numbers
// for the symbols.
#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "dimwise/inference_context.h"
#include "dimwise/rule.h"
#include "infer/allocation_count_testing.h"
#include "infer/context/operand_text.h"
#include "infer/operators/builtin_rules_library.h"
#include "infer/operators/rule_function.h"

namespace dimwise {
namespace {

struct Numbers {
  std::vector<std::vector<int64_t>> sizes, contents;
  std::vector<bool> given;

  std::vector<RunTimeOperand> Views() const {
    std::vector<RunTimeOperand> views;
    for (size_t i = 0; i < sizes.size(); ++i) views.push_back({sizes[i], contents[i], given[i]});
    return views;
  }
};

struct Example {
  AttrMap attrs;
  Numbers numbers;
  std::vector<ElementType> elements;
  int version = 1;
  size_t results = 1;
};

std::vector<std::string> ArgumentsOf(std::string_view call) {
  std::vector<std::string> words(1);
  int depth = 0;
  for (char c : call) {
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    if (c == ';' && depth == 0) {
      words.emplace_back();
    } else if (c != ' ' || !words.back().empty()) {
      words.back() += c;
    }
  }
  for (std::string& word : words) {
    while (word.ends_with(' ')) word.pop_back();
  }
  return words;
}

// Returns the operands of an example with a number for each symbol. Returns nullopt unless all are tensors of
// known rank with integer contents.
std::optional<Example> Read(const rules::Rule& rule, std::string_view call) {
  Example example;
  example.version = rule.since;
  example.results = rule.code->signatures[0].results.size();
  const OpDef def = DefinitionOf(rule);
  Analysis analysis;
  std::deque<std::vector<std::byte>> bytes;
  const auto number = [&](Dim d) {
    const std::optional<int64_t> n =
        analysis.dims().Evaluate(d, [](Dim symbol) { return 2 + static_cast<int64_t>(symbol.id() % 7); });
    return n.value_or(3);
  };
  for (const std::string& word : ArgumentsOf(call)) {
    if (word.empty() || word.starts_with("results=")) continue;
    if (word.starts_with("version=")) {
      example.version = std::stoi(word.substr(8));
      continue;
    }
    if (IsAttributeText(word)) {
      if (!ParseAttribute(def, word, &example.attrs)) return std::nullopt;
      continue;
    }
    const Result<OpOperand> operand = ParseOperand(analysis, word, &bytes.emplace_back());
    if (!operand) return std::nullopt;
    Numbers& numbers = example.numbers;
    numbers.given.push_back(operand->given);
    numbers.sizes.emplace_back();
    numbers.contents.emplace_back();
    example.elements.push_back(operand->type.element);
    if (!operand->given) continue;
    if (!operand->type.is_tensor() || operand->type.shape.is_none() || !operand->type.shape.has_rank())
      return std::nullopt;
    for (Dim d : operand->type.shape.dims()) numbers.sizes.back().push_back(number(d));
    if (operand->value.is_none()) continue;
    for (int64_t i = 0; i < operand->value.size(); ++i) {
      const Dim d = operand->value.Integer(i);
      if (d.is_none()) return std::nullopt;
      numbers.contents.back().push_back(number(d));
    }
  }
  return example;
}

std::string Answer(RuleCall* call, const Numbers& numbers, size_t results) {
  if (const Status status = call->Evaluate(numbers.Views()); !status)
    return "error: " + status.error().message;
  std::string text;
  for (size_t i = 0; i < results; ++i) {
    text += call->has_rank(i) ? "[" : "[*";
    for (int64_t size : call->result(i)) text += std::to_string(size) + ",";
    text += "]";
  }
  return text;
}

// Returns the result of inference; "" if it is less precise.
std::string InferredResults(const rules::Rule& rule, const Example& example, const Numbers& numbers) {
  Analysis analysis;
  std::vector<Type> types;
  std::vector<Value> values;
  for (size_t i = 0; i < numbers.sizes.size(); ++i) {
    const std::vector<Dim> dims(numbers.sizes[i].begin(), numbers.sizes[i].end());
    const std::vector<Dim> contents(numbers.contents[i].begin(), numbers.contents[i].end());
    types.push_back(numbers.given[i] ? Type::Tensor(example.elements[i], analysis.shapes().Make(dims))
                                     : Type());
    values.push_back(contents.empty()
                         ? Value()
                         : analysis.values().Integers(example.elements[i], numbers.sizes[i], contents));
  }
  const OpDef def = DefinitionOf(rule);
  NodeDescription node;
  node.op = &def;
  node.attrs = &example.attrs;
  node.num_outputs = static_cast<int>(example.results);
  node.version = example.version;
  node.owner = 1;
  InferenceContext context(analysis, node, std::span<const Type>(types), values);
  if (!context.Run([&](InferenceContext* c) { return ApplyRule(rule, c); })) return "";
  std::string text;
  for (int i = 0; i < context.num_outputs(); ++i) {
    const Type type = context.full_output_type(i);
    if (!type.is_tensor() || type.shape.is_none() || !type.shape.is_constant()) return "";
    text += "[";
    for (Dim size : type.shape.dims()) text += std::to_string(size.constant()) + ",";
    text += "]";
  }
  return text;
}

TEST(RuleCallAgreementTest, Evaluate_AllExamples_TracesAgreeWithRules) {
  int calls = 0, inferred = 0;
  std::mt19937 random(7);
  for (const rules::RuleIndex::Entry& entry : BuiltinRules().entries()) {
    const rules::Rule& rule = BuiltinRules().Load(entry);
    const std::vector<rules::Statement>& statements =
        rule.base != nullptr && rule.declared->statements.empty() ? rule.base->statements
                                                                  : rule.declared->statements;
    for (const rules::Statement& s : statements) {
      if (s.kind != rules::StatementKind::kExample) continue;
      const std::optional<Example> example =
          Read(rule, std::string_view(s.text).substr(0, s.text.find("->")));
      if (!example) continue;
      RuleCall warm(rule, example->attrs, example->results, example->version);
      for (int round = 0; round < 12; ++round) {
        Numbers numbers = example->numbers;
        for (size_t i = 0; round >= 4 && i < numbers.sizes.size(); ++i) {
          for (int64_t& size : numbers.sizes[i]) {
            if (numbers.contents[i].empty() && random() % 3 == 0) size = static_cast<int64_t>(random() % 6);
          }
          for (int64_t& element : numbers.contents[i]) {
            if (random() % 8 == 0) element = static_cast<int64_t>(random() % 6) - 2;
          }
        }
        RuleCall fresh(rule, example->attrs, example->results, example->version);
        const std::string expected = Answer(&fresh, numbers, example->results);
        ASSERT_EQ(Answer(&warm, numbers, example->results), expected)
            << rule.FullName() << ": " << s.text << ", round " << round;
        ++calls;
        if (expected.starts_with("error") || expected.find('-') != std::string::npos ||
            expected.find('*') != std::string::npos)
          continue;
        const std::string same = InferredResults(rule, *example, numbers);
        if (same.empty()) continue;
        ++inferred;
        EXPECT_EQ(same, expected) << rule.FullName() << ": " << s.text << ", round " << round;
      }
    }
  }
  EXPECT_GT(calls, 5000);
  EXPECT_GT(inferred, 2000);
}

// A call that has been evaluated twice allocates nothing.
TEST(RuleCallAgreementTest, Evaluate_SteadyState_AllocatesNothing) {
  struct Case {
    const char* op;
    std::vector<std::vector<int64_t>> sizes;
    std::vector<int64_t> contents;  // of the second operand
    AttrMap attrs;
  };
  const Case kCases[] = {
      {"onnx.Relu", {{8, 64, 56, 56}}, {}, {}},
      {"onnx.Add", {{8, 64, 56, 56}, {64, 1, 1}}, {}, {}},
      {"onnx.MatMul", {{8, 128, 768}, {768, 3072}}, {}, {}},
      {"onnx.Conv", {{8, 64, 56, 56}, {64, 64, 3, 3}}, {}, {{"pads", AttrValue::Ints{1, 1, 1, 1}}}},
      {"onnx.Reshape", {{8, 128, 768}, {4}}, {0, 0, 12, -1}, {}},
      {"onnx.Concat", {{8, 64}, {8, 32}}, {}, {{"axis", 1}}},
      {"onnx.Transpose", {{8, 128, 12, 64}}, {}, {{"perm", AttrValue::Ints{0, 2, 1, 3}}}},
      {"onnx.NonZero", {{8, 128}}, {}, {}},
  };
  for (const Case& c : kCases) {
    RuleCall call(*BuiltinRules().Find(c.op, INT32_MAX), c.attrs, 1);
    std::vector<RunTimeOperand> operands;
    for (const std::vector<int64_t>& sizes : c.sizes) operands.push_back({sizes, {}, true});
    if (!c.contents.empty()) operands[1].contents = c.contents;
    for (int i = 0; i < 8; ++i) ASSERT_TRUE(call.Evaluate(operands)) << c.op;
    const long before = AllocationCount();
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(call.Evaluate(operands)) << c.op;
    EXPECT_EQ(AllocationCount() - before, 0) << c.op;
  }
}

}  // namespace
}  // namespace dimwise
