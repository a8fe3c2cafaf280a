// Checks that all sample graphs of the benchmarks are inferred without findings.
#include <gtest/gtest.h>

#include <string>

#include "dimwise/builtin.h"
#include "dimwise/inference.h"
#include "graph/graph_samples_testing.h"

namespace dimwise {
namespace {

// Returns the type of the graph's output, or the first finding.
std::string OutputType(const Graph& graph) {
  Inference inference(graph, BuiltinRegistry());
  inference.Run();
  if (!inference.findings().empty()) return ToString(inference.findings()[0]);
  return ToString(graph.analysis().dims(), inference.type(graph.outputs(graph.body())[0]));
}

TEST(GraphSamplesInfer, SampleGraph_StaticOrSymbolic_HasNoFindings) {
  Analysis analysis;
  EXPECT_EQ(OutputType(*ChainSample(analysis, 9, false)), "f32[8, 64, 56, 56]");
  EXPECT_EQ(OutputType(*ConvNetSample(analysis, 2, false)), "f32[8, 1000]");
  EXPECT_EQ(OutputType(*TransformerSample(analysis, 2, false)), "f32[8, 128, 768]");
  EXPECT_EQ(OutputType(*RandomDagSample(analysis, 50, false)), "f32[8, 64]");
  Analysis symbolic;
  EXPECT_EQ(OutputType(*ChainSample(symbolic, 9, true)), "f32[N, 64, 56, 56]");
  EXPECT_EQ(OutputType(*ConvNetSample(symbolic, 2, true)), "f32[N, 1000]");
  EXPECT_EQ(OutputType(*TransformerSample(symbolic, 2, true)), "f32[B, S, 768]");
  EXPECT_EQ(OutputType(*RandomDagSample(symbolic, 50, true)), "f32[N, 64]");
}

}  // namespace
}  // namespace dimwise
