// Tests that an assumption is reported as used if some result would differ without it.
#include <gtest/gtest.h>

#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"
#include "dimwise/inference.h"
#include "infer/engine/state/program_state.h"

namespace dimwise {
namespace {

// Returns "N >= 1 (y)" if an assumption is used, first by the node that computes y, and "M >= 1 unused"
// otherwise.
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

TEST(Assumptions, Assumption_WithoutEffect_IsUnused) {
  EXPECT_EQ(Assumptions(Graph17("x: f32[N, 4]", "y = onnx.Relu(x)\n")), "N >= 1 unused");
  EXPECT_EQ(Assumptions(Graph17("x: f32[2, 4]", "y = onnx.Relu(x)\n")), "");
  // A guard implies it: M is the width of a window, which is at least 3.
  EXPECT_EQ(Assumptions(Graph17("x: f32[1, 1, M]", "y = onnx.MaxPool(x; kernel_shape=[3])\n")),
            "M >= 1 unused");
}

TEST(Assumptions, Assumption_ThatSimplifiesSize_IsUsed) {
  const std::string all_but_one =
      "const s: i64[1] = {1}\nconst e: i64[1] = {1000000}\ny = onnx.Slice(x, s, e)\n";
  EXPECT_EQ(Assumptions(Graph17("x: f32[N], z: f32[M]", "a = onnx.Relu(x)\n" + all_but_one), "N <= 1000"),
            "N <= 1000 (y), N >= 1 (y), M >= 1 unused");
}

TEST(Assumptions, Assumption_ThatSatisfiesRequirement_IsUsed) {
  const std::string row = "const i: i64[] = {2}\ny = onnx.Gather(x, i)\n";
  EXPECT_EQ(Assumptions(Graph17("x: f32[N]", row)), "N >= 1 unused");  // N >= 3 is a guard
  EXPECT_EQ(Assumptions(Graph17("x: f32[N]", row), "N >= 3"), "N >= 3 (y)");
  EXPECT_EQ(Assumptions(Graph17("x: f32[N]", row), "N >= 3, N <= 9"), "N >= 3 (y), N <= 9 unused");
}

TEST(Assumptions, TwoAssumptions_EitherSufficient_OneIsUsed) {
  const std::string row = "const i: i64[] = {2}\ny = onnx.Gather(x, i)\n";
  EXPECT_EQ(Assumptions(Graph17("x: f32[N]", row), "N >= 3, N >= 4"), "N >= 3 (y), N >= 4 unused");
}

TEST(Assumptions, Assumption_UsedInBranch_IsReported) {
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

// Without the assumption z would guard N >= 1, and the guard would simplify the type of y. But y comes first.
TEST(Assumptions, Assumption_ReplaceableByGuardOfLaterNode_IsUsedByFirstNode) {
  const std::string row = "const i: i64[] = {0}\nz = onnx.Gather(x, i)\n";
  const std::string rest = "const s: i64[1] = {1}\nconst e: i64[1] = {1000000}\ny = onnx.Slice(x, s, e)\n";
  EXPECT_EQ(Assumptions(Graph17("x: f32[N], w: f32[M]", rest)), "N >= 1 (y), M >= 1 unused");
  EXPECT_EQ(
      Assumptions("opset onnx 17\ngraph g(x: f32[N], w: f32[M]) {\n" + rest + row + "  return y, z\n}\n"),
      "N >= 1 (y), M >= 1 unused");
}

// Without the assumption the convolution would guard H >= 1. The guard of the second one implies that.
TEST(Assumptions, Assumption_ImpliedByGuardOfLaterNode_IsUnused) {
  const std::string body = R"(
  const w: f32[1, 1, 3, 1]
  a = onnx.Conv(x, w; pads=[1, 0, 1, 0])
  y = onnx.Conv(a, w)
)";
  EXPECT_EQ(Assumptions(Graph17("x: f32[1, 1, H, 4]", body)), "H >= 1 unused");
}

// The cache of a decoder: each layer has its own symbols for the batch and the length of the past.
std::string Layers(int layers, bool has_own_batch) {
  std::string inputs = "x: f32[B, 8, S, 64], mask: f32[B, 1, S, T]", body, outputs;
  for (int i = 0; i < layers; ++i) {
    const std::string n = std::to_string(i), batch = has_own_batch ? "B" + n : "B";
    inputs += ", k" + n + ": f32[" + batch + ", 8, P" + n + ", 64]";
    body += "  all" + n + " = onnx.Concat(k" + n + ", x; axis=2)\n";
    body += "  turned" + n + " = onnx.Transpose(all" + n + "; perm=[0, 1, 3, 2])\n";
    body += "  scores" + n + " = onnx.MatMul(x, turned" + n + ")\n";
    body += "  masked" + n + " = onnx.Add(scores" + n + ", mask)\n";
    body += "  weights" + n + " = onnx.Softmax(masked" + n + "; axis=-1)\n";
    body += "  mixed" + n + " = onnx.MatMul(weights" + n + ", all" + n + ")\n";
    outputs += (i == 0 ? "mixed" : ", mixed") + n;
  }
  return "opset onnx 17\ngraph g(" + inputs + ") {\n" + body + "  return " + outputs + "\n}\n";
}

TEST(Assumptions, Assumptions_InSimilarLayers_AreReportedPerLayer) {
  EXPECT_EQ(Assumptions(Layers(3, false)),
            "B >= 1 unused, S >= 1 (masked0), T >= 1 unused, P0 >= 1 (masked0), P1 >= 1 (masked1), P2 >= 1 "
            "(masked2)");
}

// The steps of an inference of layers; with `used`, also of finding the used assumptions.
struct Steps {
  uint64_t visits = 0;
  uint64_t queries = 0;  // to the facts
};

Steps StepsOf(int layers, bool has_own_batch, bool used) {
  Analysis analysis;
  const std::unique_ptr<Graph> graph = ParseGraph(analysis, Layers(layers, has_own_batch)).value();
  Inference inference(*graph, BuiltinRegistry(), {.used_assumptions = used});
  inference.Run();
  return {inference.visit_count(), inference.state().queries().count().all};
}

// A separate trial per assumption would visit the whole program for each of them.
TEST(Assumptions, ManyUsedAssumptions_InSimilarLayers_TakeFewVisits) {
  for (const bool has_own_batch : {false, true}) {
    for (const int layers : {10, 40})
      EXPECT_LE(StepsOf(layers, has_own_batch, true).visits, 6 * StepsOf(layers, has_own_batch, false).visits)
          << layers;
  }
}

// Four times the layers take about four times the steps.
TEST(Assumptions, ManySymbols_InSimilarLayers_TakeLinearSteps) {
  for (const bool has_own_batch : {false, true}) {
    for (const bool used : {false, true}) {
      const Steps few = StepsOf(20, has_own_batch, used), many = StepsOf(80, has_own_batch, used);
      EXPECT_LE(many.visits, 4.5 * static_cast<double>(few.visits)) << has_own_batch << used;
      EXPECT_LE(many.queries, 4.5 * static_cast<double>(few.queries)) << has_own_batch << used;
    }
  }
}

}  // namespace
}  // namespace dimwise
