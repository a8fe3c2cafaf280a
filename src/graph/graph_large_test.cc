// Tests memory use and linear time with graphs of a million nodes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "dimwise/graph_text.h"
#include "graph/graph_samples_testing.h"

namespace dimwise {
namespace {

constexpr size_t kMany = 1000000;

// Returns the memory that this process has touched. The tables of a graph are aligned to pages of 2 MiB; the
// skipped addresses cost nothing.
size_t ResidentBytes() {
  size_t all = 0;
  size_t resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

TEST(GraphLarge, Graph_ChainNode_TakesAtMost120Bytes) {
  Analysis analysis;
  const size_t before = ResidentBytes();
  const auto graph = ChainSample(analysis, kMany, true);
  const size_t bytes = ResidentBytes() - before;
  constexpr size_t kNames = 16;  // the names belong to the sample
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_GT(bytes / kMany, 50 + kNames);
#endif
  EXPECT_LE(bytes / kMany, 120 + kNames);
  EXPECT_EQ(graph->Order(graph->body()).size(), kMany);
}

TEST(GraphLarge, ToString_LongChain_ParsesBack) {
  Analysis analysis;
  const std::string text = ToString(*ChainSample(analysis, kMany, false));
  const auto again = ParseGraph(analysis, text);
  ASSERT_TRUE(again);
  EXPECT_TRUE((*again)->in_order());
  EXPECT_EQ(ToString(**again), text);
}

TEST(GraphLarge, Order_NodesAddedBackwards_IsLinear) {
  Analysis analysis;
  Graph graph(analysis);
  const OpId op = graph.UseOp("o.O", 0);
  ValueId last = graph.AddValue(graph.body(), "");
  for (size_t i = 0; i < kMany; ++i) {
    const ValueId operand = graph.AddValue(graph.body(), "");
    graph.AddNodeFor(graph.body(), {.op = op}, {{operand}}, {{last}});
    last = operand;
  }
  const std::vector<NodeId> order = graph.Order(graph.body());
  ASSERT_EQ(order.size(), kMany);
  EXPECT_EQ(Index(order[0]), kMany - 1);
  EXPECT_EQ(Index(order[kMany - 1]), 0u);
}

TEST(GraphLarge, Order_ManyCycles_IsLinear) {
  for (const int kind : {0, 1, 2}) {
    Analysis analysis;
    Graph graph(analysis);
    const OpId op = graph.UseOp("o.O", 0);
    constexpr uint32_t kCount = 200000;
    std::vector<ValueId> values;
    for (uint32_t i = 0; i < kCount; ++i) values.push_back(graph.AddValue(graph.body(), ""));
    std::mt19937 random(7);
    for (uint32_t i = 0; i < kCount; ++i) {
      // Loops of two nodes; one long cycle; random operands.
      const ValueId a = kind == 0   ? values[i ^ 1]
                        : kind == 1 ? values[(i + 1) % kCount]
                                    : values[random() % kCount];
      const ValueId b = kind == 0   ? values[i ^ 1]
                        : kind == 1 ? values[(i + kCount - 1) % kCount]
                                    : values[random() % kCount];
      graph.AddNodeFor(graph.body(), {.op = op}, {{a, b}}, {{values[i]}});
    }
    std::vector<NodeId> cut;
    EXPECT_EQ(graph.Order(graph.body(), &cut).size(), kCount);
    EXPECT_FALSE(cut.empty());
    if (kind == 0) {
      EXPECT_EQ(cut.size(), kCount / 2);
    }
  }
}

TEST(GraphLarge, Order_DeepRegions_DoesNotRecurse) {
  Analysis analysis;
  Graph graph(analysis);
  const OpId op = graph.UseOp("o.If", 0);
  const ValueId late = graph.AddValue(graph.body(), "late");
  RegionId deep = graph.body();
  for (int i = 0; i < 100000; ++i) {
    const NodeId node = graph.AddNode(deep, {.op = op}, {{late}}, {"y"});
    deep = graph.AddRegion(node, "r");
    graph.AddNode(graph.AddRegion(node, "s"), {.op = op}, {{late}}, {"y"});
  }
  const NodeId maker = graph.AddNodeFor(graph.body(), {.op = op}, {}, {{late}});
  const std::vector<NodeId> order = graph.Order(graph.body());
  ASSERT_EQ(order.size(), 2u);
  EXPECT_EQ(order[0], maker);
  EXPECT_TRUE(graph.RemoveNode(NodeId{0}));
  size_t uses = 0;
  graph.ForEachUse(late, [&](NodeId, size_t) { ++uses; });
  EXPECT_EQ(uses, 0u);
}

}  // namespace
}  // namespace dimwise
