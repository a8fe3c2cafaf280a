// Which assumptions are told: those without which something would be told otherwise.
#include <gtest/gtest.h>

#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"
#include "dimwise/inference.h"

namespace dimwise {
namespace {

// `N >= 1 (y)`: used, first by the node that makes y; `M >= 1 unused`.
std::string Assumptions(std::string_view program, std::string_view assume = {}) {
  Analysis analysis;
  const std::unique_ptr<Graph> graph = ParseGraph(analysis, program).value();
  Inference inference(*graph, BuiltinRegistry(), {.used_assumptions = true});
  if (!assume.empty()) inference.Assume(ParseCondition(analysis.dims(), assume).value());
  inference.Run();
  std::string text;
  for (const Assumption& a : inference.assumptions()) {
    text += (text.empty() ? "" : ", ") + ToString(analysis.dims(), a.clause);
    if (!a.is_used) text += " unused";
    if (a.node != kNoNode) text += " (" + std::string(graph->name(graph->results(a.node)[0])) + ")";
  }
  return text;
}

std::string Graph17(std::string_view inputs, std::string_view body) {
  return "opset onnx 17\ngraph g(" + std::string(inputs) + ") {\n" + std::string(body) + "  return y\n}\n";
}

TEST(Assumptions, NothingRestsOnThem) {
  EXPECT_EQ(Assumptions(Graph17("x: f32[N, 4]", "y = onnx.Relu(x)\n")), "N >= 1 unused");
  EXPECT_EQ(Assumptions(Graph17("x: f32[2, 4]", "y = onnx.Relu(x)\n")), "");
  // A check says as much: M is a window's width, which is at least 3.
  EXPECT_EQ(Assumptions(Graph17("x: f32[1, 1, M]", "y = onnx.MaxPool(x; kernel_shape=[3])\n")),
            "M >= 1 unused");
}

TEST(Assumptions, ASizeIsSimplifiedByOne) {
  const std::string all_but_one =
      "const s: i64[1] = {1}\nconst e: i64[1] = {1000000}\ny = onnx.Slice(x, s, e)\n";
  EXPECT_EQ(Assumptions(Graph17("x: f32[N], z: f32[M]", "a = onnx.Relu(x)\n" + all_but_one), "N <= 1000"),
            "N <= 1000 (y), N >= 1 (y), M >= 1 unused");
}

TEST(Assumptions, ARequirementIsMetByOne) {
  const std::string row = "const i: i64[] = {2}\ny = onnx.Gather(x, i)\n";
  EXPECT_EQ(Assumptions(Graph17("x: f32[N]", row)), "N >= 1 unused");  // N >= 3 is checked
  EXPECT_EQ(Assumptions(Graph17("x: f32[N]", row), "N >= 3"), "N >= 3 (y)");
  EXPECT_EQ(Assumptions(Graph17("x: f32[N]", row), "N >= 3, N <= 9"), "N >= 3 (y), N <= 9 unused");
}

TEST(Assumptions, OfTwoThatWouldDoOneIsUsed) {
  const std::string row = "const i: i64[] = {2}\ny = onnx.Gather(x, i)\n";
  EXPECT_EQ(Assumptions(Graph17("x: f32[N]", row), "N >= 3, N >= 4"), "N >= 3 unused, N >= 4 (y)");
}

TEST(Assumptions, InABranch) {
  EXPECT_EQ(Assumptions(Graph17("c: bool[], x: f32[N], z: f32[M]", R"(
  y = onnx.If(c) {
    then_branch: graph() {
      const i: i64[] = {0}
      a = onnx.Gather(x, i)
      return a
    }
    else_branch: graph() {
      b = onnx.ReduceSum(x; keepdims=0)
      return b
    }
  }
)")),
            "N >= 1 (a), M >= 1 unused");
}

}  // namespace
}  // namespace dimwise
