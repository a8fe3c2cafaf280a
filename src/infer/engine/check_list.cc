#include "infer/engine/check_list.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "core/dims/bounds.h"
#include "core/dims/condition_logic.h"
#include "core/facts/broadcast_parts.h"
#include "core/facts/literal_parts.h"
#include "core/facts/size_set.h"
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
  const Graph& graph = engine.graph();
  const auto take = [&](NodeId node) {
    if (engine.record(node) != nullptr) nodes.push_back(node);
  };
  if (graph.region_count() > 1) {
    ForEachInOrder(graph, take);
  } else {
    for (const NodeId node : graph.nodes(graph.body())) take(node);
  }
  return nodes;
}

namespace {

bool IsEquality(const Check& check) {
  return std::ranges::all_of(check.condition.clauses, [](const Clause& clause) {
    return clause.size() == 1 && clause[0].relation == Relation::kEqual;
  });
}

// The expressions by which something in d is divided, the inner ones first; not the numbers.
void AddDivisors(const DimTable& dims, Dim d, std::vector<Dim>* divisors) {
  for (size_t i = 0; i < dims.TermCount(d); ++i) {
    for (const Dim atom : dims.GetTerm(d, i).factors) {
      if (dims.Kind(atom) == DimKind::kSymbol) continue;
      const std::span<const Dim> operands = dims.Operands(atom);
      for (const Dim operand : operands) AddDivisors(dims, operand, divisors);
      if (dims.Kind(atom) == DimKind::kFloorDiv && !operands[1].is_constant())
        divisors->push_back(operands[1]);
    }
  }
}

std::vector<Dim> DivisorsIn(const DimTable& dims, const Clause& clause) {
  std::vector<Dim> divisors;
  for (const Literal& literal : clause) AddDivisors(dims, literal.value, &divisors);
  return divisors;
}

// Without max(0, t) of a t that no sizes make negative.
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

// What a clause counts with: symbols, and quotients of them; and how often it takes a maximum.
struct CountedWith {
  std::vector<Dim> sizes;
  int maxima = 0;
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

// The bounds that a clause with many maxima sets to the one size of which it speaks, where it says nothing
// else: what a table of 9999 positions leaves of N is told as N <= 5001.
std::vector<Literal> BoundsIn(DimTable& dims, const Clause& clause) {
  constexpr int kManyMaxima = 3;
  CountedWith counted;
  for (const Literal& literal : clause) AddCounted(dims, literal.value, &counted);
  if (counted.maxima < kManyMaxima || counted.sizes.size() != 1) return {};
  const Dim size = counted.sizes[0];
  if (IntrinsicBounds(dims, size).lo < 0) return {};
  const std::optional<SizeSet> set = SizeSet::Of(dims, clause, size);
  const std::optional<SizeSet::Range> range = set ? set->AsRange() : std::nullopt;
  if (!range) return {};
  std::vector<Literal> bounds{AtLeast(dims, size, static_cast<int64_t>(range->least))};
  if (range->most) bounds.push_back(AtMost(dims, size, static_cast<int64_t>(*range->most)));
  return bounds;
}

// Keeps, node after node, what nothing kept before implies.
class CheckCollector {
 public:
  explicit CheckCollector(const Engine& engine) : engine_(engine), facts_(engine) {}

  void Enter(NodeId node) { facts_.BelieveCarriers(node); }
  void Leave(NodeId node) { facts_.Believe(node); }
  // Holds from now on, since another check requires it.
  void Believe(const ResidualCheck& check) {
    for (const Clause& clause : check.condition.clauses) facts_.Keep(clause, engine_.ScopeOf(check.node));
  }
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
    // Nothing else follows from it: the region's other checks stay, for whoever mends this one.
    if (IsNever(check.condition)) return kept.push_back({check.condition, check.message, check.code, node});
    const ScopeId scope = engine_.ScopeOf(node);
    Condition left;
    const auto tell = [&](const Clause& clause) {
      if (std::ranges::find(left.clauses, clause) == left.clauses.end()) left.clauses.push_back(clause);
    };
    for (const Clause& clause : check.condition.clauses) {
      for (const Clause& part : PartsOf(clause, scope)) {
        const std::vector<Clause> guards = GuardsOf(part, scope);
        for (const Clause& guard : guards) {
          if (facts_.Keep(guard, scope)) tell(guard);
        }
        if (!facts_.Keep(part, scope)) continue;
        std::ranges::for_each(guards, tell);
        tell(part);
      }
    }
    if (!left.clauses.empty()) kept.push_back({std::move(left), check.message, check.code, node});
  }

  // What has to hold for a clause to have a value at all: that nothing in it is divided by 0. Who reads the
  // check alone is told so in front of it, even where another check says the same.
  std::vector<Clause> GuardsOf(const Clause& clause, ScopeId scope) {
    DimTable& dims = engine_.analysis().dims();
    std::vector<Clause> guards;
    for (const Dim divisor : DivisorsIn(dims, clause)) {
      const bool is_size = facts_.Holds(AtLeast(dims, divisor, 0), scope);
      const Literal guard = Normalize(dims, is_size ? AtLeast(dims, divisor, 1) : NotEqual(dims, divisor, 0));
      if (!facts_.HoldsUnchecked(guard, scope)) guards.push_back({guard});
    }
    return guards;
  }

  // Of a product that is to be 0, that one of its factors is: K*P == 8*P is K == 8 or P == 0.
  Clause FactorsOf(const Literal& literal) {
    DimTable& dims = engine_.analysis().dims();
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

  // a//n == k is a == k*n where what was kept says that n divides a.
  Literal WithoutExactQuotient(const Literal& literal, ScopeId scope) {
    DimTable& dims = engine_.analysis().dims();
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

  // The clause, or what it says of single sizes.
  std::vector<Clause> PartsOf(const Clause& clause, ScopeId scope) {
    DimTable& dims = engine_.analysis().dims();
    Clause normal = WithoutIdleMax(dims, clause);
    for (Literal& literal : normal) literal = WithoutExactQuotient(literal, scope);
    normal = Normalize(dims, normal);
    if (const std::vector<Literal> bounds = BoundsOf(normal); !bounds.empty()) {
      std::vector<Clause> parts;
      for (const Literal& bound : bounds)
        std::ranges::move(PartsOf({bound}, scope), std::back_inserter(parts));
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
    // An alternative that what was kept rules out says nothing.
    Clause open = normal;
    std::erase_if(open, [&](const Literal& literal) { return facts_.Holds(Not(dims, literal), scope); });
    if (open.size() == 1) return PartsOf(open, scope);
    if (!open.empty()) normal = std::move(open);
    // Of several alternatives each stays one: (N + 3)//4 == 1 is N <= 4 where N is at least 1.
    Clause shorter;
    for (const Literal& literal : normal) {
      std::vector<Literal> parts = dimwise::PartsOf(dims, literal, is_positive);
      std::erase_if(parts, [&](const Literal& part) { return facts_.Holds(part, scope); });
      shorter.push_back(parts.size() == 1 ? parts[0] : literal);
    }
    return {Normalize(dims, shorter)};
  }

  // Layers that are alike require the same.
  std::vector<Literal> BoundsOf(const Clause& clause) {
    const auto before = std::ranges::find(bounds_, clause, &std::pair<Clause, std::vector<Literal>>::first);
    if (before != bounds_.end()) return before->second;
    std::vector<Literal> bounds = BoundsIn(engine_.analysis().dims(), clause);
    if (!bounds.empty()) bounds_.emplace_back(clause, bounds);
    return bounds;
  }

  const Engine& engine_;
  KeptFacts facts_;
  std::vector<std::pair<Clause, std::vector<Literal>>> bounds_;
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

// Those of which no clause is left.
void DropEmpty(std::vector<ResidualCheck>* checks) {
  std::erase_if(*checks, [](const ResidualCheck& check) { return check.condition.clauses.empty(); });
}

// Of two clauses that nodes of one region require, of which one has all alternatives of the other and more,
// the shorter stays: it says more.
void DropLongerClauses(const Engine& engine, std::vector<ResidualCheck>* checks) {
  const auto is_longer = [](const Clause& clause, const Clause& other) {
    return clause.size() > other.size() && std::ranges::all_of(other, [&](const Literal& literal) {
             return std::ranges::find(clause, literal) != clause.end();
           });
  };
  const auto is_implied = [&](const Clause& clause, NodeId node) {
    return std::ranges::any_of(*checks, [&](const ResidualCheck& c) {
      return c.code != Code::kAssumption && engine.ScopeOf(c.node) == engine.ScopeOf(node) &&
             std::ranges::any_of(c.condition.clauses, [&](const Clause& d) { return is_longer(clause, d); });
    });
  };
  for (ResidualCheck& check : *checks) {
    std::erase_if(check.condition.clauses,
                  [&](const Clause& c) { return c.size() > 1 && is_implied(c, check.node); });
  }
  DropEmpty(checks);
}

// Drops what is required inside a branch and around its If as well, where it is told for every run.
void DropToldAround(const Engine& engine, std::vector<ResidualCheck>* checks) {
  const Graph& graph = engine.graph();
  const auto is_around = [&](RegionId region, RegionId inner) {
    while (inner != kNoRegion && inner != region) inner = graph.parent(inner);
    return inner == region;
  };
  const auto is_told_around = [&](const Clause& clause, RegionId inner) {
    return std::ranges::any_of(*checks, [&](const ResidualCheck& c) {
      const RegionId region = graph.region(c.node);
      const bool may_be_left_out = engine.ScopeOf(c.node) != engine.scope(region);
      return region != inner && is_around(region, inner) && !may_be_left_out &&
             std::ranges::find(c.condition.clauses, clause) != c.condition.clauses.end();
    });
  };
  for (ResidualCheck& check : *checks) {
    const RegionId inner = graph.region(check.node);
    if (inner == graph.body()) continue;
    std::erase_if(check.condition.clauses, [&](const Clause& c) { return is_told_around(c, inner); });
  }
  DropEmpty(checks);
}

// The symbol that alone a clause speaks of, else none.
Dim OnlySymbol(const DimTable& dims, const Clause& clause) {
  Dim only;
  for (const Literal& literal : clause) {
    for (const Dim symbol : dims.SymbolsOf(literal.value)) {
      if (!only.is_none() && symbol != only) return Dim();
      only = symbol;
    }
  }
  return only;
}

// What is required of one size in one region: of it goes what the rest implies, from the first on, since what
// comes later in a network that halves and doubles a size says more.
class OneSizeConditions {
 public:
  OneSizeConditions(const DimTable& dims, Dim symbol) : dims_(dims), symbol_(symbol) {}

  void Add(Clause* clause) { clauses_.push_back(clause); }
  size_t size() const { return clauses_.size(); }
  Dim symbol() const { return symbol_; }
  // Makes true what the others imply of sizes from `least` on.
  void DropImplied(uint64_t least) {
    const std::optional<SizeSet> sizes = SizeSet::From(least);
    if (!sizes) return;
    std::vector<std::optional<SizeSet>> sets;
    for (const Clause* clause : clauses_) sets.push_back(SizeSet::Of(dims_, *clause, symbol_));
    std::vector<SizeSet> later(clauses_.size(), *sizes);  // what those behind say together
    for (size_t i = clauses_.size() - 1; i > 0; --i) later[i - 1] = Narrowed(later[i], sets[i]);
    SizeSet before = *sizes;
    for (size_t i = 0; i < clauses_.size(); ++i) {
      const SizeSet others = Narrowed(later[i], before);
      if (sets[i] && others.IsWithin(*sets[i]).value_or(false)) {
        *clauses_[i] = {kTrueLiteral};
      } else {
        before = Narrowed(before, sets[i]);
      }
    }
  }

 private:
  // What cannot be counted says nothing.
  static SizeSet Narrowed(const SizeSet& set, const std::optional<SizeSet>& by) {
    return by ? SizeSet::Both(set, *by).value_or(set) : set;
  }

  const DimTable& dims_;
  const Dim symbol_;
  std::vector<Clause*> clauses_;
};

// Drops what is required of one size where the rest of what is required of it in the region implies it.
void DropImpliedOfOneSize(const Engine& engine, std::vector<ResidualCheck>* checks) {
  const DimTable& dims = engine.analysis().dims();
  std::map<std::pair<uint32_t, ScopeId>, OneSizeConditions> of_size;
  for (ResidualCheck& check : *checks) {
    if (check.code == Code::kAssumption) continue;
    const auto divides = [&](const Clause& clause) { return !DivisorsIn(dims, clause).empty(); };
    // Some of its clauses may stand there for the others.
    if (std::ranges::any_of(check.condition.clauses, divides)) continue;
    for (Clause& clause : check.condition.clauses) {
      const Dim symbol = OnlySymbol(dims, clause);
      if (symbol.is_none() || dims.GetSymbol(symbol).min < 0) continue;
      const std::pair key(symbol.id(), engine.ScopeOf(check.node));
      of_size.try_emplace(key, dims, symbol).first->second.Add(&clause);
    }
  }
  std::optional<KeptFacts> given;
  for (auto& [key, conditions] : of_size) {
    if (conditions.size() < 2) continue;
    if (!given) given.emplace(engine);
    const bool is_positive =
        given->Holds(AtLeast(engine.analysis().dims(), conditions.symbol(), 1), key.second);
    conditions.DropImplied(is_positive ? 1 : 0);
  }
  for (ResidualCheck& check : *checks) std::erase(check.condition.clauses, Clause{kTrueLiteral});
  DropEmpty(checks);
}

// What is required without resting on others, node after node.
void AddPlainChecks(std::span<const NodeId> nodes, CheckCollector* checks) {
  for (const NodeId node : nodes) {
    checks->Enter(node);
    checks->AddAll(node, /*resting_on_others=*/false);
    checks->Leave(node);
  }
}

// Drops what follows from those that rest on others: they are told only where nothing else implies them, so
// what they imply need not be told beside them.
void DropImpliedByResting(const Engine& engine, std::span<const NodeId> nodes,
                          std::vector<ResidualCheck>* checks) {
  const auto rests = [](const ResidualCheck& c) { return c.code == Code::kAssumption; };
  if (std::ranges::none_of(*checks, rests) || std::ranges::all_of(*checks, rests)) return;
  CheckCollector again(engine);
  for (const ResidualCheck& check : *checks) {
    if (rests(check)) again.Believe(check);
  }
  AddPlainChecks(nodes, &again);
  std::ranges::copy_if(*checks, std::back_inserter(again.kept), rests);
  *checks = std::move(again.kept);
}

}  // namespace

std::vector<ResidualCheck> ChecksOf(const Engine& engine, std::vector<NodeId> nodes) {
  std::erase_if(nodes, [&](NodeId n) { return engine.record(n)->checks.empty() || engine.never_runs(n); });
  if (nodes.empty()) return {};
  CheckCollector checks(engine);
  AddPlainChecks(nodes, &checks);
  for (const NodeId node : nodes) checks.AddAll(node, /*resting_on_others=*/true);
  DropImpliedByResting(engine, nodes, &checks.kept);
  DropWeakerBounds(engine, &checks.kept);
  DropLongerClauses(engine, &checks.kept);
  DropToldAround(engine, &checks.kept);
  DropImpliedOfOneSize(engine, &checks.kept);
  const auto rests = [](const ResidualCheck& c) { return c.code == Code::kAssumption; };
  if (std::ranges::none_of(checks.kept, rests)) return std::move(checks.kept);
  std::vector<uint32_t> place(engine.graph().node_count());
  for (uint32_t i = 0; i < nodes.size(); ++i) place[Index(nodes[i])] = i;
  std::ranges::stable_sort(checks.kept, {}, [&](const ResidualCheck& c) { return place[Index(c.node)]; });
  return std::move(checks.kept);
}

}  // namespace dimwise
