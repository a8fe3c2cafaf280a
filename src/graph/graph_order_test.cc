#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "dimwise/graph_text.h"

namespace dimwise {
namespace {

// Returns the names of the nodes of the body in order; a star marks nodes where a cycle is cut.
std::string OrderOf(std::string_view text) {
  Analysis analysis;
  const auto graph = ParseGraph(analysis, text);
  if (!graph) return ToString(graph.error());
  std::vector<NodeId> cut;
  std::string names;
  for (const NodeId n : (*graph)->Order((*graph)->body(), &cut)) {
    names.append(names.empty() ? "" : " ").append((*graph)->name(n));
    if (std::ranges::find(cut, n) != cut.end()) names += '*';
  }
  return names;
}

TEST(GraphOrder, Order_Operands_PutsMakersFirst) {
  EXPECT_EQ(OrderOf("graph(x) { a = o.O(x) @a b = o.O(x) @b c = o.O(b) @c }"), "a b c");
  EXPECT_EQ(OrderOf("graph(x) { c = o.O(b, a) @c b = o.O(a) @b a = o.O(x) @a d = o.O(x) @d }"), "a b c d");
}

TEST(GraphOrder, Order_ControlEdges_AreDependencies) {
  EXPECT_EQ(OrderOf("graph(x) { o.O(x) @a after c o.O(x) @b o.O(x) @c }"), "b c a");
  EXPECT_EQ(OrderOf("graph(x) { o.O(x) @a o.O(x) @b after a }"), "a b");
  // For edges to and from nodes inside a region, the node that carries the region counts.
  EXPECT_EQ(OrderOf("graph(x) { o.O(x) @a { r: graph() { o.O(x) after c } } o.O(x) @c }"), "c a");
  EXPECT_EQ(OrderOf("graph(x) { o.O(x) @a after i o.O(x) @b { r: graph() { o.O(x) @i } } }"), "b a");
}

TEST(GraphOrder, Order_UsesInsideRegion_CountAsOperands) {
  EXPECT_EQ(OrderOf("graph(x) { o.O(x) @a { r: graph() { o.O(b) } } b = o.O(x) @b }"), "b a");
  EXPECT_EQ(
      OrderOf("graph(x) { o.O(x) @a { r: graph() { o.O(x) { s: graph() { return b } } } } b = o.O(x) @b }"),
      "b a");
  EXPECT_EQ(OrderOf("graph(x) { o.O(x) @a { r: graph() { return b } } b = o.O(x) @b }"), "b a");
}

TEST(GraphOrder, Order_RegionFilledLater_FollowsItsOperands) {
  for (const bool as_output : {false, true}) {
    Analysis analysis;
    Graph graph(analysis);
    const OpId op = graph.UseOp("o.O", 0);
    const NodeId outer = graph.AddNode(graph.body(), {.op = op}, {}, {});
    const RegionId inside = graph.AddRegion(outer, "r");
    const NodeId later = graph.AddNode(graph.body(), {.op = op}, {}, {"z"});
    EXPECT_TRUE(graph.in_order());
    if (as_output) {
      graph.AddOutput(inside, graph.results(later)[0]);
    } else {
      graph.AddNode(inside, {.op = op}, {graph.results(later)[0]}, {});
    }
    EXPECT_EQ(graph.Order(graph.body()), (std::vector<NodeId>{later, outer}));
  }
}

TEST(GraphOrder, Order_NestedRegion_IsOrderedSeparately) {
  Analysis analysis;
  const auto graph =
      ParseGraph(analysis, "graph(x) { o.O() { r: graph() { a = o.O(b) @a b = o.O(x) @b } } }").value();
  const auto order = graph->Order(RegionId{1});
  ASSERT_EQ(order.size(), 2u);
  EXPECT_EQ(graph->name(order[0]), "b");
}

TEST(GraphOrder, Order_Cycle_IsCutAtItsEntry) {
  EXPECT_EQ(OrderOf("graph(x) { a = o.O(b) @a b = o.O(a) @b }"), "a* b");
  EXPECT_EQ(OrderOf("graph(x) { a = o.O(a) @a }"), "a*");
  EXPECT_EQ(OrderOf("graph(x) { a = o.O() @a { r: graph() { o.O(a) } } }"), "a*");
  // A node that only follows a cycle is not cut.
  EXPECT_EQ(OrderOf("graph(x) { z = o.O(b) @z a = o.O(b) @a b = o.O(a) @b }"), "a* b z");
  // The first node with an operand from outside is cut, as Merge in TensorFlow's loops.
  EXPECT_EQ(OrderOf("graph(x) { n = o.Next(s) @n s = o.Switch(m) @s e = o.Enter(x) @e m = o.Merge(e, n) @m "
                    "out = o.Exit(s) @out }"),
            "e m* s n out");
}

TEST(GraphOrder, Order_NestedLoops_CutsEachLoop) {
  // The inner loop is cut at its own Merge, although an Add of the outer loop also has an operand from
  // outside.
  EXPECT_EQ(OrderOf(R"(graph(x) {
    e = o.Enter(x) @e
    add = o.Add(m, iout) @add
    m = o.Merge(e, n) @m
    ie = o.Enter(m) @ie
    im = o.Merge(ie, in) @im
    in = o.Next(im) @in
    iout = o.Exit(im) @iout
    n = o.Next(add) @n
  })"),
            "e m* ie im* in iout add n");
}

// Each live node occurs once, and a maker follows its user only at a cut.
TEST(GraphOrder, Order_RandomGraphs_IsTopologicalExceptCuts) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed);
    Analysis analysis;
    Graph graph(analysis);
    const OpId op = graph.UseOp("o.O", 0);
    const size_t count = 1 + random() % 40;
    std::vector<ValueId> values;
    for (size_t i = 0; i < count; ++i) values.push_back(graph.AddValue(graph.body(), ""));
    for (size_t i = 0; i < count; ++i) {
      std::vector<ValueId> operands;
      for (size_t k = random() % 3; k > 0; --k) operands.push_back(values[random() % count]);
      graph.AddNodeFor(graph.body(), {.op = op}, operands, {{values[i]}});
    }
    std::vector<NodeId> cut;
    const std::vector<NodeId> order = graph.Order(graph.body(), &cut);
    std::vector<size_t> place(count, count);
    for (size_t i = 0; i < order.size(); ++i) {
      ASSERT_EQ(place[Index(order[i])], count) << seed;
      place[Index(order[i])] = i;
    }
    ASSERT_EQ(order.size(), count) << seed;
    for (const NodeId n : order) {
      bool waits = false;
      for (const ValueId v : graph.operands(n)) waits |= place[Index(graph.maker(v))] >= place[Index(n)];
      ASSERT_EQ(waits, std::ranges::find(cut, n) != cut.end()) << seed;
    }
  }
}

}  // namespace
}  // namespace dimwise
