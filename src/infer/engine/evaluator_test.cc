// Tests the behaviour of TensorFlow's GraphRunner: SingleConst, MultiFetchConst and FeedAndFetch by name.
// Every case covers DeepCopy, because fetched tensors are compared after the graph is destroyed.
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

// Returns the fetched tensors as `i64[2]{3, 4}; ...`, or the error.
std::string Fetched(std::string_view program, const std::vector<Fed>& feeds,
                    const std::vector<std::string>& fetches, EvaluatorOptions options = {}) {
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
  std::string text;  // the graph and its analysis are destroyed, so the tensors are copies
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

TEST(EvaluatorTest, SingleConst_Fetched_HasItsValue) {
  EXPECT_EQ(Fetched(kProgram, {}, {"a"}), "i64[2]{3, 4}");
}

TEST(EvaluatorTest, MultiFetchConst_Fetched_HaveTheirValues) {
  EXPECT_EQ(Fetched(kProgram, {}, {"s", "a"}), "i64[2]{6, 8}; i64[2]{3, 4}");
}

TEST(EvaluatorTest, FeedAndFetch_IntermediateValues_UseTheFeed) {
  EXPECT_EQ(Fetched(kProgram, {{"x", Ints({10, 20})}}, {"u"}), "i64[4]{60, 160, 3, 4}");
  // A feed replaces the result of a node.
  EXPECT_EQ(Fetched(kProgram, {{"x", Ints({10, 20})}, {"s", Ints({1, 1})}}, {"t"}), "i64[2]{10, 20}");
}

TEST(EvaluatorTest, Floats_Fetched_HaveTheirFormat) {
  EXPECT_EQ(Fetched(kProgram, {}, {"h"}), "f32[2]{1.5, 2.0}");
}

TEST(EvaluatorTest, Fetch_NotComputable_IsAnErrorWithTheName) {
  EXPECT_EQ(Fetched(kProgram, {}, {"t"}),
            "error: the contents of 't' are not known: onnx.Mul cannot be computed here");
  EXPECT_EQ(Fetched(kProgram, {}, {"x"}),
            "error: the contents of 'x' are not known: it is neither a constant nor fed");
  EXPECT_EQ(Fetched(kProgram, {}, {"r"}),
            "error: the contents of 'r' are not known: onnx.Relu cannot be computed here");
  EXPECT_EQ(Fetched(kProgram, {{"x", Ints({1, 2, 3})}}, {"t"}),
            "error: Mul cannot broadcast 3 with 2 at axis -1: they must be equal, or one of them 1");
  EXPECT_EQ(Fetched(kProgram, {{"x", Ints({1, 2})}}, {"u"}, {.max_nodes = 2}),
            "error: more than 2 nodes would have to be evaluated");
}

constexpr std::string_view kLarge = R"(
opset onnx 21
graph g(x: f32[2, 3], n: i64[]) {
  const zero: i64[] = {0}
  const one: i64[] = {1}
  const count: i64[] = {500}
  const axes: i64[1] = {0}
  const square: i64[2] = {20, 25}
  const k: i64[1] = {2}
  r = onnx.Range(zero, count, one)
  m = onnx.Reshape(r, square)
  t = onnx.Transpose(m)
  s = onnx.ReduceSum(t, axes; keepdims=0)
  all = onnx.ReduceSum(s, axes; keepdims=0)
  top, places = onnx.TopK(x, k; axis=1)
  low, low_places = onnx.TopK(s, k; largest=0)
  root = onnx.Sqrt(x)
  e = onnx.Exp(x)
  some = onnx.Range(zero, n, one)
  random = onnx.RandomUniformLike(x)
  return all, top, places, low, low_places, root, e, some, random
})";

TensorValue Floats(std::vector<double> elements, std::vector<int64_t> sizes) {
  TensorValue t;
  t.type = ElementType::kF32;
  t.shape.unknown_rank = false;
  t.shape.dims = std::move(sizes);
  t.contents = std::move(elements);
  return t;
}

TensorValue Scalar(int64_t element) {
  TensorValue t = Ints({element});
  t.shape.dims.clear();
  return t;
}

TEST(EvaluatorTest, Fetch_ManyElements_WorksWithinLimit) {
  EXPECT_EQ(Fetched(kLarge, {}, {"all"}), "i64[]{124750}");
  EXPECT_EQ(Fetched(kLarge, {{"n", Scalar(100)}}, {"some"}).substr(0, 20), "i64[100]{0, 1, 2, 3,");
  EXPECT_EQ(Fetched(kLarge, {}, {"all"}, {.max_elements = 1000}),
            "error: 't' has 500 elements, but 0 of the limit of 1000 are left");
  EXPECT_EQ(Fetched(kLarge, {{"n", Scalar(2'000'000)}}, {"some"}),
            "error: 'some' has 2000000 elements, but 65536 of the limit of 65536 are left");
}

// A tensor with a size of 0 is empty, however large its other sizes are.
TEST(EvaluatorTest, Fetch_EmptyTensor_Works) {
  constexpr std::string_view kNone = R"(
opset onnx 21
graph g(x: f32[2]) {
  const sizes: i64[4] = {4294967296, 4294967296, 4294967296, 0}
  none = onnx.ConstantOfShape(sizes)
  turned = onnx.Transpose(none)
  return turned
})";
  EXPECT_EQ(Fetched(kNone, {}, {"turned"}), "f32[0, 4294967296, 4294967296, 4294967296]{}");
}

TEST(EvaluatorTest, TimeLimit_Exceeded_IsAnError) {
  using std::chrono_literals::operator""h, std::chrono_literals::operator""ns;
  EXPECT_EQ(Fetched(kLarge, {}, {"all"}, {.max_time = 1h}), "i64[]{124750}");
  EXPECT_EQ(Fetched(kLarge, {}, {"all"}, {.max_time = 0ns}),
            "error: 0 of 5 nodes were evaluated within the time limit of 0 ms");
  EXPECT_EQ(Fetched(kLarge, {}, {"zero"}, {.max_time = 0ns}), "i64[]{0}") << "nothing has to be evaluated";
}

TEST(EvaluatorTest, Kernels_OfDataDependentOperators_Compute) {
  const std::vector<Fed> feeds = {{"x", Floats({4, 9, 9, 1, 0, 2.25}, {2, 3})}};
  EXPECT_EQ(Fetched(kLarge, feeds, {"top", "places"}),
            "f32[2, 2]{9.0, 9.0, 2.25, 1.0}; i64[2, 2]{1, 2, 2, 0}");
  EXPECT_EQ(Fetched(kLarge, {}, {"low", "low_places"}), "i64[2]{300, 925}; i64[2]{0, 1}");
  EXPECT_EQ(Fetched(kLarge, feeds, {"root"}), "f32[2, 3]{2.0, 3.0, 3.0, 1.0, 0.0, 1.5}");
  EXPECT_EQ(Fetched(kLarge, {{"x", Floats({0, 1, 0, 0, 0, 0}, {2, 3})}}, {"e"}),
            "f32[2, 3]{1.0, 2.7182817459106445, 1.0, 1.0, 1.0, 1.0}");
  EXPECT_EQ(Fetched(kLarge, feeds, {"random"}),
            "error: the contents of 'random' are not known: onnx.RandomUniformLike cannot be computed here");
}

// Checks the last bit of the format, subnormal numbers and infinity.
TEST(EvaluatorTest, Kernels_NarrowFloats_RoundToFormat) {
  constexpr std::string_view kNarrow = R"(
opset onnx 21
graph g() {
  const half: f16[6] = {1.0, 11.0, 12.0, -12.0, -20.0, 0.5}
  const brain: bf16[6] = {1.0, 11.0, 12.0, -12.0, -20.0, 0.5}
  h = onnx.Exp(half)
  b = onnx.Exp(brain)
  return h, b
})";
  EXPECT_EQ(Fetched(kNarrow, {}, {"h"}),
            "f16[6]{2.71875, 59872.0, inf, 6.139278411865234e-06, 0.0, 1.6484375}");
  EXPECT_EQ(Fetched(kNarrow, {}, {"b"}),
            "bf16[6]{2.71875, 59904.0, 162816.0, 6.139278411865234e-06, 2.066371962428093e-09, 1.6484375}");
}

// Small results that depend only on constants are cached.
TEST(EvaluatorTest, SmallResults_FetchedAgain_AreCached) {
  Analysis analysis;
  const std::unique_ptr<Graph> graph = *ParseGraph(analysis, kLarge);
  const auto find = [&](std::string_view name) {
    for (uint32_t v = 0; v < graph->value_count(); ++v) {
      if (graph->name(ValueId{v}) == name) return ValueId{v};
    }
    return kNoValue;
  };
  const ValueId s[] = {find("s")}, all[] = {find("all")}, m[] = {find("m")};
  Evaluator evaluator(*graph, BuiltinRegistry());
  ASSERT_TRUE(evaluator.Run({}, s));
  EXPECT_EQ(evaluator.visit_count(), 4u);  // r, m, t, s
  ASSERT_TRUE(evaluator.Run({}, all));
  EXPECT_EQ(evaluator.visit_count(), 5u);  // s is cached
  ASSERT_TRUE(evaluator.Run({}, m));
  ASSERT_TRUE(evaluator.Run({}, m));
  EXPECT_EQ(evaluator.visit_count(), 9u);  // 4000 bytes are not cached
  // A feed of a result invalidates cached values that depend on it.
  const Feed feed[] = {{find("t"), Floats({}, {0, 20})}};
  Result<std::vector<TensorValue>> fed = evaluator.Run(feed, s);
  ASSERT_TRUE(fed) << fed.error().message;
  EXPECT_EQ(evaluator.visit_count(), 10u);
  evaluator.Forget();
  ASSERT_TRUE(evaluator.Run({}, all));
  EXPECT_EQ(evaluator.visit_count(), 15u);
}

}  // namespace
}  // namespace dimwise
