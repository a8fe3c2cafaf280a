#include "infer/engine/guard_list.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "core/dims/bounds.h"
#include "core/dims/broadcastable.h"
#include "core/dims/condition_logic.h"
#include "core/facts/broadcast_parts.h"
#include "core/facts/literal_parts.h"
#include "core/facts/size_set.h"
#include "infer/engine/guard_pruner.h"
#include "infer/engine/implied_guards.h"

namespace dimwise {

void ForEachInOrder(const Graph& graph, const std::function<void(NodeId)>& visit) {
  struct Frame {
    NodeId carrier;  // visited after its regions
    std::vector<NodeId> order;
    size_t next = 0;
  };
  std::vector<Frame> stack;
  stack.push_back({kNoNode, graph.Order(graph.body())});
  while (!stack.empty()) {
    Frame& top = stack.back();
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
    Frame inside{n, {}};
    for (const Graph::Carried& c : regions) {
      const std::vector<NodeId> order = graph.Order(c.region);
      inside.order.insert(inside.order.end(), order.begin(), order.end());
    }
    stack.push_back(std::move(inside));
  }
}

std::vector<NodeId> NodesWithEffects(const ProgramState& state) {
  std::vector<NodeId> nodes;
  if (state.effects.empty()) return nodes;
  const Graph& graph = state.graph;
  const auto take = [&](NodeId node) {
    if (state.effects_of(node) != nullptr) nodes.push_back(node);
  };
  if (graph.region_count() > 1) {
    ForEachInOrder(graph, take);
  } else {
    for (const NodeId node : graph.nodes(graph.body())) take(node);
  }
  return nodes;
}

namespace {

bool IsEquality(const Guard& guard) {
  return std::ranges::all_of(guard.condition.clauses, [](const Clause& clause) {
    return clause.size() == 1 && clause[0].relation == Relation::kEqual;
  });
}

// Replaces max(0, t) by t where t is never negative.
Clause WithoutIdleMax(DimTable& dims, Clause clause) {
  for (Literal& literal : clause) {
    literal.value = dims.Substitute(literal.value, [&](Dim atom) -> Dim {
      if (dims.Kind(atom) != DimKind::kMaxZero) return Dim();
      const Dim t = dims.Operands(atom)[0];
      return IntrinsicBounds(dims, t).lo >= 0 ? t : Dim();
    });
  }
  return clause;
}

// The quotients of symbols, other symbols and the number of maxima in a clause.
struct CountedWith {
  std::vector<Dim> sizes;
  size_t maxima = 0;
};

void AddCounted(const DimTable& dims, Dim d, CountedWith* counted) {
  const auto is_symbol = [&](Dim x) { return x.is_expression() && dims.Kind(x) == DimKind::kSymbol; };
  for (size_t i = 0; i < dims.TermCount(d); ++i) {
    for (const Dim atom : dims.GetTerm(d, i).factors) {
      const bool is_quotient = dims.Kind(atom) == DimKind::kFloorDiv && is_symbol(dims.Operands(atom)[0]);
      if (is_symbol(atom) || is_quotient) {
        if (std::ranges::find(counted->sizes, atom) == counted->sizes.end()) counted->sizes.push_back(atom);
        continue;
      }
      if (dims.Kind(atom) == DimKind::kMaxZero) ++counted->maxima;
      for (const Dim operand : dims.Operands(atom)) AddCounted(dims, operand, counted);
    }
  }
}

// Returns the only size in a clause: a symbol, or a quotient of a symbol that occurs only in this quotient.
Dim OnlySize(const DimTable& dims, const CountedWith& counted) {
  if (counted.sizes.empty()) return Dim();
  if (counted.sizes.size() == 1) return counted.sizes[0];
  const Dim symbol = dims.SymbolsOf(counted.sizes[0])[0];
  const bool is_only =
      std::ranges::all_of(counted.sizes, [&](Dim size) { return dims.SymbolsOf(size)[0] == symbol; });
  return is_only ? symbol : Dim();
}

// Returns bounds of a size if they are equivalent to the clause, which contains no other size and many
// maxima: a check of a table with 9999 positions becomes N <= 5001. Each gap in the set of sizes becomes a
// clause. There are at most as many gaps as maxima, so that the bounds are short.
std::vector<Clause> BoundsIn(DimTable& dims, const Clause& clause) {
  constexpr size_t kManyMaxima = 3;
  CountedWith counted;
  for (const Literal& literal : clause) AddCounted(dims, literal.value, &counted);
  const Dim size = counted.maxima < kManyMaxima ? Dim() : OnlySize(dims, counted);
  if (size.is_none() || IntrinsicBounds(dims, size).lo < 0) return {};
  const std::optional<SizeSet> set = SizeSet::Of(dims, clause, size);
  const std::optional<std::vector<SizeSet::Range>> gaps = set ? set->Gaps() : std::nullopt;
  if (!gaps || gaps->size() > counted.maxima) return {};
  if (gaps->empty()) return {{kTrueLiteral}};
  std::vector<Clause> bounds;
  for (const SizeSet::Range& gap : *gaps) {
    const auto first = static_cast<int64_t>(gap.least);
    if (first > 0 && gap.most == gap.least) {
      bounds.push_back({NotEqual(dims, size, first)});
      continue;
    }
    Clause outside;
    if (first > 0) outside.push_back(AtMost(dims, size, first - 1));
    if (gap.most) outside.push_back(AtLeast(dims, size, static_cast<int64_t>(*gap.most) + 1));
    if (outside.empty()) return {};  // no size is possible
    bounds.push_back(outside);
  }
  return bounds;
}

// Collects the guards of one node after another, without those that follow from earlier ones.
class GuardCollector {
 public:
  explicit GuardCollector(const ProgramState& state) : state_(state), facts_(state) {}

  void Enter(NodeId node) { facts_.AddGuaranteesOfCarriers(node); }
  void Leave(NodeId node) { facts_.AddGuarantees(node); }
  // Adds the clauses of a guard to the facts: where the guard holds, they are guaranteed.
  void AddGuarantees(const ResidualGuard& guard) {
    for (const Clause& clause : guard.condition.clauses) facts_.AddIfNew(clause, state_.ScopeOf(guard.node));
  }
  // Adds equalities first: inequalities often follow from them.
  void AddAll(NodeId node, bool assumptions) {
    for (const bool equalities : {true, false}) {
      for (const Guard& guard : state_.effects_of(node)->guards) {
        if (IsValidityCondition(guard.code) == assumptions && IsEquality(guard) == equalities)
          Add(node, guard);
      }
    }
  }

  // A requirement may contain sizes that are valid only under an equal assumption of an earlier node. Lists
  // that assumption instead. REQUIRES: `position` is the place of each node.
  void PreferAssumptions(std::span<const NodeId> nodes, std::span<const uint32_t> position) {
    using Key = std::pair<std::vector<std::pair<uint64_t, Relation>>, ScopeId>;
    const auto key_of = [](const Clause& clause, ScopeId scope) {
      Key key{{}, scope};
      for (const Literal& literal : clause) key.first.emplace_back(literal.value.bits(), literal.relation);
      return key;
    };
    std::map<Key, std::pair<NodeId, const Guard*>> assumed;  // the first of each
    for (const NodeId node : nodes) {
      const ScopeId scope = state_.ScopeOf(node);
      for (const Guard& guard : state_.effects_of(node)->guards) {
        if (guard.code != Code::kAssumption || IsNever(guard.condition)) continue;
        for (const Clause& clause : guard.condition.clauses) {
          for (const Clause& part : PartsOf(clause, scope))
            assumed.try_emplace(key_of(part, scope), node, &guard);
        }
      }
    }
    if (assumed.empty()) return;
    for (ResidualGuard& guard : kept) {
      if (guard.condition.clauses.size() != 1) continue;
      const auto it = assumed.find(key_of(guard.condition.clauses[0], state_.ScopeOf(guard.node)));
      if (it == assumed.end() || position[Index(it->second.first)] >= position[Index(guard.node)]) continue;
      const auto& [node, assumption] = it->second;
      guard = {std::move(guard.condition), assumption->message, assumption->code, node};
    }
  }

  std::vector<ResidualGuard> kept;

 private:
  void Add(NodeId node, const Guard& guard) {
    // A false guard is not added to the facts, since everything would follow from it.
    if (IsNever(guard.condition)) return kept.push_back({guard.condition, guard.message, guard.code, node});
    const ScopeId scope = state_.ScopeOf(node);
    Condition left;
    const auto add = [&](const Clause& clause) {
      if (std::ranges::find(left.clauses, clause) == left.clauses.end()) left.clauses.push_back(clause);
    };
    for (const Clause& clause : guard.condition.clauses) {
      for (const Clause& part : PartsOf(clause, scope)) {
        const std::vector<Clause> conditions = DivisionConditions(part, scope);
        for (const Clause& condition : conditions) {
          if (facts_.AddIfNew(condition, scope)) add(condition);
        }
        if (!facts_.AddIfNew(part, scope)) continue;
        std::ranges::for_each(conditions, add);
        add(part);
      }
    }
    if (!left.clauses.empty()) kept.push_back({std::move(left), guard.message, guard.code, node});
  }

  // Returns the conditions under which a clause has a value: no divisor is 0. They are listed before the
  // clause even if another guard contains them, so that each guard can be evaluated alone.
  std::vector<Clause> DivisionConditions(const Clause& clause, ScopeId scope) {
    DimTable& dims = state_.analysis.dims();
    std::vector<Clause> conditions;
    for (const Dim divisor : DivisorsIn(dims, clause)) {
      const bool is_size = facts_.Holds(AtLeast(dims, divisor, 0), scope);
      const Literal condition =
          Normalize(dims, is_size ? AtLeast(dims, divisor, 1) : NotEqual(dims, divisor, 0));
      if (!facts_.HoldsUnchecked(condition, scope)) conditions.push_back({condition});
    }
    return conditions;
  }

  // Splits an equality of a product with 0 into its factors: K*P == 8*P is K == 8 or P == 0.
  Clause FactorsOf(const Literal& literal) {
    DimTable& dims = state_.analysis.dims();
    if (literal.relation != Relation::kEqual) return {literal};
    Clause factors;
    Dim rest = literal.value;
    while (true) {
      const Dim factor = SharedFactor(dims, rest, [](Dim) { return true; });
      const std::optional<Dim> other = factor.is_none() ? std::nullopt : dims.DivideExactly(rest, factor);
      if (!other) break;
      factors.push_back(Equal(dims, factor, 0));
      rest = *other;
    }
    factors.push_back({rest, Relation::kEqual});
    return factors.size() == 1 ? Clause{literal} : Normalize(dims, factors);
  }

  // Rewrites a//n == k to a == k*n if the facts prove that n divides a.
  Literal WithoutExactQuotient(const Literal& literal, ScopeId scope) {
    DimTable& dims = state_.analysis.dims();
    const Dim form = literal.relation == Relation::kEqual ? dims.WithoutConstant(literal.value) : Dim();
    if (form.is_none() || !form.is_expression() || dims.TermCount(form) != 1) return literal;
    const Term term = dims.GetTerm(form, 0);
    const bool is_quotient = term.factors.size() == 1 && dims.Kind(term.factors[0]) == DimKind::kFloorDiv &&
                             (term.coefficient == 1 || term.coefficient == -1);
    if (!is_quotient) return literal;
    const Dim a = dims.Operands(term.factors[0])[0], n = dims.Operands(term.factors[0])[1];
    if (n.is_constant() || !facts_.Holds(AtLeast(dims, n, 1), scope) ||
        !facts_.Holds(Equal(dims, dims.Mod(a, n), 0), scope))
      return literal;
    const Dim rest = dims.Multiply(dims.ConstantTerm(literal.value), n);
    return Equal(dims, dims.Multiply(term.coefficient, a), dims.Negate(rest));
  }

  // Removes the sizes of a broadcast that the facts show to be 1 or equal to another one. Returns nullopt if
  // there are none.
  std::optional<Clause> OfFewerSizes(const Clause& clause, ScopeId scope) {
    DimTable& dims = state_.analysis.dims();
    const size_t sizes = clause.size() == 1 ? BroadcastableSizes(dims, clause[0]).size() : 0;
    if (sizes == 0) return std::nullopt;
    const Literal simple{facts_.Simplify(clause[0].value, scope), clause[0].relation};
    if (BroadcastableSizes(dims, simple).size() >= sizes) return std::nullopt;
    return Normalize(dims, Clause{simple});
  }

  // Splits a clause into clauses about single sizes where that is equivalent.
  std::vector<Clause> PartsOf(const Clause& clause, ScopeId scope) {
    DimTable& dims = state_.analysis.dims();
    Clause normal = WithoutIdleMax(dims, clause);
    for (Literal& literal : normal) literal = WithoutExactQuotient(literal, scope);
    normal = Normalize(dims, normal);
    if (const std::optional<Clause> fewer = OfFewerSizes(normal, scope)) return PartsOf(*fewer, scope);
    if (const std::vector<Clause> bounds = BoundsOf(normal); !bounds.empty()) {
      std::vector<Clause> parts;
      for (const Clause& bound : bounds) std::ranges::move(PartsOf(bound, scope), std::back_inserter(parts));
      return parts;
    }
    const auto is_positive = [&](Dim d) { return facts_.Holds(AtLeast(dims, d, 1), scope); };
    if (normal.size() == 1) {
      std::vector<Clause> parts;
      for (const Literal& part : dimwise::PartsOf(dims, normal[0], is_positive)) {
        const std::vector<Clause> of_sizes = WithoutBroadcasts(dims, {part});
        for (const Clause& each : of_sizes)
          std::ranges::move(PartsOf(each, scope), std::back_inserter(parts));
        if (of_sizes.empty()) parts.push_back(FactorsOf(part));
      }
      return parts;
    }
    // Literals that the facts refute are dropped.
    Clause open = normal;
    std::erase_if(open, [&](const Literal& literal) { return facts_.Holds(Not(dims, literal), scope); });
    if (open.size() == 1) return PartsOf(open, scope);
    if (!open.empty()) normal = std::move(open);
    // A literal is replaced by an equivalent single part: (N + 3)//4 == 1 is N <= 4 if N >= 1.
    Clause shorter;
    for (const Literal& literal : normal) {
      std::vector<Literal> parts = dimwise::PartsOf(dims, literal, is_positive);
      std::erase_if(parts, [&](const Literal& part) { return facts_.Holds(part, scope); });
      shorter.push_back(parts.size() == 1 ? parts[0] : literal);
    }
    return {Normalize(dims, shorter)};
  }

  // Equal layers of a network have equal clauses, so bounds are stored.
  std::vector<Clause> BoundsOf(const Clause& clause) {
    const auto before = std::ranges::find(bounds_, clause, &std::pair<Clause, std::vector<Clause>>::first);
    if (before != bounds_.end()) return before->second;
    std::vector<Clause> bounds = BoundsIn(state_.analysis.dims(), clause);
    if (!bounds.empty()) bounds_.emplace_back(clause, bounds);
    return bounds;
  }

  const ProgramState& state_;
  GuardPruner facts_;
  std::vector<std::pair<Clause, std::vector<Clause>>> bounds_;
};

// Adds the guards that are not assumptions.
void AddPlainGuards(std::span<const NodeId> nodes, GuardCollector* guards) {
  for (const NodeId node : nodes) {
    guards->Enter(node);
    guards->AddAll(node, /*assumptions=*/false);
    guards->Leave(node);
  }
}

// Drops guards that follow from listed assumptions. An assumption is listed only if nothing else implies it.
void DropImpliedByAssumptions(const ProgramState& state, std::span<const NodeId> nodes,
                              std::vector<ResidualGuard>* guards) {
  const auto is_assumption = [](const ResidualGuard& c) { return IsValidityCondition(c.code); };
  if (std::ranges::none_of(*guards, is_assumption) || std::ranges::all_of(*guards, is_assumption)) return;
  GuardCollector again(state);
  for (const ResidualGuard& guard : *guards) {
    if (is_assumption(guard)) again.AddGuarantees(guard);
  }
  AddPlainGuards(nodes, &again);
  std::ranges::copy_if(*guards, std::back_inserter(again.kept), is_assumption);
  *guards = std::move(again.kept);
}

void DropNodesWithoutGuards(const ProgramState& state, std::vector<NodeId>* nodes) {
  std::erase_if(*nodes, [&](NodeId n) { return state.effects_of(n)->guards.empty() || state.never_runs(n); });
}

}  // namespace

std::vector<ResidualGuard> GuardsOf(const ProgramState& state, std::vector<NodeId> nodes) {
  DropNodesWithoutGuards(state, &nodes);
  if (nodes.empty()) return {};
  GuardCollector guards(state);
  AddPlainGuards(nodes, &guards);
  for (const NodeId node : nodes) guards.AddAll(node, /*assumptions=*/true);
  DropImpliedByAssumptions(state, nodes, &guards.kept);
  DropImpliedGuards(state, &guards.kept);
  std::vector<uint32_t> position(state.graph.node_count());
  for (uint32_t i = 0; i < nodes.size(); ++i) position[Index(nodes[i])] = i;
  guards.PreferAssumptions(nodes, position);
  const auto is_assumption = [](const ResidualGuard& c) { return IsValidityCondition(c.code); };
  if (std::ranges::none_of(guards.kept, is_assumption)) return std::move(guards.kept);
  std::ranges::stable_sort(guards.kept, {}, [&](const ResidualGuard& c) { return position[Index(c.node)]; });
  return std::move(guards.kept);
}

std::vector<ResidualGuard> GuardsBeyond(const ProgramState& state, std::vector<NodeId> nodes,
                                        std::span<const ResidualGuard> listed) {
  DropNodesWithoutGuards(state, &nodes);
  if (nodes.empty()) return {};
  GuardCollector guards(state);
  for (const ResidualGuard& guard : listed) {
    if (!IsNever(guard.condition)) guards.AddGuarantees(guard);
  }
  AddPlainGuards(nodes, &guards);
  for (const NodeId node : nodes) guards.AddAll(node, /*assumptions=*/true);
  std::multimap<NodeId, const Condition*> conditions;
  for (const ResidualGuard& guard : listed) conditions.insert({guard.node, &guard.condition});
  const auto is_listed = [&](const ResidualGuard& guard) {
    const auto [first, last] = conditions.equal_range(guard.node);
    return std::any_of(first, last, [&](const auto& other) { return *other.second == guard.condition; });
  };
  std::vector<ResidualGuard> beyond = std::move(guards.kept);
  std::erase_if(beyond, is_listed);
  if (beyond.empty()) return beyond;
  beyond.insert(beyond.end(), listed.begin(), listed.end());
  DropImpliedGuards(state, &beyond);
  std::erase_if(beyond, is_listed);
  return beyond;
}

}  // namespace dimwise
