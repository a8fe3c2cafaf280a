// Tests of operators in both directions, as a table. A row has operands and attributes as for `dimwise op`,
// the known results, and everything inferred: operands, results, guards, and facts about their symbols. The
// operators are the built-in rules.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

#include "dimwise/builtin.h"
#include "dimwise/rule.h"
#include "dimwise/shape_functions.h"
#include "infer/context/op_call.h"
#include "infer/context/operand_text.h"
#include "ops/builtin_rules.h"

namespace dimwise {
namespace {

struct Deduction {
  const char* op;
  const char* operands;  // operands and attributes, separated by `;`
  const char* results;
  const char* expected;
};

const OpRegistry& Rules() {
  static const RuleSet* const rules = [] {
    auto* all = new RuleSet();
    for (const RuleText& text : BuiltinRuleTexts())
      EXPECT_TRUE(all->Define(text.text, text.file).empty()) << text.file;
    return all;
  }();
  static const OpRegistry registry = [] {
    OpRegistryBuilder builder;
    RegisterRules(builder, *rules);
    return builder.Build().value();
  }();
  return registry;
}

std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find(';'), text.size());
    std::string_view word = text.substr(0, end);
    while (word.starts_with(' ')) word.remove_prefix(1);
    words.emplace_back(word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

std::string TypeText(DimTable& dims, const Type& type) {
  std::string text = ToString(dims, type);
  const Shape shape = type.shape;
  if (shape.is_none() || shape.has_rank() || (shape.min_rank() == 0 && shape.max_rank() == kMaxRank))
    return text;
  text += " of rank " + std::to_string(shape.min_rank());
  return text + (shape.max_rank() == kMaxRank ? " or more" : " .. " + std::to_string(shape.max_rank()));
}

void DescribeBounds(Analysis& analysis, Shape shape, std::vector<Dim>* seen, std::string* text) {
  if (shape.is_none() || !shape.has_rank()) return;
  for (const Dim size : shape.dims()) {
    for (const Dim symbol : analysis.dims().SymbolsOf(size)) {
      if (std::ranges::find(*seen, symbol) != seen->end()) continue;
      seen->push_back(symbol);
      const SizeBounds b = analysis.facts().Bounds(symbol);
      if (b.min.value_or(0) == 0 && !b.max) continue;
      *text += "\n" + std::to_string(b.min.value_or(0)) + " <= " + analysis.dims().ToString(symbol);
      if (b.max) *text += " <= " + std::to_string(*b.max);
    }
  }
}

std::string Answer(const Deduction& row, bool with_guards = false) {
  Analysis analysis;
  std::deque<std::vector<std::byte>> bytes;
  std::vector<OpOperand> operands;
  std::vector<Type> results;
  AttrMap attrs;
  OpCall call;
  call.op = Rules().Find(row.op);
  if (call.op == nullptr) return "no such operator";
  for (const std::string& word : Words(row.operands)) {
    if (IsAttributeText(word)) {
      if (Status s = ParseAttribute(call.op->def, word, &attrs); !s) return s.error().message;
    } else {
      Result<OpOperand> operand = ParseOperand(analysis, word, &bytes.emplace_back());
      if (!operand) return operand.error().message;
      operands.push_back(*operand);
    }
  }
  for (const std::string& word : Words(row.results)) {
    Result<Type> type = ParseType(analysis, word);
    if (!type) return type.error().message;
    results.push_back(*type);
  }
  call.operands = operands;
  call.attrs = &attrs;
  call.both = true;
  call.known_outputs = results;
  if (!results.empty()) call.num_outputs = static_cast<int>(results.size());
  const Result<OpAnswer> answer = CallOp(analysis, call);
  if (!answer) return "error: " + answer.error().message;
  std::string text;
  for (size_t i = 0; i < answer->inputs.size(); ++i) {
    const OpOperand& input = answer->inputs[i];
    text += (i > 0 ? "; " : "") + (input.given ? TypeText(analysis.dims(), input.type) : "none");
  }
  text += " ->";
  for (size_t i = 0; i < answer->outputs.size(); ++i)
    text += (i > 0 ? "; " : " ") + TypeText(analysis.dims(), answer->outputs[i]);
  std::vector<Dim> seen;
  for (const OpOperand& input : answer->inputs) DescribeBounds(analysis, input.type.shape, &seen, &text);
  for (const Type& output : answer->outputs) DescribeBounds(analysis, output.shape, &seen, &text);
  if (!with_guards) return text;
  for (const Guard& guard : answer->guards)
    text += "\ncheck: " + ToString(analysis.dims(), guard.condition) + " (" + guard.message + ")";
  return text;
}

void Expect(std::span<const Deduction> rows, bool with_guards = false) {
  for (const Deduction& row : rows) {
    EXPECT_EQ(Answer(row, with_guards), row.expected)
        << row.op << " (" << row.operands << ") -> " << row.results;
  }
}

TEST(BothWays, Elementwise_KnownResult_InfersOperands) {
  const Deduction rows[] = {
      {"onnx.Relu", "?[*]", "f16[N, 3]", "f16[N, 3] -> f16[N, 3]"},
      {"onnx.Relu", "f32[N, ?]", "?[2, 3]", "f32[2, 3] -> f32[2, 3]"},
      {"onnx.Relu", "?[*]", "?[*]", "?[*] -> ?[*]"},
      {"onnx.Relu", "", "f32[]", "f32[] -> f32[]"},
      {"onnx.Relu", "f32[2]", "f32[3]", "error: Y has 2 on axis 0, but 3 was given"},
      {"onnx.Relu", "f32[2]", "f16[2]", "error: Y is f32, but f16 was given"},
      {"onnx.Sqrt", "?[2]", "string[2]", "error: Y of Sqrt is string; it must be float"},
      {"onnx.Relu", "f32[2]", "f32[2, 1]", "error: Y is of rank 1, but rank 2 was given"},
      {"onnx.Cast", "?[*]; to=f16", "?[4, N]", "?[4, N] -> f16[4, N]"},
      {"onnx.Cast", "?[*]; to=f16", "f32[4]", "error: output is f16, but f32 was given"},
      {"onnx.Softmax", "?[*]", "f32[4, 10]", "f32[4, 10] -> f32[4, 10]"},
      {"onnx.Dropout", "?[*]", "f32[N]; ?[*]", "f32[N] -> f32[N]; bool[N]"},
  };
  Expect(rows);
}

TEST(BothWays, Broadcasting_KnownResult_InfersOperands) {
  const Deduction rows[] = {
      {"onnx.Add", "?[?]; ?[N]", "f32[1]", "f32[1]; f32[1] -> f32[1]"},
      {"onnx.Add", "?[?]; ?[N]", "f32[8]", "f32[A_d0]; f32[N] -> f32[8]"},
      {"onnx.Add", "?[1]; ?[N]", "f32[8]", "f32[1]; f32[8] -> f32[8]"},
      {"onnx.Add", "?[3]; ?[N]", "f32[8]", "error: C has 3 on axis 0, but 8 was given"},
      {"onnx.Add", "f32[*]; ?[*]", "?[8, 1]", "f32[*] of rank 0 .. 2; f32[*] of rank 0 .. 2 -> f32[8, 1]"},
      {"onnx.Add", "f32[3]; ?[*]", "?[N, 3]", "f32[3]; f32[N, B_d1] -> f32[N, 3]"},
      {"onnx.Add", "?[*]; ?[*]", "?[]", "?[]; ?[] -> ?[]"},
      {"onnx.Where", "?[*]; ?[?, 1]; ?[*]", "f32[1, 10]",
       "bool[*] of rank 0 .. 2; f32[X_d0, 1]; f32[*] of rank 0 .. 2 -> f32[1, 10]"},
      {"onnx.Expand", "?[*]; i64[2]={2, 3}", "?[*]", "?[*]; i64[2] -> ?[*] of rank 2 or more"},
      {"onnx.PRelu", "?[*]; f32[?]", "?[N, 8]", "f32[N, 8]; f32[slope_d0] -> f32[N, 8]"},
  };
  Expect(rows);
}

TEST(BothWays, Products_KnownResult_InfersOperands) {
  const Deduction rows[] = {
      {"onnx.MatMul", "f32[2, 3]; ?[?, ?]", "?[2, 5]", "f32[2, 3]; f32[3, 5] -> f32[2, 5]"},
      {"onnx.MatMul", "f32[2, 3]; ?[*]", "?[2, 5]", "f32[2, 3]; f32[3, 5] -> f32[2, 5]"},
      {"onnx.MatMul", "f32[2, 3]; ?[*]", "?[2]", "f32[2, 3]; f32[3] -> f32[2]"},
      {"onnx.MatMul", "?[*]; f32[3, 5]", "?[N, M, 5]", "f32[N, M, 3]; f32[3, 5] -> f32[N, M, 5]"},
      {"onnx.MatMul", "?[*]; ?[*]", "f32[2, 5]", "f32[*] of rank 1 .. 3; f32[*] of rank 1 .. 3 -> f32[2, 5]"},
      {"onnx.MatMul", "?[*]; ?[*]", "f32[]", "f32[A_d0]; f32[A_d0] -> f32[]"},
      {"onnx.MatMul", "f32[2, 3]; f32[4, 5]", "?[2, 5]",
       "error: MatMul multiplies 3 columns by 4 rows; the two must be equal"},
      {"onnx.Gemm", "f32[?, 20]; ?[*]; ?[?]; transB=1", "?[4, 10]",
       "f32[4, 20]; f32[10, 20]; f32[C_d0] -> f32[4, 10]"},
      {"onnx.Gemm", "?[*]; ?[*]", "f32[N, M]", "f32[N, A_d1]; f32[A_d1, M] -> f32[N, M]"},
      {"onnx.Conv", "?[*]; f32[64, 3, 3, 3]; strides=2,2; pads=1,1,1,1", "?[N, 64, 112, 112]",
       "f32[N, 3, X_d2, X_d3]; f32[64, 3, 3, 3] -> f32[N, 64, 112, 112]\n223 <= X_d2 <= 224\n223 <= X_d3 <= "
       "224"},
      {"onnx.Conv", "?[*]; ?[*]", "f32[N, 64, 112]",
       "f32[N, X_d1, X_d2]; f32[64, X_d1, X_d2 - 111] -> f32[N, 64, 112]\n112 <= X_d2"},
      {"onnx.Conv", "?[?, ?, 8]; ?[*]; f32[*]", "?[2, 4, 6]",
       "f32[2, X_d1, 8]; f32[4, X_d1, 3]; f32[4] -> f32[2, 4, 6]"},
      {"onnx.MaxPool", "?[*]; kernel_shape=2,2; strides=2,2", "f32[N, 64, 56, 56]",
       "f32[N, 64, X_d2, X_d3] -> f32[N, 64, 56, 56]\n112 <= X_d2 <= 113\n112 <= X_d3 <= 113"},
  };
  Expect(rows);
}

TEST(BothWays, Normalization_KnownResult_InfersOperands) {
  const Deduction rows[] = {
      {"onnx.BatchNormalization", "f32[N, 64, 8, 8]", "",
       "f32[N, 64, 8, 8]; ?[64]; ?[64]; ?[64]; ?[64] -> f32[N, 64, 8, 8]; ?[64]; ?[64]"},
      {"onnx.BatchNormalization", "f32[?, ?, 8]; ?[*]; ?[*]; ?[64]; ?[*]", "?[*]",
       "f32[X_d0, 64, 8]; ?[64]; ?[64]; ?[64]; ?[64] -> f32[X_d0, 64, 8]"},
      {"onnx.LayerNormalization", "?[*]; f32[768]", "f32[N, S, ?]",
       "f32[N, S, 768]; f32[768] -> f32[N, S, 768]"},
  };
  Expect(rows);
}

TEST(BothWays, Layout_KnownResult_InfersOperands) {
  const Deduction rows[] = {
      {"onnx.Transpose", "?[*]; perm=1,0,2", "f16[N, 3, M]", "f16[3, N, M] -> f16[N, 3, M]"},
      {"onnx.Transpose", "?[*]", "f16[N, 3]", "f16[3, N] -> f16[N, 3]"},
      {"onnx.Reshape", "f32[?, 4]; i64[2]={6, 4}", "?[*]", "f32[6, 4]; i64[2] -> f32[6, 4]"},
      {"onnx.Reshape", "f32[2, 3, ?]; i64[2]={-1, 4}", "?[6, 4]", "f32[2, 3, 4]; i64[2] -> f32[6, 4]"},
      {"onnx.Reshape", "f32[*]; i64[*]", "?[6, 4]", "f32[*]; i64[shape_d0] -> f32[6, 4]"},
      {"onnx.Flatten", "f32[N, ?, 4]", "?[N, 20]", "f32[N, 5, 4] -> f32[N, 20]"},
      {"onnx.Flatten", "?[*]; axis=2", "f32[6, 20]", "f32[*] of rank 3 or more -> f32[6, 20]"},
      {"onnx.Unsqueeze", "?[*]; i64[1]={1}", "f32[4, 1, 10]", "f32[4, 10]; i64[1] -> f32[4, 1, 10]"},
      {"onnx.Unsqueeze", "f32[2, 3]; i64[K]", "?[*]", "f32[2, 3]; i64[K] -> f32[*] of rank 2 or more"},
      {"onnx.Unsqueeze", "f32[*]; i64[2]={0, 1}", "?[*]", "f32[*]; i64[2] -> f32[*] of rank 2 or more"},
      {"onnx.Reshape", "f32[N]; i64[3]", "?[*]", "f32[N]; i64[3] -> f32[u1, u2, u3]"},
      {"onnx.Split", "f32[6, N]; i64[2]", "?[*]; ?[*]",
       "f32[6, N]; i64[2] -> f32[u1, N]; f32[u2, N]\n0 <= u1 <= 6\n0 <= u2 <= 6"},
      {"onnx.Unsqueeze", "?[*]; i64[1]={1}", "f32[4, 2, 10]",
       "error: expanded has 1 on axis 1, but 2 was given"},
      {"onnx.Squeeze", "?[*]; i64[1]={1}", "f32[4, 10]", "f32[4, 1, 10]; i64[1] -> f32[4, 10]"},
      {"onnx.Concat", "f32[N, 4]; ?[?, ?]; axis=0", "?[M, ?]", "f32[N, 4]; f32[M - N, 4] -> f32[M, 4]"},
      {"onnx.Concat", "f32[3, 4]; ?[*]; axis=0", "?[10, ?]", "f32[3, 4]; f32[7, 4] -> f32[10, 4]"},
      {"onnx.Concat", "f32[3, 4]; f32[?, 4]; axis=0", "?[2, 4]",
       "error: concat_result has inputs_1_d0 + 3 on axis 0, but 2 was given"},
      {"onnx.Split", "?[*]; i64[2]={2, 3}; axis=0", "f32[?, N]; ?[*]",
       "f32[5, N]; i64[2] -> f32[2, N]; f32[3, N]"},
      {"onnx.Slice", "?[?, 8]; i64[1]={1}; i64[1]={9223372036854775807}; i64[1]={0}", "f32[4, 8]",
       "f32[5, 8]; i64[1]; i64[1]; i64[1] -> f32[4, 8]"},
      {"onnx.Slice", "?[*]; i64[1]={1}; i64[1]={3}; i64[1]={0}", "f32[2, N]",
       "f32[data_d0, N]; i64[1]; i64[1]; i64[1] -> f32[2, N]\n3 <= data_d0"},
      {"onnx.Gather", "?[*]; i64[N, S]", "f32[?, ?, 768]", "f32[data_d0, 768]; i64[N, S] -> f32[N, S, 768]"},
      {"onnx.Gather", "f32[V, 768]; ?[*]", "?[N, S, 768]", "f32[V, 768]; ?[N, S] -> f32[N, S, 768]"},
      {"onnx.Pad", "?[*]; i64[4]={1, 0, 1, 0}", "f32[8, N]", "f32[6, N]; i64[4] -> f32[8, N]"},
      {"onnx.ReduceSum", "?[*]; i64[1]={1}; keepdims=0", "f32[8, N]",
       "f32[8, data_d1, N]; i64[1] -> f32[8, N]"},
      {"onnx.ReduceSum", "?[*]; i64[1]={1}", "f32[8, 1]", "f32[8, data_d1]; i64[1] -> f32[8, 1]"},
  };
  Expect(rows);
}

TEST(BothWays, KnownResult_NotImplied_BecomesGuard) {
  const Deduction rows[] = {
      {"onnx.MatMul", "f32[N, 3]; f32[K, M]", "?[N, 5]",
       "f32[N, 3]; f32[3, 5] -> f32[N, 5]\n"
       "check: K == 3 (MatMul multiplies 3 columns by K rows; the two must be equal)\n"
       "check: M == 5 (Y has M on axis 1, but 5 was given)"},
      {"onnx.Relu", "f32[N, ?]", "?[M, ?]",
       "f32[N, X_d1] -> f32[N, X_d1]\n"
       "check: N == M (Y has N on axis 0, but M was given)"},
      {"onnx.Add", "f32[N]; f32[M]", "?[8]",
       "f32[N]; f32[M] -> f32[8]\n"
       "check: N == M or N == 1 or M == 1 (Add cannot broadcast N with M at axis -1: they must be equal, or "
       "one of them "
       "1)\n"
       "check: broadcast(N, M) == 8 (C has broadcast(N, M) on axis 0, but 8 was given)"},
  };
  Expect(rows, /*with_guards=*/true);
}

}  // namespace
}  // namespace dimwise
