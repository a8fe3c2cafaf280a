#include "graph/graph_samples_testing.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "dimwise/graph_text.h"

namespace dimwise {
namespace {

TEST(GraphSamples, Samples_NodeCount_IsAsDocumented) {
  Analysis analysis;
  const auto check = [](const Graph& graph, size_t nodes) {
    EXPECT_EQ(graph.node_count(), nodes) << graph.name();
    EXPECT_TRUE(graph.in_order()) << graph.name();
    std::set<std::string_view> names;
    for (uint32_t v = 0; v < graph.value_count(); ++v) names.insert(graph.name(ValueId{v}));
    EXPECT_EQ(names.size(), graph.value_count()) << graph.name();
    for (uint32_t n = 0; n < graph.node_count(); ++n) names.insert(graph.name(NodeId{n}));
    EXPECT_EQ(names.size(), graph.value_count() + nodes) << graph.name();
  };
  check(*ChainSample(analysis, 10, true), 10);
  check(*ConvNetSample(analysis, 3, true), 28);
  check(*TransformerSample(analysis, 2, false), 80);
  check(*RandomDagSample(analysis, 100, false), 100);
}

TEST(GraphSamples, Samples_Text_ParsesBack) {
  Analysis analysis;
  EXPECT_EQ(ToString(*ChainSample(analysis, 3, true)), R"(opset onnx 21

graph chain(v0000000: f32[N, 64, 56, 56]) {
  const v0000001: f32[64, 1, 1]
  v0000002 = onnx.Relu(v0000000) @n0000000
  v0000003 = onnx.Add(v0000002, v0000001) @n0000001
  v0000004 = onnx.Sigmoid(v0000003) @n0000002
  return v0000004
}
)");
  for (const bool symbolic : {false, true}) {
    for (const auto& graph :
         {ConvNetSample(analysis, 2, symbolic), TransformerSample(analysis, 1, symbolic)}) {
      const std::string text = ToString(*graph);
      EXPECT_EQ(ToString(*ParseGraph(analysis, text).value()), text);
    }
  }
}

}  // namespace
}  // namespace dimwise
