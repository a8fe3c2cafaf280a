#include "infer/engine/implied_guards.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/dims/broadcastable.h"
#include "core/dims/condition_logic.h"
#include "core/facts/size_set.h"
#include "infer/engine/guard_pruner.h"

namespace dimwise {
namespace {

// Adds the divisors in d that are not constants, inner ones first.
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

}  // namespace

std::vector<Dim> DivisorsIn(const DimTable& dims, const Clause& clause) {
  std::vector<Dim> divisors;
  for (const Literal& literal : clause) AddDivisors(dims, literal.value, &divisors);
  return divisors;
}

namespace {

// Keeps only the largest of several lower bounds of one form in a region: W >= 2, W >= 4 and W >= 8 become
// W >= 8.
void DropWeakerBounds(const ProgramState& state, std::vector<ResidualGuard>* guards) {
  using Form = std::pair<uint64_t, ScopeId>;
  DimTable& dims = state.analysis.dims();
  std::map<Form, int64_t> least;  // the least constant c of form + c >= 0
  const auto bound_of = [&](const ResidualGuard& c) -> std::optional<std::pair<Form, int64_t>> {
    if (IsValidityCondition(c.code) || c.condition.clauses.size() != 1 || c.condition.clauses[0].size() != 1)
      return std::nullopt;
    const Literal& literal = c.condition.clauses[0][0];
    if (literal.relation != Relation::kAtLeast) return std::nullopt;
    const Form form{dims.WithoutConstant(literal.value).bits(), state.ScopeOf(c.node)};
    return std::pair(form, dims.ConstantTerm(literal.value));
  };
  for (const ResidualGuard& c : *guards) {
    const auto bound = bound_of(c);
    if (!bound) continue;
    int64_t& constant = least.try_emplace(bound->first, bound->second).first->second;
    constant = std::min(constant, bound->second);
  }
  std::erase_if(*guards, [&](const ResidualGuard& c) {
    const auto bound = bound_of(c);
    return bound && bound->second > least[bound->first];
  });
}

// Drops guards without clauses.
void DropEmpty(std::vector<ResidualGuard>* guards) {
  std::erase_if(*guards, [](const ResidualGuard& guard) { return guard.condition.clauses.empty(); });
}

// Drops a clause if another clause in the region has a subset of its literals, and so implies it.
void DropLongerClauses(const ProgramState& state, std::vector<ResidualGuard>* guards) {
  const auto is_longer = [](const Clause& clause, const Clause& other) {
    return clause.size() > other.size() && std::ranges::all_of(other, [&](const Literal& literal) {
             return std::ranges::find(clause, literal) != clause.end();
           });
  };
  const auto is_implied = [&](const Clause& clause, NodeId node) {
    return std::ranges::any_of(*guards, [&](const ResidualGuard& c) {
      return !IsValidityCondition(c.code) && state.ScopeOf(c.node) == state.ScopeOf(node) &&
             std::ranges::any_of(c.condition.clauses, [&](const Clause& d) { return is_longer(clause, d); });
    });
  };
  for (ResidualGuard& guard : *guards) {
    std::erase_if(guard.condition.clauses,
                  [&](const Clause& c) { return c.size() > 1 && is_implied(c, guard.node); });
  }
  DropEmpty(guards);
}

// Drops a condition that sizes broadcast if a later condition in the region contains all of them. The later
// one must be known as early: it adds no data-dependent size.
class LargestBroadcasts {
 public:
  explicit LargestBroadcasts(const ProgramState& state) : state_(state), dims_(state.analysis.dims()) {}

  // REQUIRES: guards are passed from the last to the first.
  void DropContained(ResidualGuard* guard) {
    if (IsValidityCondition(guard->code)) return;
    const ScopeId scope = state_.ScopeOf(guard->node);
    std::erase_if(guard->condition.clauses, [&](const Clause& clause) {
      const Dim conflict = ConflictOf(dims_, clause);
      if (!conflict.is_expression()) return false;
      const auto contains = [&](const auto& larger) {
        return larger.second == scope && ContainsSizes(dims_, larger.first, conflict) &&
               IsKnownAsEarly(larger.first, conflict);
      };
      if (std::ranges::any_of(largest_, contains)) return true;
      if (dims_.Operands(conflict).size() > 2) largest_.emplace_back(conflict, scope);
      return false;
    });
  }

 private:
  bool IsKnownAsEarly(Dim larger, Dim conflict) const {
    const std::span<const Dim> known = dims_.SymbolsOf(conflict);
    return std::ranges::all_of(dims_.SymbolsOf(larger), [&](Dim symbol) {
      return dims_.GetSymbol(symbol).of_user || std::ranges::binary_search(known, symbol.id(), {}, &Dim::id);
    });
  }

  const ProgramState& state_;
  DimTable& dims_;
  std::vector<std::pair<Dim, ScopeId>> largest_;
};

void DropContainedBroadcasts(const ProgramState& state, std::vector<ResidualGuard>* guards) {
  LargestBroadcasts largest(state);
  for (size_t i = guards->size(); i-- > 0;) largest.DropContained(&(*guards)[i]);
  DropEmpty(guards);
}

// Drops a clause inside a region if a node around the region requires it in every run.
void DropRequiredAround(const ProgramState& state, std::vector<ResidualGuard>* guards) {
  const Graph& graph = state.graph;
  const auto is_around = [&](RegionId region, RegionId inner) {
    while (inner != kNoRegion && inner != region) inner = graph.parent(inner);
    return inner == region;
  };
  const auto is_required_around = [&](const Clause& clause, RegionId inner) {
    return std::ranges::any_of(*guards, [&](const ResidualGuard& c) {
      const RegionId region = graph.region(c.node);
      const bool is_dead = state.ScopeOf(c.node) != state.scope(region);
      return region != inner && is_around(region, inner) && !is_dead &&
             std::ranges::find(c.condition.clauses, clause) != c.condition.clauses.end();
    });
  };
  for (ResidualGuard& guard : *guards) {
    const RegionId inner = graph.region(guard.node);
    if (inner == graph.body()) continue;
    std::erase_if(guard.condition.clauses, [&](const Clause& c) { return is_required_around(c, inner); });
  }
  DropEmpty(guards);
}

// Returns the only symbol in a clause, or none.
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

// The clauses about one size in one region. Clauses that follow from the others are dropped, the first ones
// first: in a network that halves and doubles a size, later conditions are stronger.
class OneSizeConditions {
 public:
  OneSizeConditions(const DimTable& dims, Dim symbol) : dims_(dims), symbol_(symbol) {}

  void Add(Clause* clause) { clauses_.push_back(clause); }
  size_t size() const { return clauses_.size(); }
  Dim symbol() const { return symbol_; }
  // Replaces clauses that follow from the others by true. `least` is a lower bound of the size.
  void DropImplied(uint64_t least) {
    const std::optional<SizeSet> sizes = SizeSet::From(least);
    if (!sizes) return;
    std::vector<std::optional<SizeSet>> sets;
    for (const Clause* clause : clauses_) sets.push_back(SizeSet::Of(dims_, *clause, symbol_));
    std::vector<SizeSet> later(clauses_.size(), *sizes);  // the intersection of all later clauses
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
  // A clause without a set of sizes leaves the set unchanged.
  static SizeSet Narrowed(const SizeSet& set, const std::optional<SizeSet>& by) {
    return by ? SizeSet::Both(set, *by).value_or(set) : set;
  }

  const DimTable& dims_;
  const Dim symbol_;
  std::vector<Clause*> clauses_;
};

// Drops clauses about one size that follow from the other clauses about it in the region.
void DropImpliedOfOneSize(const ProgramState& state, std::vector<ResidualGuard>* guards) {
  const DimTable& dims = state.analysis.dims();
  std::map<std::pair<uint32_t, ScopeId>, OneSizeConditions> of_size;
  for (ResidualGuard& guard : *guards) {
    if (IsValidityCondition(guard.code)) continue;
    const auto divides = [&](const Clause& clause) { return !DivisorsIn(dims, clause).empty(); };
    // Clauses of such a guard may be conditions for the division in others.
    if (std::ranges::any_of(guard.condition.clauses, divides)) continue;
    for (Clause& clause : guard.condition.clauses) {
      const Dim symbol = OnlySymbol(dims, clause);
      if (symbol.is_none() || dims.GetSymbol(symbol).min < 0) continue;
      const std::pair key(symbol.id(), state.ScopeOf(guard.node));
      of_size.try_emplace(key, dims, symbol).first->second.Add(&clause);
    }
  }
  std::optional<GuardPruner> given;
  for (auto& [key, conditions] : of_size) {
    if (conditions.size() < 2) continue;
    if (!given) given.emplace(state);
    const bool is_positive = given->Holds(AtLeast(state.analysis.dims(), conditions.symbol(), 1), key.second);
    conditions.DropImplied(is_positive ? 1 : 0);
  }
  for (ResidualGuard& guard : *guards) std::erase(guard.condition.clauses, Clause{kTrueLiteral});
  DropEmpty(guards);
}

}  // namespace

void DropImpliedGuards(const ProgramState& state, std::vector<ResidualGuard>* guards) {
  DropWeakerBounds(state, guards);
  DropLongerClauses(state, guards);
  DropContainedBroadcasts(state, guards);
  DropRequiredAround(state, guards);
  DropImpliedOfOneSize(state, guards);
}

}  // namespace dimwise
