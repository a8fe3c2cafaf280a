// Applies random edits to a graph and to a simple model of it, and compares both.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "dimwise/graph.h"

namespace dimwise {
namespace {

struct Model {
  struct Node {
    std::vector<ValueId> operands, results;
    bool dead = false;
  };
  std::vector<Node> nodes;
  std::vector<NodeId> makers;  // by value

  std::vector<std::pair<NodeId, size_t>> UsesOf(ValueId value) const {
    std::vector<std::pair<NodeId, size_t>> uses;
    for (uint32_t n = 0; n < nodes.size(); ++n) {
      for (size_t i = 0; i < nodes[n].operands.size(); ++i) {
        if (nodes[n].operands[i] == value && value != kNoValue) uses.emplace_back(NodeId{n}, i);
      }
    }
    return uses;
  }
};

void ExpectSame(const Graph& graph, const Model& model, unsigned seed) {
  ASSERT_EQ(graph.node_count(), model.nodes.size());
  ASSERT_EQ(graph.value_count(), model.makers.size());
  for (uint32_t n = 0; n < model.nodes.size(); ++n) {
    ASSERT_EQ(graph.Has(NodeId{n}), !model.nodes[n].dead) << seed;
    ASSERT_TRUE(std::ranges::equal(graph.results(NodeId{n}), model.nodes[n].results)) << seed;
    if (!model.nodes[n].dead) {
      ASSERT_TRUE(std::ranges::equal(graph.operands(NodeId{n}), model.nodes[n].operands))
          << seed << ", node " << n;
    }
  }
  size_t unused = 0;
  for (const Model::Node& node : model.nodes) unused += !node.dead && node.results.empty() ? 1u : 0u;
  for (uint32_t v = 0; v < model.makers.size(); ++v) {
    ASSERT_EQ(graph.maker(ValueId{v}), model.makers[v]) << seed;
    std::vector<std::pair<NodeId, size_t>> uses;
    graph.ForEachUse(ValueId{v}, [&](NodeId node, size_t i) { uses.emplace_back(node, i); });
    std::ranges::sort(uses);
    ASSERT_EQ(uses, model.UsesOf(ValueId{v})) << seed << ", value " << v;
    if (model.makers[v] != kNoNode && uses.empty()) ++unused;
  }
  ASSERT_EQ(graph.unused_results(), unused) << seed;
  std::vector<NodeId> live;
  for (uint32_t n = 0; n < model.nodes.size(); ++n) {
    if (!model.nodes[n].dead) live.push_back(NodeId{n});
  }
  std::vector<NodeId> cut;
  std::vector<NodeId> order = graph.Order(graph.body(), &cut);
  for (size_t i = 0; i < order.size(); ++i) {
    for (const ValueId v : graph.operands(order[i])) {
      if (v == kNoValue || graph.maker(v) == kNoNode || std::ranges::find(cut, order[i]) != cut.end())
        continue;
      ASSERT_NE(std::find(order.begin(), order.begin() + static_cast<ptrdiff_t>(i), graph.maker(v)),
                order.begin() + static_cast<ptrdiff_t>(i))
          << seed;
    }
  }
  std::ranges::sort(order);
  ASSERT_EQ(order, live) << seed;
}

TEST(GraphEditProperty, Edits_RandomSequences_AgreeWithModel) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](size_t n) { return static_cast<uint32_t>(random() % n); };
    Analysis analysis;
    Graph graph(analysis);
    Model model;
    const OpId op = graph.UseOp("o.O", 0);
    for (int i = 0; i < 3; ++i) {
      graph.AddInput(graph.body(), "");
      model.makers.push_back(kNoNode);
    }
    const auto any_value = [&] { return below(8) == 0 ? kNoValue : ValueId{below(model.makers.size())}; };
    for (int step = 0; step < 120; ++step) {
      const NodeId node{below(model.nodes.size() + 1)};
      const bool live = Index(node) < model.nodes.size() && !model.nodes[Index(node)].dead;
      switch (below(6)) {
        case 0:
        case 1: {
          Model::Node& added = model.nodes.emplace_back();
          const NodeId id{static_cast<uint32_t>(model.nodes.size() - 1)};
          for (uint32_t k = below(4); k > 0; --k) added.operands.push_back(any_value());
          const ValueId wanted = any_value();
          const bool takes = wanted != kNoValue && graph.role(wanted) == ValueRole::kMissing;
          if (below(2) == 0 && takes) {
            ASSERT_EQ(graph.AddNodeFor(graph.body(), {.op = op}, added.operands, {{wanted}}), id);
            added.results.push_back(wanted);
            model.makers[Index(wanted)] = id;
          } else {
            const std::vector<std::string_view> names(below(4) == 0 ? 0 : 2);
            ASSERT_EQ(graph.AddNode(graph.body(), {.op = op}, added.operands, names), id);
            for (size_t k = 0; k < names.size(); ++k) {
              added.results.push_back(ValueId{static_cast<uint32_t>(model.makers.size())});
              model.makers.push_back(id);
            }
          }
          break;
        }
        case 2: {
          const size_t i = below(4);
          const ValueId value = any_value();
          const bool exists = live && i < model.nodes[Index(node)].operands.size();
          ASSERT_EQ(graph.SetOperand(node, i, value).has_value(), exists) << seed;
          if (exists) model.nodes[Index(node)].operands[i] = value;
          break;
        }
        case 3:
        case 4: {
          const ValueId value = any_value();
          ASSERT_EQ(graph.AppendOperand(node, value).has_value(), live) << seed;
          if (live) model.nodes[Index(node)].operands.push_back(value);
          break;
        }
        case 5: {
          ASSERT_EQ(graph.RemoveNode(node).has_value(), live) << seed;
          if (!live) break;
          Model::Node& removed = model.nodes[Index(node)];
          removed.dead = true;
          removed.operands.clear();
          for (const ValueId result : removed.results) model.makers[Index(result)] = kNoNode;
          break;
        }
      }
      if (step % 20 == 19) {
        ASSERT_NO_FATAL_FAILURE(ExpectSame(graph, model, seed));
      }
    }
  }
}

}  // namespace
}  // namespace dimwise
