#include "dimwise/evaluator.h"

#include <gtest/gtest.h>

#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"

namespace dimwise {
namespace {

struct Fed {
  std::string value;
  TensorValue contents;
};

// What is fetched, `i64[2]{3, 4}; ...`, or the error.
std::string Fetched(std::string_view program, const std::vector<Fed>& feeds, const std::vector<std::string>& fetches,
                EvaluatorOptions options = {}) {
  std::vector<TensorValue> answer;
  {
    Analysis analysis;
    Result<std::unique_ptr<Graph>> graph = ParseGraph(analysis, program);
    if (!graph) return ToString(graph.error());
    const auto find = [&](std::string_view name) {
      for (uint32_t v = 0; v < (*graph)->value_count(); ++v) {
        if ((*graph)->name(ValueId{v}) == name) return ValueId{v};
      }
      return kNoValue;
    };
    std::vector<Feed> fed;
    for (const Fed& f : feeds) fed.push_back({find(f.value), f.contents});
    std::vector<ValueId> wanted;
    for (const std::string& f : fetches) wanted.push_back(find(f));
    Result<std::vector<TensorValue>> got = Evaluate(**graph, BuiltinRegistry(), fed, wanted, options);
    if (!got) return "error: " + got.error().message;
    if (analysis.facts().constraint_count() != 0) return "facts are left behind";
    answer = *std::move(got);
  }
  std::string text;  // the graph and its analysis are gone: what is answered is a copy
  for (const TensorValue& t : answer) text += (text.empty() ? "" : "; ") + ToString(AttrValue(t));
  return text;
}

TensorValue Ints(std::vector<int64_t> elements) {
  TensorValue t;
  t.type = ElementType::kI64;
  t.shape.unknown_rank = false;
  t.shape.dims = {static_cast<int64_t>(elements.size())};
  t.contents = std::move(elements);
  return t;
}

constexpr std::string_view kProgram = R"(
opset onnx 21
graph g(x: i64[2], big: f32[1000, N]) {
  const a: i64[2] = {3, 4}
  const f: f32[1] = {0.5}
  s = onnx.Add(a, a)
  t = onnx.Mul(x, s)
  u = onnx.Concat(t, a; axis=0)
  c = onnx.Cast(a; to=1)
  h = onnx.Mul(c, f)
  r = onnx.Relu(big)
  n = onnx.NonZero(a)
  return u, r, n, h
})";

TEST(EvaluatorTest, SingleConst) { EXPECT_EQ(Fetched(kProgram, {}, {"a"}), "i64[2]{3, 4}"); }

TEST(EvaluatorTest, MultiFetchConst) { EXPECT_EQ(Fetched(kProgram, {}, {"s", "a"}), "i64[2]{6, 8}; i64[2]{3, 4}"); }

TEST(EvaluatorTest, FeedAndFetch) {
  EXPECT_EQ(Fetched(kProgram, {{"x", Ints({10, 20})}}, {"u"}), "i64[4]{60, 160, 3, 4}");
  // What is fed replaces what a node makes.
  EXPECT_EQ(Fetched(kProgram, {{"x", Ints({10, 20})}, {"s", Ints({1, 1})}}, {"t"}), "i64[2]{10, 20}");
}

TEST(EvaluatorTest, FloatsInTheirOwnFormat) { EXPECT_EQ(Fetched(kProgram, {}, {"h"}), "f32[2]{1.5, 2.0}"); }

TEST(EvaluatorTest, WhatCannotBeComputedIsNamed) {
  EXPECT_EQ(Fetched(kProgram, {}, {"t"}), "error: the contents of 't' are not known: onnx.Mul cannot be computed here");
  EXPECT_EQ(Fetched(kProgram, {}, {"x"}), "error: the contents of 'x' are not known: it is neither a constant nor fed");
  EXPECT_EQ(Fetched(kProgram, {}, {"r"}), "error: the contents of 'r' are not known: onnx.Relu cannot be computed here");
  EXPECT_EQ(Fetched(kProgram, {{"x", Ints({1, 2, 3})}}, {"t"}),
            "error: Mul cannot broadcast 3 with 2 at axis -1: they must be equal, or one of them 1");
  EXPECT_EQ(Fetched(kProgram, {{"x", Ints({1, 2})}}, {"u"}, {.max_nodes = 2}),
            "error: more than 2 nodes would have to be evaluated");
}

}  // namespace
}  // namespace dimwise
