// Traverses a graph in text order. Regions may nest deeper than the call stack allows, so the walk has its
// own stack.
#ifndef DIMWISE_GRAPH_GRAPH_WALK_H_
#define DIMWISE_GRAPH_GRAPH_WALK_H_

#include <span>
#include <vector>

#include "dimwise/graph.h"

namespace dimwise {

// Visits the live nodes of the body in text order. Calls visitor.Begin(node), then for each region of the
// node visitor.Enter(region), its nodes, and visitor.Leave(region), then visitor.End(node).
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

// Returns the node of `region` that contains `node` in nested regions, or `node` itself if it belongs to
// `region`. Returns kNoNode if it is elsewhere.
inline NodeId MemberAround(const Graph& graph, NodeId node, RegionId region) {
  while (node != kNoNode && graph.region(node) != region) node = graph.carrier(graph.region(node));
  return node;
}

// Calls visit(value) for each value that a node needs: its operands, and the operands and outputs inside its
// regions. This includes values that are defined inside.
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
