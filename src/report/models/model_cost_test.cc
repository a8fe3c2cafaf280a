#include "report/models/model_cost.h"

#include <gtest/gtest.h>

#include <memory>

#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"

namespace dimwise {
namespace {

TEST(ModelCostTest, Weights_OfAllKinds_AreParametersAndNotActivations) {
  Analysis analysis;
  const std::unique_ptr<Graph> graph = ParseGraph(analysis, R"(opset onnx 17
graph g(x: f32[N, 4], overridable: f32[4, 4]) {
  const initializer: f32[4]
  constant = onnx.Constant(; value_floats=[1.5, 2.5, 3.5, 4.5])
  a = onnx.MatMul(x, overridable)
  b = onnx.Add(a, initializer)
  y = onnx.Add(b, constant)
  return y
})")
                                           .value();
  const auto cost = [&] {
    Inference inference(*graph, BuiltinRegistry());
    inference.Run();
    return CostOf(ReportOf(inference));
  };
  EXPECT_EQ(cost().parameters, "8");
  EXPECT_EQ(cost().peak, "32*N + 64");
  graph->SetDefault(graph->inputs(graph->body())[1]);
  EXPECT_EQ(cost().parameters, "24");
  EXPECT_EQ(cost().parameter_bytes, "96");
  EXPECT_EQ(cost().peak, "32*N");
  EXPECT_EQ(cost().peak_not_counted, 0u);
}

}  // namespace
}  // namespace dimwise
