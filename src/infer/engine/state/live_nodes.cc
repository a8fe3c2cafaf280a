#include "infer/engine/state/live_nodes.h"

#include <algorithm>

#include "graph/graph_walk.h"

namespace dimwise {

// Usually each node has a result that is used or is an output. Then no node is dead: the users of a node lead
// to an output.
bool LiveNodes::MayHaveDeadNodes(RegionId region, std::span<const NodeId> order) const {
  if (!graph_.in_order() || graph_.region_count() > 1) return true;
  std::vector<ValueId> unused;
  for (const ValueId v : graph_.outputs(region)) {
    if (graph_.role(v) == ValueRole::kResult && !graph_.is_used(v)) unused.push_back(v);
  }
  std::ranges::sort(unused);
  unused.erase(std::unique(unused.begin(), unused.end()), unused.end());
  if (unused.size() == graph_.unused_results()) return false;
  const auto is_needed = [&](ValueId v) {
    return graph_.is_used(v) || std::ranges::binary_search(unused, v);
  };
  return !std::ranges::all_of(order,
                              [&](NodeId n) { return std::ranges::any_of(graph_.results(n), is_needed); });
}

// Users come after the nodes that compute their operands, so one backward pass finds all live nodes except
// those on a cycle; these wait in `behind`. Needed values are marked instead of nodes: the node that computes
// a value is far away in memory in a large program, and only cycles require it.
void LiveNodes::Find(RegionId region, std::span<const NodeId> order, const Schedule& schedule) {
  if (graph_.outputs(region).empty()) return;
  if (!MayHaveDeadNodes(region, order)) {
    std::fill(dead_.begin(), dead_.end(), false);
    return;
  }
  for (const NodeId n : order) dead_[Index(n)] = true;
  if (region == graph_.body()) {
    needed_.assign(graph_.value_count(), false);
  } else {
    needed_.resize(graph_.value_count());
    for (const NodeId n : order) {
      for (const ValueId v : graph_.results(n)) needed_[Index(v)] = false;
    }
  }
  const bool has_cycles = !graph_.in_order();
  std::vector<NodeId> behind;
  size_t at = order.size();
  const auto reach_node = [&](NodeId n) {
    if (n == kNoNode || !dead_[Index(n)] || graph_.region(n) != region) return;
    dead_[Index(n)] = false;
    if (schedule.position(n) >= at) behind.push_back(n);
  };
  const auto reach = [&](ValueId v) {
    needed_[Index(v)] = true;
    if (has_cycles) reach_node(graph_.maker(v));
  };
  const auto reach_needed = [&](NodeId n) {
    ForEachNeeded(graph_, n, reach);
    for (const NodeId before : graph_.control_inputs(n)) reach_node(before);
  };
  const auto is_needed = [&](ValueId v) -> bool { return needed_[Index(v)]; };
  for (const ValueId v : graph_.outputs(region)) reach(v);
  while (at-- > 0) {
    const NodeId n = order[at];
    if (dead_[Index(n)] && std::ranges::none_of(graph_.results(n), is_needed)) continue;
    dead_[Index(n)] = false;
    reach_needed(n);
    while (!behind.empty()) {
      const NodeId next = behind.back();
      behind.pop_back();
      reach_needed(next);
    }
  }
}

}  // namespace dimwise
