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

}  // namespace dimwise

#endif  // DIMWISE_GRAPH_GRAPH_WALK_H_
