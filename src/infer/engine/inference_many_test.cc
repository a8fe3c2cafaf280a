// Tests nodes with hundreds of operands and results, as in networks that treat each feature separately.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/facts/query_tracking.h"
#include "dimwise/builtin.h"
#include "dimwise/graph.h"
#include "dimwise/graph_text.h"
#include "dimwise/inference.h"

namespace dimwise {
namespace {

constexpr int64_t kMany = 600;

class InferenceManyTest : public testing::Test {
 protected:
  ValueId Input(std::string_view name, std::string_view type) {
    return graph_.AddInput(graph_.body(), name, *ParseType(analysis_, type));
  }
  // Adds a node with that many results and returns them.
  std::vector<ValueId> Add(std::string_view op, const AttrMap& attrs, std::span<const ValueId> operands,
                           int64_t results) {
    std::vector<std::string> names;
    for (int64_t i = 0; i < results; ++i) names.push_back(fmt::format("{}_{}", op, i));
    const std::vector<std::string_view> views(names.begin(), names.end());
    const Graph::NodeSpec spec{.op = graph_.UseOp(op, 18), .name = op, .attrs = graph_.AddAttrs(attrs)};
    const std::span<const ValueId> made =
        graph_.results(graph_.AddNode(graph_.body(), spec, operands, views));
    return {made.begin(), made.end()};
  }
  std::string Type(ValueId value) { return ToString(analysis_.dims(), inference_->type(value)); }
  void Infer() {
    inference_.emplace(graph_, BuiltinRegistry());
    inference_->Run();
  }

  Analysis analysis_;
  Graph graph_{analysis_};
  std::optional<Inference> inference_;
};

TEST_F(InferenceManyTest, Tensor_SplitAndConcatenated_HasItsSize) {
  const ValueId x = Input("x", fmt::format("f32[N, {}]", 2 * kMany));
  const int64_t length[] = {kMany};
  const std::vector<int64_t> twos(kMany, 2);
  const ValueId split =
      graph_.AddConstant(graph_.body(), "split", *ParseType(analysis_, fmt::format("i64[{}]", kMany)),
                         analysis_.values().Bytes(ElementType::kI64, length, std::as_bytes(std::span(twos))));
  const AttrMap last = {{"axis", AttrValue(int64_t{1})}};
  const std::vector<ValueId> parts = Add("onnx.Split", last, std::vector{x, split}, kMany);
  const AttrMap equal = {{"axis", AttrValue(int64_t{1})}, {"num_outputs", AttrValue(kMany)}};
  const std::vector<ValueId> equals = Add("onnx.Split", equal, std::vector{x}, kMany);
  const std::vector<ValueId> whole = Add("onnx.Concat", last, parts, 1);
  Infer();
  EXPECT_TRUE(inference_->findings().empty());
  EXPECT_EQ(Type(parts.back()), "f32[N, 2]");
  EXPECT_EQ(Type(equals.back()), "f32[N, 2]");
  EXPECT_EQ(Type(whole[0]), fmt::format("f32[N, {}]", 2 * kMany));
}

// Unknown ranks are found by trials, which are not repeated hundreds of times.
TEST_F(InferenceManyTest, Operands_OfUnknownRank_TakeLittleTime) {
  std::vector<ValueId> operands;
  for (int64_t i = 0; i < kMany; ++i) operands.push_back(Input(fmt::format("x{}", i), "f32[*]"));
  const ValueId whole = Add("onnx.Concat", {{"axis", AttrValue(int64_t{0})}}, operands, 1)[0];
  Infer();
  EXPECT_EQ(Type(whole), "f32[*]");
}

// Each node makes another size equal to all sizes before.
TEST_F(InferenceManyTest, Sizes_AllEqual_TakeLittleTime) {
  constexpr int64_t kSizes = 200;
  ValueId whole = Input("x", "f32[2, N]");
  for (int64_t i = 0; i < kSizes; ++i) {
    const ValueId operands[] = {whole, Input(fmt::format("x{}", i), fmt::format("f32[2, N{}]", i))};
    whole = Add("onnx.Concat", {{"axis", AttrValue(int64_t{0})}}, operands, 1)[0];
  }
  Infer();
  EXPECT_EQ(Type(whole), fmt::format("f32[{}, N]", 2 * kSizes + 2));
  EXPECT_EQ(inference_->guards().size(), static_cast<size_t>(kSizes));
}

// Returns `prefix0, prefix1, ...` with n names, each followed by `suffix`.
std::string NameList(std::string_view prefix, int n, std::string_view suffix = "") {
  std::string names;
  for (int i = 0; i < n; ++i) names += fmt::format("{}{}{}{}", i == 0 ? "" : ", ", prefix, i, suffix);
  return names;
}

std::string Inputs(int n) {
  std::string inputs;
  for (int i = 0; i < n; ++i) inputs += fmt::format("{0}x{1}: f32[A{1}, 4]", i == 0 ? "" : ", ", i);
  return inputs;
}

std::string SumOf(int n) {
  return fmt::format("opset onnx 18\ngraph g({}) {{\n  y = onnx.Sum({})\n  return y\n}}", Inputs(n),
                     NameList("x", n));
}

// Joins tensors and splits the result into parts of the same sizes.
std::string SplitOf(int n) {
  std::string text = fmt::format("opset onnx 18\ngraph g({}) {{\n", Inputs(n));
  for (int i = 0; i < n; ++i) text += fmt::format("  s{0} = onnx.Shape(x{0}; start=0, end=1)\n", i);
  text += fmt::format("  sizes = onnx.Concat({}; axis=0)\n", NameList("s", n));
  text += fmt::format("  whole = onnx.Concat({}; axis=0)\n", NameList("x", n));
  text += fmt::format("  {} = onnx.Split(whole, sizes; axis=0)\n", NameList("p", n));
  return text + fmt::format("  return {}\n}}", NameList("p", n));
}

struct Inferred {
  size_t expressions = 0;
  uint32_t queries = 0;
  size_t guards = 0;
  std::string last;  // the type of the last result
};

Inferred Infer(const std::string& text) {
  Analysis analysis;
  const auto graph = ParseGraph(analysis, text).value();
  Inference inference(*graph, BuiltinRegistry());
  inference.Run();
  EXPECT_TRUE(inference.findings().empty());
  const std::span<const ValueId> results = graph->outputs(graph->body());
  Inferred inferred{.last = ToString(analysis.dims(), inference.type(results.back()))};
  inferred.guards = inference.guards().size();
  inferred.expressions = analysis.dims().size();
  inferred.queries = QueryTracking(analysis.facts()).count().all;
  return inferred;
}

// Twice as many sizes take about twice as many expressions and queries.
void ExpectLinearGrowth(const Inferred& once, const Inferred& twice) {
  EXPECT_LE(twice.expressions, 22 * once.expressions / 10);
  EXPECT_LE(twice.queries, 22 * once.queries / 10);
}

TEST(InferenceManySizesTest, Sum_OfManyOperands_GrowsLinearly) {
  const Inferred once = Infer(SumOf(100)), twice = Infer(SumOf(200));
  EXPECT_EQ(once.guards, 1u);
  EXPECT_EQ(twice.guards, 1u);
  ExpectLinearGrowth(once, twice);
}

TEST(InferenceManySizesTest, Split_IntoManySizes_GrowsLinearly) {
  const Inferred once = Infer(SplitOf(100)), twice = Infer(SplitOf(200));
  EXPECT_EQ(once.guards, 0u);
  EXPECT_EQ(once.last, "f32[A99, 4]");
  EXPECT_EQ(twice.last, "f32[A199, 4]");
  ExpectLinearGrowth(once, twice);
}

// Contents have at most 64 elements, unless the node that joins or reads them lists as many values.
TEST(InferenceManySizesTest, Split_IntoMorePartsThanSmallContents_HasSameSizes) {
  for (const int n : {63, 64, 65, 66}) {
    EXPECT_EQ(Infer(SplitOf(n)).last, fmt::format("f32[A{}, 4]", n - 1)) << n;
  }
}

}  // namespace
}  // namespace dimwise
