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

namespace {

// Keeps, node after node, what nothing kept before implies.
class CheckCollector {
 public:
  explicit CheckCollector(const Engine& engine) : engine_(engine), facts_(engine) {}

  void Enter(NodeId node) { facts_.BelieveCarriers(node); }
  void Leave(NodeId node) { facts_.Believe(node); }
  void Add(NodeId node, const Check& check) {
    Condition left;
    for (const Clause& clause : check.condition.clauses) {
      const Clause normal = Normalize(engine_.analysis().dims(), clause);
      if (facts_.Keep(normal, engine_.ScopeOf(node))) left.clauses.push_back(normal);
    }
    if (!left.clauses.empty()) kept.push_back({std::move(left), check.message, check.code, node});
  }

  std::vector<ResidualCheck> kept;

 private:
  const Engine& engine_;
  KeptFacts facts_;
};

}  // namespace

std::vector<ResidualCheck> ChecksOf(const Engine& engine, std::span<const NodeId> nodes) {
  if (std::ranges::all_of(nodes, [&](NodeId n) { return engine.record(n)->checks.empty(); })) return {};
  CheckCollector checks(engine);
  bool some_rest_on_others = false;
  for (const NodeId node : nodes) {
    checks.Enter(node);
    for (const Check& check : engine.record(node)->checks) {
      if (RestsOnOthers(check)) {
        some_rest_on_others = true;
      } else {
        checks.Add(node, check);
      }
    }
    checks.Leave(node);
  }
  if (!some_rest_on_others) return std::move(checks.kept);
  for (const NodeId node : nodes) {
    for (const Check& check : engine.record(node)->checks) {
      if (RestsOnOthers(check)) checks.Add(node, check);
    }
  }
  std::vector<uint32_t> place(engine.graph().node_count());
  for (uint32_t i = 0; i < nodes.size(); ++i) place[Index(nodes[i])] = i;
  std::ranges::stable_sort(checks.kept, {}, [&](const ResidualCheck& c) { return place[Index(c.node)]; });
  return std::move(checks.kept);
}

}  // namespace dimwise
