// The order in which to visit the nodes of a region: makers before users.
//
// A node waits for the makers of its operands in its own region, and, if it carries regions, for those that
// nodes inside use from this region: each value used inside is traced outward to the node of this region that
// it belongs to. Among the nodes that wait for nobody the one added first goes first, so a file in order
// keeps its order. Where only nodes on or behind a cycle are left, the first of them goes anyway: there the
// cycle is cut. No recursion follows the data.
#include <algorithm>
#include <queue>

#include "dimwise/graph.h"

namespace dimwise {

std::vector<NodeId> Graph::Order(RegionId region, std::vector<NodeId>* cut) const {
  std::vector<NodeId> order;
  if (Index(region) >= regions_.size()) return order;
  const std::vector<NodeId>& members = regions_[Index(region)].nodes;
  order.reserve(members.size());
  if (in_order_ && !has_control_edges_) {
    for (const NodeId n : members) {
      if (Has(n)) order.push_back(n);
    }
    return order;
  }

  std::vector<uint32_t> place(nodes_.size(), UINT32_MAX);  // of the members in `members`
  for (uint32_t i = 0; i < members.size(); ++i) {
    if (Has(members[i])) place[Index(members[i])] = i;
  }
  std::vector<std::pair<uint32_t, uint32_t>> edges;  // maker, user, by place
  const auto wait = [&](NodeId user, NodeId maker) {
    // Outward to the node of this region that carries it.
    while (maker != kNoNode && place[Index(maker)] == UINT32_MAX)
      maker = carrier(nodes_[Index(maker)].region);
    if (maker != kNoNode && maker != user) edges.emplace_back(place[Index(maker)], place[Index(user)]);
  };
  std::vector<std::pair<NodeId, RegionId>> inside;
  for (const NodeId n : members) {
    if (!Has(n)) continue;
    for (const ValueId v : operands(n)) {
      if (v != kNoValue) wait(n, maker(v));
    }
    for (const NodeId before : control_inputs(n)) wait(n, before);
    for (const Carried& c : regions_of(n)) inside.emplace_back(n, c.region);
  }
  while (!inside.empty()) {
    const auto [outer, r] = inside.back();
    inside.pop_back();
    for (const ValueId v : outputs(r)) wait(outer, maker(v));
    for (const NodeId n : nodes(r)) {
      if (!Has(n)) continue;
      for (const ValueId v : operands(n)) {
        if (v != kNoValue) wait(outer, maker(v));
      }
      for (const Carried& c : regions_of(n)) inside.emplace_back(outer, c.region);
    }
  }

  std::vector<uint32_t> first(members.size() + 1, 0), waits(members.size(), 0);
  for (const auto& [from, to] : edges) {
    ++first[from + 1];
    ++waits[to];
  }
  for (size_t i = 0; i < members.size(); ++i) first[i + 1] += first[i];
  std::vector<uint32_t> users(edges.size()), at(first.begin(), first.end() - 1);
  for (const auto& [from, to] : edges) users[at[from]++] = to;

  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
  for (uint32_t i = 0; i < members.size(); ++i) {
    if (Has(members[i]) && waits[i] == 0) ready.push(i);
  }
  std::vector<bool> done(members.size(), false);
  uint32_t next_cut = 0;
  while (true) {
    while (!ready.empty()) {
      const uint32_t i = ready.top();
      ready.pop();
      if (done[i]) continue;
      done[i] = true;
      order.push_back(members[i]);
      for (uint32_t e = first[i]; e < first[i + 1]; ++e) {
        if (--waits[users[e]] == 0 && !done[users[e]]) ready.push(users[e]);
      }
    }
    while (next_cut < members.size() && (done[next_cut] || !Has(members[next_cut]))) ++next_cut;
    if (next_cut == members.size()) return order;
    if (cut != nullptr) cut->push_back(members[next_cut]);
    ready.push(next_cut);
  }
}

}  // namespace dimwise
