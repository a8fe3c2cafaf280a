#include "infer/check_list.h"

#include <tsl/robin_map.h>

namespace dimwise {
namespace {

// The facts that count for what is left to check: those that are given, and the checks that were kept.
class KeptFacts {
 public:
  explicit KeptFacts(const Engine& engine) : facts_(engine.analysis().dims()) {
    const Graph& graph = engine.graph();
    for (uint32_t r = 0; r < graph.region_count(); ++r) {
      const ScopeId there = engine.scope(RegionId{r});
      const RegionId outer = graph.parent(RegionId{r});
      if (outer == kNoRegion) {
        scopes_.insert({static_cast<uint32_t>(there), ScopeId::kRoot});
      } else if (!scopes_.contains(static_cast<uint32_t>(there))) {
        scopes_.insert({static_cast<uint32_t>(there), facts_.NewScope(Scope(engine.scope(outer)))});
      }
    }
    engine.analysis().facts().ForEach([&](const Clause& clause, FactKind kind, OwnerId owner, ScopeId scope) {
      if (kind == FactKind::kChecked || !scopes_.contains(static_cast<uint32_t>(scope))) return;
      facts_.Assert(clause, kind, owner, Scope(scope));
    });
  }

  // Whether a condition adds something, which then counts.
  bool Keep(const Clause& clause, ScopeId scope) {
    const bool known = scopes_.contains(static_cast<uint32_t>(scope));
    const ScopeId here = known ? Scope(scope) : ScopeId::kRoot;
    if (facts_.Holds(clause, here) == Truth::kYes) return false;
    // What a node without a place among the regions checks (nothing uses its results) excuses nobody.
    if (known) facts_.Assert(clause, FactKind::kChecked, 0, here);
    return true;
  }

 private:
  ScopeId Scope(ScopeId there) const {
    const auto it = scopes_.find(static_cast<uint32_t>(there));
    return it == scopes_.end() ? ScopeId::kRoot : it->second;
  }

  Facts facts_;
  tsl::robin_map<uint32_t, ScopeId> scopes_;
};

}  // namespace

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
  std::optional<KeptFacts> facts;
  for (const NodeId node : nodes) {
    for (const Check& check : engine.record(node)->checks) {
      if (!facts) facts.emplace(engine);
      Condition left;
      for (const Clause& clause : check.condition.clauses) {
        const Clause normal = Normalize(engine.analysis().dims(), clause);
        if (facts->Keep(normal, engine.ScopeOf(node))) left.clauses.push_back(normal);
      }
      if (!left.clauses.empty()) kept.push_back({std::move(left), check.message, check.code, node});
    }
  }
  return kept;
}

}  // namespace dimwise
