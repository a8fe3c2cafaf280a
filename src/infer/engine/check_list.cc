#include "infer/engine/check_list.h"

#include <algorithm>
#include <map>

#include "core/literal_parts.h"
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

bool IsEquality(const Check& check) {
  return std::ranges::all_of(check.condition.clauses, [](const Clause& clause) {
    return clause.size() == 1 && clause[0].relation == Relation::kEqual;
  });
}

// Keeps, node after node, what nothing kept before implies.
class CheckCollector {
 public:
  explicit CheckCollector(const Engine& engine) : engine_(engine), facts_(engine) {}

  void Enter(NodeId node) { facts_.BelieveCarriers(node); }
  void Leave(NodeId node) { facts_.Believe(node); }
  // Equalities first: what is said of order mostly follows from them.
  void AddAll(NodeId node, bool resting_on_others) {
    for (const bool equalities : {true, false}) {
      for (const Check& check : engine_.record(node)->checks) {
        if (RestsOnOthers(check) == resting_on_others && IsEquality(check) == equalities) Add(node, check);
      }
    }
  }

  std::vector<ResidualCheck> kept;

 private:
  void Add(NodeId node, const Check& check) {
    const ScopeId scope = engine_.ScopeOf(node);
    Condition left;
    for (const Clause& clause : check.condition.clauses) {
      for (const Clause& part : PartsOf(clause, scope)) {
        if (facts_.Keep(part, scope)) left.clauses.push_back(part);
      }
    }
    if (!left.clauses.empty()) kept.push_back({std::move(left), check.message, check.code, node});
  }

  // The clause, or what it says of single sizes.
  std::vector<Clause> PartsOf(const Clause& clause, ScopeId scope) {
    DimTable& dims = engine_.analysis().dims();
    Clause normal = Normalize(dims, clause);
    if (normal.size() != 1) return {std::move(normal)};
    const auto is_positive = [&](Dim d) { return facts_.Holds(AtLeast(dims, d, 1), scope); };
    std::vector<Clause> parts;
    for (const Literal& part : dimwise::PartsOf(dims, normal[0], is_positive)) parts.push_back({part});
    return parts;
  }

  const Engine& engine_;
  KeptFacts facts_;
};

// Of the lower bounds of one form that nodes of one region require, the largest stays: W >= 2, W >= 4 and W
// >= 8 are W >= 8.
void DropWeakerBounds(const Engine& engine, std::vector<ResidualCheck>* checks) {
  using Form = std::pair<uint64_t, ScopeId>;
  DimTable& dims = engine.analysis().dims();
  std::map<Form, int64_t> least;  // constant beside the form: form + constant >= 0
  const auto bound_of = [&](const ResidualCheck& c) -> std::optional<std::pair<Form, int64_t>> {
    if (c.code == Code::kAssumption || c.condition.clauses.size() != 1 || c.condition.clauses[0].size() != 1)
      return std::nullopt;
    const Literal& literal = c.condition.clauses[0][0];
    if (literal.relation != Relation::kAtLeast) return std::nullopt;
    const Form form{dims.WithoutConstant(literal.value).bits(), engine.ScopeOf(c.node)};
    return std::pair(form, dims.ConstantTerm(literal.value));
  };
  for (const ResidualCheck& c : *checks) {
    const auto bound = bound_of(c);
    if (!bound) continue;
    int64_t& constant = least.try_emplace(bound->first, bound->second).first->second;
    constant = std::min(constant, bound->second);
  }
  std::erase_if(*checks, [&](const ResidualCheck& c) {
    const auto bound = bound_of(c);
    return bound && bound->second > least[bound->first];
  });
}

}  // namespace

std::vector<ResidualCheck> ChecksOf(const Engine& engine, std::span<const NodeId> nodes) {
  if (std::ranges::all_of(nodes, [&](NodeId n) { return engine.record(n)->checks.empty(); })) return {};
  CheckCollector checks(engine);
  for (const NodeId node : nodes) {
    checks.Enter(node);
    checks.AddAll(node, /*resting_on_others=*/false);
    checks.Leave(node);
  }
  for (const NodeId node : nodes) checks.AddAll(node, /*resting_on_others=*/true);
  DropWeakerBounds(engine, &checks.kept);
  const auto rests = [](const ResidualCheck& c) { return c.code == Code::kAssumption; };
  if (std::ranges::none_of(checks.kept, rests)) return std::move(checks.kept);
  std::vector<uint32_t> place(engine.graph().node_count());
  for (uint32_t i = 0; i < nodes.size(); ++i) place[Index(nodes[i])] = i;
  std::ranges::stable_sort(checks.kept, {}, [&](const ResidualCheck& c) { return place[Index(c.node)]; });
  return std::move(checks.kept);
}

}  // namespace dimwise
