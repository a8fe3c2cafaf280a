#include "report/models/model_counts.h"

#include <gtest/gtest.h>

#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"

namespace dimwise {
namespace {

// Returns the lines below the table of operators.
std::string CostsOf(const std::string& program, size_t width = 0) {
  Analysis analysis;
  const auto graph = ParseGraph(analysis, program).value();
  Inference inference(*graph, BuiltinRegistry());
  inference.Run();
  const std::string text = ModelCounts(ReportOf(inference), width);
  return text.substr(text.find("  parameters"));
}

TEST(ModelCountsTest, Numbers_FromThousandOn_HaveUnits) {
  EXPECT_EQ(CostsOf(R"(opset onnx 17
graph g(x: f32[256, 1000]) {
  const w: f32[1000, 4000]
  h = onnx.Relu(x) @relu
  y = onnx.MatMul(h, w) @multiply
  return y
})"),
            "  parameters     4.0 M, 16.0 MB\n"
            "  activations    at most 5.1 MB at a time, at node 'multiply'\n"
            "  multiply-adds  1.0 GMACs\n");
  EXPECT_EQ(CostsOf("opset onnx 17\ngraph g(x: f32[3, N]) {\n  const w: f32[N, 5]\n  y = onnx.MatMul(x, w)\n"
                    "  return y\n}")
                .substr(0, 33),
            "  parameters     5*N, 20*N bytes\n");
}

TEST(ModelCountsTest, Numbers_WithUnknownParts_HaveReasons) {
  EXPECT_EQ(CostsOf(R"(opset onnx 17
graph g(x: f32[3, 4], c: bool[]) {
  const w: f32[4, 4]
  u = my.Own(x) @own
  y = onnx.MatMul(u, w) @multiply
  z = onnx.If(c) @branch {
    then_branch: graph() {
      p = onnx.MatMul(x, w) @inside
      return p
    }
    else_branch: graph() {
      q = onnx.Relu(x)
      return q
    }
  }
  return y, z
})"),
            "  parameters     16, 64 bytes\n"
            "  activations    at most 145 bytes at a time, at node 'inside', without 2 values of unknown "
            "size, such as "
            "'u' f32[*]\n"
            "  multiply-adds  0 MACs, without 1 node of unknown sizes, such as MatMul 'multiply' (#1) and "
            "without 1 "
            "node in branches and loops\n"
            "  unknown        2 values because of Own 'own' (#0)\n");
}

}  // namespace
}  // namespace dimwise
