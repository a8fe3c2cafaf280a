// Tests what a user states about the inputs and about sizes that depend on data.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"
#include "dimwise/inference.h"
#include "dimwise/program.h"

namespace dimwise {
namespace {

class InferenceInputsTest : public testing::Test {
 protected:
  void Read(std::string_view text) {
    graph_ = std::move(*ParseGraph(analysis_, text));
    inference_ = std::make_unique<Inference>(*graph_, BuiltinRegistry());
  }
  ValueId Find(std::string_view name) const {
    for (uint32_t v = 0; v < graph_->value_count(); ++v) {
      if (graph_->name(ValueId{v}) == name) return ValueId{v};
    }
    return kNoValue;
  }
  std::string TypeOf(std::string_view name) {
    return ToString(analysis_.dims(), inference_->type(Find(name)));
  }

  Analysis analysis_;
  std::unique_ptr<Graph> graph_;
  std::unique_ptr<Inference> inference_;
};

TEST_F(InferenceInputsTest, SetInput_WithContents_ActsAsConstant) {
  Read("opset onnx 17\ngraph g(hw: i64[2]) { y = onnx.ConstantOfShape(hw) return y }");
  const int64_t sizes[] = {2};
  const Dim elements[] = {analysis_.dims().Symbol("H"), 3};
  inference_->SetInput(Find("hw"), graph_->declared(Find("hw")),
                       analysis_.values().Integers(ElementType::kI64, sizes, elements));
  inference_->Run();
  EXPECT_EQ(TypeOf("y"), "f32[H, 3]");
  EXPECT_EQ(inference_->inputs_with_contents(), std::vector<ValueId>{Find("hw")});
  const ShapeProgram program(*inference_);
  EXPECT_EQ(program.given(), std::vector<std::string>{"hw == {H, 3}"});
}

// The same program with the contents of an input, and with a constant in place of the input.
TEST_F(InferenceInputsTest, SetInput_WithContents_GivesTypesOfConstant) {
  constexpr const char* kNodes[] = {
      "onnx.ConstantOfShape(k)", "onnx.Reshape(x, k)",       "onnx.Expand(x, k)", "onnx.Tile(x, k)",
      "onnx.Slice(x, k, k)",     "onnx.Split(x, k; axis=0)", "onnx.Gather(x, k)", "onnx.ReduceSum(x, k)",
  };
  for (const char* node : kNodes) {
    std::string types[2];
    for (const bool is_input : {false, true}) {
      Analysis analysis;
      const std::string text = std::string("opset onnx 17\ngraph g(x: f32[N, 3]") +
                               (is_input ? ", k: i64[2]) {" : ") { const k: i64[2] = {0, 1}") +
                               " r = " + node + " return r }";
      const std::unique_ptr<Graph> graph = std::move(*ParseGraph(analysis, text));
      Inference inference(*graph, BuiltinRegistry());
      if (is_input) {
        const int64_t sizes[] = {2};
        const Dim elements[] = {0, 1};
        const ValueId k = graph->inputs(graph->body())[1];
        inference.SetInput(k, graph->declared(k),
                           analysis.values().Integers(ElementType::kI64, sizes, elements));
      }
      inference.Run();
      types[is_input ? 1 : 0] = ToString(analysis.dims(), inference.type(graph->outputs(graph->body())[0]));
      for (const Diagnostic& finding : inference.findings()) types[is_input ? 1 : 0] += finding.message;
      for (const ResidualGuard& guard : inference.guards())
        types[is_input ? 1 : 0] += ToString(analysis.dims(), guard.condition);
    }
    EXPECT_EQ(types[1], types[0]) << node;
  }
}

TEST_F(InferenceInputsTest, Assume_DataDependentSizeAfterRun_IsTestedByProgram) {
  Read("opset onnx 17\ngraph g(x: f32[N]) { p = onnx.NonZero(x) y = onnx.Transpose(p) return y }");
  inference_->Run();
  EXPECT_TRUE(inference_->inputs_with_contents().empty());
  const Dim found = inference_->type(Find("p")).shape[1];
  inference_->Assume(Condition{{Clause{Equal(analysis_.dims(), found, 7)}}});
  inference_->Run();
  EXPECT_EQ(TypeOf("y"), "i64[7, 1]");
  const ShapeProgram program(*inference_);
  ASSERT_EQ(program.model_stage_count(), 2u);
  std::vector<int64_t> table = program.NewTable();
  table[program.FindSymbol("N")->index] = 9;
  EXPECT_EQ(program.Run(0, table), 0);
  for (const auto& [size, holds] : {std::pair(7, true), std::pair(6, false)}) {
    table[program.symbols().back().index] = size;
    EXPECT_EQ(program.Run(1, table) == 0, holds) << size;
  }
}

TEST_F(InferenceInputsTest, Error_OfNode_KeepsWhatIsCertain) {
  struct Case {
    const char* node;
    const char* type;
  };
  constexpr Case kCases[] = {
      {"onnx.MatMul(x, w)", "f32[N, 8]"},        {"onnx.Add(x, bias)", "f32[N, ?]"},
      {"onnx.Add(x, whole)", "?[N, 3]"},         {"onnx.Concat(x, y; axis=0)", "f32[2*N, ?]"},
      {"onnx.Reshape(six, to)", "f32[4, ?]"},    {"onnx.Transpose(x; perm=[0, 0])", "f32[N, N]"},
      {"onnx.Concat(x, six; axis=0)", "f32[*]"},
  };
  for (const Case& c : kCases) {
    Analysis analysis;
    const std::string text = std::string(
                                 "opset onnx 17\ngraph g(x: f32[N, 3], y: f32[N, 5], whole: i64[N, 3]) {"
                                 " const w: f32[4, 8] const bias: f32[4] const six: f32[6]"
                                 " const to: i64[2] = {4, -1} r = ") +
                             c.node + " return r }";
    const std::unique_ptr<Graph> graph = std::move(*ParseGraph(analysis, text));
    Inference inference(*graph, BuiltinRegistry());
    inference.Run();
    EXPECT_EQ(inference.findings().size(), 1u) << c.node;
    Type type = inference.type(graph->outputs(graph->body())[0]);
    std::string sizes;
    if (type.shape.has_rank()) {
      for (const Dim d : type.shape.dims()) {
        const bool is_unknown = d.is_expression() && analysis.dims().Kind(d) == DimKind::kSymbol &&
                                !analysis.dims().GetSymbol(d).of_user;
        sizes += (sizes.empty() ? "" : ", ") + (is_unknown ? std::string("?") : analysis.dims().ToString(d));
      }
    } else {
      sizes = "*";
    }
    const std::string element = type.element == ElementType::kUnknown ? "?" : "f32";
    EXPECT_EQ(element + "[" + sizes + "]", c.type) << c.node;
  }
}

}  // namespace
}  // namespace dimwise
