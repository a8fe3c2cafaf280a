// Goes through a graph as its text does. Regions may nest deeper than the stack, so the walk keeps its own.
#ifndef DIMWISE_GRAPH_GRAPH_WALK_H_
#define DIMWISE_GRAPH_GRAPH_WALK_H_

#include <span>
#include <vector>

#include "dimwise/graph.h"

namespace dimwise {

// Calls visitor.Begin(node), then for each region that it carries visitor.Enter and Leave(region) around what
// lies inside, then visitor.End(node), for the live nodes of the body in the order of the text.
template <typename Visitor>
void Walk(const Graph& graph, Visitor& visitor) {
  struct Frame {
    RegionId region;
    size_t node = 0, carried = 0;
  };
  std::vector<Frame> stack = {{graph.body()}};
  visitor.Enter(graph.body());
  while (!stack.empty()) {
    Frame& frame = stack.back();
    const std::span<const NodeId> nodes = graph.nodes(frame.region);
    if (frame.node == nodes.size()) {
      visitor.Leave(frame.region);
      stack.pop_back();
      continue;
    }
    const NodeId node = nodes[frame.node];
    if (graph.Has(node)) {
      if (frame.carried == 0) visitor.Begin(node);
      const std::span<const Graph::Carried> regions = graph.regions_of(node);
      if (frame.carried < regions.size()) {
        const RegionId inside = regions[frame.carried++].region;
        visitor.Enter(inside);
        stack.push_back({inside});
        continue;
      }
      visitor.End(node);
    }
    frame.carried = 0;
    ++frame.node;
  }
}

// The node of a region in which a node stands, by way of the regions around it; itself where it is of that
// region, kNoNode where it is elsewhere.
inline NodeId MemberAround(const Graph& graph, NodeId node, RegionId region) {
  while (node != kNoNode && graph.region(node) != region) node = graph.carrier(graph.region(node));
  return node;
}

// Calls visit(value) for each value that a node needs: its operands and, where it carries regions, the
// operands of the nodes inside and what the regions give. Values from inside are among them.
template <typename F>
void ForEachNeeded(const Graph& graph, NodeId node, F&& visit) {
  const auto operands_of = [&](NodeId n) {
    for (const ValueId v : graph.operands(n)) {
      if (v != kNoValue) visit(v);
    }
  };
  operands_of(node);
  if (!graph.carries_regions(node)) return;
  std::vector<RegionId> inside;
  const auto enter = [&](NodeId n) {
    for (const Graph::Carried& c : graph.regions_of(n)) inside.push_back(c.region);
  };
  enter(node);
  while (!inside.empty()) {
    const RegionId r = inside.back();
    inside.pop_back();
    for (const ValueId v : graph.outputs(r)) visit(v);
    for (const NodeId n : graph.nodes(r)) {
      operands_of(n);
      enter(n);
    }
  }
}

}  // namespace dimwise

#endif  // DIMWISE_GRAPH_GRAPH_WALK_H_
