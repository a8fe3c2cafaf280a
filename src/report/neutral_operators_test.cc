// Tests that reports are the same for operators with other names: JSON, costs and explanations.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"
#include "dimwise/report.h"
#include "graph/graph_samples_testing.h"
#include "native_ops/neutral_operators_testing.h"
#include "report/models/model_cost.h"

namespace dimwise {
namespace {

struct ReportTexts {
  std::string json, cost, explanations;
};

ReportTexts ReportsOf(const std::string& program, const OpRegistry& registry) {
  Analysis analysis;
  const Result<std::unique_ptr<Graph>> graph = ParseGraph(analysis, program);
  if (!graph) return {ToString(graph.error()), "", ""};
  Inference inference(**graph, registry);
  inference.Run();
  ReportTexts texts;
  texts.json = WithOnnxNames(InferenceAsJson(inference));
  const ModelCost cost = CostOf(ReportOf(inference));
  texts.cost = fmt::format("{} multiply-adds, {} not counted, {} parameters, peak {}", cost.multiply_adds,
                           cost.not_counted, cost.parameters, cost.peak);
  for (uint32_t v = 0; v < (*graph)->value_count(); ++v) {
    for (int axis = 0; axis < 4; ++axis)
      texts.explanations += Explain(inference, ValueId{v}, axis).value_or("-\n");
  }
  texts.explanations = WithOnnxNames(texts.explanations);
  return texts;
}

void ExpectSameReports(const std::string& program) {
  const ReportTexts onnx = ReportsOf(program, BuiltinRegistry());
  const ReportTexts neutral = ReportsOf(NeutralProgram(program), NeutralRegistry());
  EXPECT_EQ(neutral.json, onnx.json);
  EXPECT_EQ(neutral.cost, onnx.cost);
  EXPECT_EQ(neutral.explanations, onnx.explanations);
}

TEST(NeutralOperatorsTest, Samples_WithOtherNames_HaveSameReports) {
  Analysis analysis;
  ExpectSameReports(ToString(*ConvNetSample(analysis, 2, /*symbolic=*/true)));
  ExpectSameReports(ToString(*TransformerSample(analysis, 2, /*symbolic=*/true)));
}

TEST(NeutralOperatorsTest, CostOfTransformer_IsCounted) {
  Analysis analysis;
  const std::string program = ToString(*TransformerSample(analysis, 1, /*symbolic=*/true));
  const ReportTexts neutral = ReportsOf(NeutralProgram(program), NeutralRegistry());
  EXPECT_TRUE(neutral.cost.find(" 0 not counted") != std::string::npos) << neutral.cost;
  EXPECT_EQ(neutral.json.find("zq_"), std::string::npos);
}

TEST(NeutralOperatorsTest, ControlFlow_WithOtherNames_HasSameReports) {
  ExpectSameReports(R"(opset onnx 21
graph g(a: f32[N, 4], b: f32[M, 4], c: bool[], x: f32[T, M, 4]) {
  const trips: i64[] = {5}
  const go: bool[] = {1}
  y, all = onnx.Loop(trips, go, a) {
    body: graph(i: i64[], goes_on: bool[], s: f32[?, 4]) {
      next = onnx.Concat(s, b; axis=0)
      k = onnx.Identity(goes_on)
      r = onnx.Relu(b)
      return k, next, r
    }
  }
  z = onnx.If(c) {
    then_branch: graph() {
      p = onnx.Relu(a)
      return p
    }
    else_branch: graph() {
      q = onnx.Concat(a, b; axis=0)
      return q
    }
  }
  w, steps = onnx.Scan(b, x; num_scan_inputs=1) {
    body: graph(h: f32[M, 4], e: f32[M, 4]) {
      g = onnx.Add(h, e)
      f = onnx.Relu(g)
      return g, f
    }
  }
  return y, all, z, w, steps
})");
}

}  // namespace
}  // namespace dimwise
