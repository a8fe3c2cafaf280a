// Tests nodes with hundreds of operands and results, as in networks that treat each feature separately.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dimwise/builtin.h"
#include "dimwise/graph.h"
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

}  // namespace
}  // namespace dimwise
