#include "infer/engine/check_list.h"

#include <algorithm>

#include "infer/engine/kept_facts.h"

namespace dimwise {

void ForEachInOrder(const Graph& graph, const std::function<void(NodeId)>& visit) {
  struct Place {
    NodeId carrier;  // visited when its regions are through
    std::vector<NodeId> order;
    size_t next = 0;
  };
  std::vector<Place> stack;
  stack.push_back({kNoNode, graph.Order(graph.body())});
  while (!stack.empty()) {
    Place& top = stack.back();
    if (top.next == top.order.size()) {
      const NodeId carrier = top.carrier;
      stack.pop_back();
      if (carrier != kNoNode) visit(carrier);
      continue;
    }
    const NodeId n = top.order[top.next++];
    const std::span<const Graph::Carried> regions = graph.regions_of(n);
    if (regions.empty()) {
      visit(n);
      continue;
    }
    Place inside{n, {}};
    for (const Graph::Carried& c : regions) {
      const std::vector<NodeId> order = graph.Order(c.region);
      inside.order.insert(inside.order.end(), order.begin(), order.end());
    }
    stack.push_back(std::move(inside));
  }
}

std::vector<NodeId> NodesWithRecords(const Engine& engine) {
  std::vector<NodeId> nodes;
  if (!engine.has_records()) return nodes;
  ForEachInOrder(engine.graph(), [&](NodeId node) {
    if (engine.record(node) != nullptr) nodes.push_back(node);
  });
  return nodes;
}

std::vector<ResidualCheck> ChecksOf(const Engine& engine, std::span<const NodeId> nodes) {
  std::vector<ResidualCheck> kept;
  if (std::ranges::all_of(nodes, [&](NodeId n) { return engine.record(n)->checks.empty(); })) return kept;
  KeptFacts facts(engine);
  for (const NodeId node : nodes) {
    facts.BelieveCarriers(node);
    for (const Check& check : engine.record(node)->checks) {
      Condition left;
      for (const Clause& clause : check.condition.clauses) {
        const Clause normal = Normalize(engine.analysis().dims(), clause);
        if (facts.Keep(normal, engine.ScopeOf(node))) left.clauses.push_back(normal);
      }
      if (!left.clauses.empty()) kept.push_back({std::move(left), check.message, check.code, node});
    }
    facts.Believe(node);
  }
  return kept;
}

}  // namespace dimwise
