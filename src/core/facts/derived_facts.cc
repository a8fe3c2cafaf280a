#include "core/facts/derived_facts.h"

#include <tsl/robin_set.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/dims/broadcastable.h"
#include "core/dims/condition_logic.h"
#include "core/dims/symbol_walk.h"
#include "core/facts/entailment.h"
#include "core/facts/limits.h"
#include "core/facts/literal_parts.h"
#include "core/facts/local_facts.h"
#include "core/facts/residue.h"

namespace dimwise {

bool ComesFirst(const DimTable& table, const Clause& a, OwnerId owner_of_a, const Clause& b,
                OwnerId owner_of_b) {
  if (a.size() != b.size()) return a.size() < b.size();
  for (size_t i = 0; i < a.size(); ++i) {
    if (const auto o = table.Order(a[i].value, b[i].value); o != 0) return o < 0;
    if (a[i].relation != b[i].relation) return a[i].relation < b[i].relation;
  }
  return owner_of_a < owner_of_b;
}

bool IsReplacedBy(const DimTable& table, Dim symbol, Dim other) {
  const SymbolInfo of_symbol = table.GetSymbol(symbol), of_other = table.GetSymbol(other);
  if (of_symbol.is_nameless != of_other.is_nameless && of_symbol.of_user && of_other.of_user)
    return of_symbol.is_nameless;
  return table.Order(other, symbol) < 0;
}

Dim DerivedFacts::SolutionOf(Dim symbol) const {
  const auto it = solutions_.find(symbol);
  return it == solutions_.end() ? Dim() : it->second.value;
}

Dim DerivedFacts::EqualSymbolOf(Dim symbol) const {
  const auto it = equal_symbols_.find(symbol);
  return it == equal_symbols_.end() ? Dim() : it->second;
}

Interval DerivedFacts::OfForm(Dim form) const {
  const auto it = form_index_.find(form);
  return it == form_index_.end() ? Interval{} : forms_[it->second].interval;
}

Congruence DerivedFacts::ResidueOf(Dim form) const {
  const auto it = residues_.find(form);
  return it == residues_.end() ? Congruence{} : it->second.congruence;
}

class DerivedFactsBuilder {
 public:
  DerivedFactsBuilder(DimTable& table, std::vector<SourcedClause> clauses)
      : table_(table), clauses_(std::move(clauses)) {}

  DerivedFacts Run() {
    for (const SourcedClause& c : clauses_) {
      k_.points_ = PointsOf(table_, c.clause, k_.points_);
      if (c.clause.empty()) Conflict(c.source, c.source);
      if (c.clause.size() == 1) units_.push_back({c.clause[0], c.source});
    }
    const size_t given_units = units_.size();
    for (int round = 0; round < kMaxRounds && !k_.conflict_; ++round) {
      changed_ = false;
      k_.forms_.clear();
      k_.form_index_.clear();
      k_.residues_.clear();
      k_.not_zero_.clear();
      for (size_t i = 0; i < units_.size() && !k_.conflict_; ++i) {
        if (!units_[i].is_solved && TakeEqualities(units_[i])) units_[i].is_solved = true;
      }
      BoundSolvedSymbols();
      for (size_t i = 0; i < units_.size() && !k_.conflict_; ++i) TakeOthers(units_[i]);
      TightenByResidues();
      DivideByResidues();
      TakeParts();
      TakeBroadcastable();
      if (!changed_) PropagateClauses();
      if (!changed_) break;
    }
    FindEqualSymbols();
    k_.is_settled_ = !changed_ && !k_.conflict_ && units_.size() == given_units &&
                     clauses_.size() == given_units + k_.open_.size() + redundant_;
    k_.depends_on_bounds_ =
        !k_.open_.empty() || !k_.residues_.empty() || !k_.not_zero_.empty() || !k_.no_conflicts_.empty() ||
        std::ranges::any_of(units_, [&](const Unit& u) { return MayHaveParts(table_, u.literal); });
    return std::move(k_);
  }

 private:
  struct Unit {
    Literal literal;
    ConstraintId source;
    bool is_solved = false;  // an equality that the solutions make true
  };

  void Conflict(ConstraintId a, ConstraintId b) {
    if (!k_.conflict_) k_.conflict_ = {a, b};
  }

  // Returns d with solved symbols replaced. Sets *source to a constraint that was used.
  Dim Solve(Dim d, ConstraintId* source = nullptr) {
    if (k_.solutions_.empty()) return d;
    return table_.Substitute(d, [&](Dim atom) {
      const auto it = k_.solutions_.find(atom);
      if (it == k_.solutions_.end()) return Dim();
      if (source != nullptr) *source = it->second.source;
      return it->second.value;
    });
  }

  // Solves the equalities in a unit. Returns whether the solutions, including later ones, make the literal
  // true.
  bool TakeEqualities(Unit unit) {  // a copy: this may add units
    if (unit.literal.relation != Relation::kEqual) return false;
    ConstraintId other = unit.source;
    const Literal l = Normalize(table_, {Solve(unit.literal.value, &other), Relation::kEqual});
    if (l == kTrueLiteral) return true;
    if (l == kFalseLiteral) {
      Conflict(other, unit.source);
      return false;
    }
    if (l.relation == Relation::kAtLeast) {  // as N == max(N, 8)
      TakeInequality(l.value, unit.source);
      return false;
    }
    TakeBroadcast(l.value, unit.source);
    if (TakeCongruence(l.value, unit.source)) return false;
    if (const Dim pivot = Pivot(l.value); !pivot.is_none()) {
      // value = pivot + rest, or -pivot + rest.
      const Dim rest = table_.Subtract(l.value, pivot);
      const Dim solution = Mentions(table_, rest, pivot) ? table_.Add(l.value, pivot) : table_.Negate(rest);
      AddSolution(pivot, solution, unit.source);
      return true;
    }
    const CanonicalForm f = ToCanonicalForm(table_, l.value);
    AddBound(f.form, Interval::Of(-Wide{f.constant} / f.scale), unit.source);
    return false;
  }

  // Derives from broadcast(a, b) == r that each operand is 1 or r.
  void TakeBroadcast(Dim value, ConstraintId source) {
    for (size_t i = 0; i < table_.TermCount(value); ++i) {
      const Term t = table_.GetTerm(value, i);
      if (t.factors.size() != 1 || table_.Kind(t.factors[0]) != DimKind::kBroadcast) continue;
      if (t.coefficient != 1 && t.coefficient != -1) continue;
      const Dim atom = t.factors[0];
      const Dim rest = table_.Subtract(value, table_.Multiply(t.coefficient, atom));
      const Dim result = t.coefficient == 1 ? table_.Negate(rest) : rest;
      if (result.is_none()) continue;
      const std::span<const Dim> view = table_.Operands(atom);
      const std::vector<Dim> operands(view.begin(), view.end());
      for (const Dim operand : operands) {
        Derive(Normalize(table_, Clause{Equal(table_, operand, 1), Equal(table_, operand, result)}), source);
      }
    }
  }

  // Adds a clause that follows from a constraint.
  void Derive(const Clause& clause, ConstraintId source) {
    if (clause.size() == 1 && clause[0] == kTrueLiteral) return;
    if (clause.empty()) return Conflict(source, source);
    if (clause.size() > 1) {
      if (std::ranges::any_of(clauses_, [&](const SourcedClause& c) { return c.clause == clause; })) return;
      clauses_.push_back({clause, source, 0});
    } else {
      if (std::ranges::any_of(units_, [&](const Unit& u) { return u.literal == clause[0]; })) return;
      units_.push_back({clause[0], source});
    }
    changed_ = true;
  }

  // Returns a symbol that occurs once, linearly, with coefficient 1 or -1. If there are several, prefers a
  // nameless one, then the last one in order.
  Dim Pivot(Dim value) const {
    Dim best;
    const size_t n = table_.TermCount(value);
    for (size_t i = 0; i < n; ++i) {
      const Term t = table_.GetTerm(value, i);
      if (t.factors.size() != 1 || (t.coefficient != 1 && t.coefficient != -1)) continue;
      const Dim s = t.factors[0];
      if (table_.Kind(s) != DimKind::kSymbol || table_.GetDefinition(s) != nullptr) continue;
      bool alone = true;
      for (size_t k = 0; k < n && alone; ++k) {
        if (k == i) continue;
        for (Dim f : table_.GetTerm(value, k).factors) alone = alone && !Mentions(table_, f, s);
      }
      if (alone && (best.is_none() || IsReplacedBy(table_, s, best))) best = s;
    }
    return best;
  }

  void AddSolution(Dim symbol, Dim value, ConstraintId source) {
    const auto replace = [&](Dim atom) { return atom == symbol ? value : Dim(); };
    const bool is_mentioned = mentioned_.contains(symbol);
    for (auto it = k_.solutions_.begin(); is_mentioned && it != k_.solutions_.end(); ++it) {
      if (Mentions(table_, it->second.value, symbol))
        it.value().value = table_.Substitute(it->second.value, replace);
    }
    if (value.is_expression()) {
      for (const Dim of : table_.SymbolsOf(value)) mentioned_.insert(of);
    }
    k_.solutions_[symbol] = {value, source};
    solved_.push_back(symbol);
    changed_ = true;
  }

  void FindEqualSymbols() {
    if (k_.solutions_.size() < 2) return;
    tsl::robin_map<Dim, Dim, std::hash<Dim>> representatives;  // by the solution
    for (const auto& [symbol, solution] : k_.solutions_) {
      if (!solution.value.is_expression() || table_.Kind(solution.value) == DimKind::kSymbol) continue;
      const auto [it, is_new] = representatives.insert({solution.value, symbol});
      if (!is_new && IsReplacedBy(table_, it->second, symbol)) it.value() = symbol;
    }
    for (const auto& [symbol, solution] : k_.solutions_) {
      const auto it = representatives.find(solution.value);
      if (it != representatives.end() && it->second != symbol) k_.equal_symbols_[symbol] = it->second;
    }
  }

  // Applies the intrinsic bounds of solved symbols (a size is >= 0) to their values.
  void BoundSolvedSymbols() {
    for (Dim symbol : solved_) {
      if (k_.conflict_) return;
      const DerivedFacts::Solution s = k_.solutions_[symbol];
      const SymbolInfo info = table_.GetSymbol(symbol);
      if (info.min != INT64_MIN) TakeInequality(table_.Subtract(s.value, info.min), s.source);
      if (info.max != INT64_MAX) TakeInequality(table_.Subtract(info.max, s.value), s.source);
    }
  }

  // Returns the dividend and the divisor of a quotient floordiv(p, m). If the sum contains an inner quotient,
  // such as H//4 next to H//28, the dividend is the inner quotient.
  std::pair<Dim, int64_t> DividedIn(Dim value, Dim quotient) {
    const Dim p = table_.Operands(quotient)[0];
    const int64_t m = table_.Operands(quotient)[1].constant();
    for (size_t i = 0; i < table_.TermCount(value); ++i) {
      const Term t = table_.GetTerm(value, i);
      if (t.factors.size() != 1 || table_.Kind(t.factors[0]) != DimKind::kFloorDiv) continue;
      const Dim part = table_.Operands(t.factors[0])[1];
      if (!part.is_constant() || part.constant() >= m || m % part.constant() != 0) continue;
      if (table_.FloorDivide(t.factors[0], m / part.constant()) == quotient)
        return {t.factors[0], m / part.constant()};
    }
    return {p, m};
  }

  // Takes k*(p - m*floordiv(p, m)) + constant == 0 as p % m == -constant/k. Returns false for another form.
  bool TakeCongruence(Dim value, ConstraintId source) {
    for (size_t i = 0; i < table_.TermCount(value); ++i) {
      const Term t = table_.GetTerm(value, i);
      if (t.factors.size() != 1 || table_.Kind(t.factors[0]) != DimKind::kFloorDiv) continue;
      if (!table_.Operands(t.factors[0])[1].is_constant()) continue;
      const auto [p, m] = DividedIn(value, t.factors[0]);
      if (t.coefficient % m != 0) continue;
      const int64_t k = -(t.coefficient / m);
      const Dim rest = table_.Subtract(value, table_.Multiply(k, table_.Mod(p, m)));
      if (!rest.is_constant()) continue;
      const Wide r = -Wide{rest.constant()};
      if (r % k != 0 || r / k < 0 || r / k >= m) {
        Conflict(source, source);
        return true;
      }
      const CanonicalForm f = ToCanonicalForm(table_, p);
      Congruence c;
      if (!SolveCongruence({m, static_cast<int64_t>(r / k)}, f.scale, f.constant, &c)) {
        Conflict(source, source);
        return true;
      }
      auto [it, inserted] = k_.residues_.insert({f.form, {c, source}});
      if (!inserted && !Combine(&it.value().congruence, c)) Conflict(it->second.source, source);
      if (inserted && table_.Kind(f.form) == DimKind::kFloorDiv) k_.divided_quotients_.push_back(f.form);
      AddBound(f.form, {}, source);
      return true;
    }
    return false;
  }

  void TakeOthers(Unit unit) {
    if (unit.literal.relation == Relation::kAtLeast) {
      TakeInequality(unit.literal.value, unit.source);
    } else if (unit.literal.relation == Relation::kNotEqual) {
      ConstraintId other = unit.source;
      const Literal l = Normalize(table_, {Solve(unit.literal.value, &other), Relation::kNotEqual});
      if (l == kTrueLiteral) return;
      if (l == kFalseLiteral) return Conflict(other, unit.source);
      if (l.relation == Relation::kAtLeast) return TakeInequality(l.value, unit.source);
      k_.not_zero_.push_back(l.value);
      // form != c excludes c if it is the end of an interval.
      const CanonicalForm f = ToCanonicalForm(table_, l.value);
      const Wide c = -Wide{f.constant} / f.scale;
      Interval now = k_.OfForm(f.form);
      if (table_.Kind(f.form) == DimKind::kSymbol) {
        const SymbolInfo info = table_.GetSymbol(f.form);
        now = now.Intersect(Interval::FromInt64(info.min, info.max));
      }
      if (now.lo == c) AddBound(f.form, {c + 1, Interval::kInfinity}, unit.source);
      if (now.hi == c) AddBound(f.form, {-Interval::kInfinity, c - 1}, unit.source);
    }
  }

  void TakeInequality(Dim value, ConstraintId source) {
    ConstraintId other = source;
    const Literal l = Normalize(table_, {Solve(value, &other), Relation::kAtLeast});
    if (l == kTrueLiteral) return;
    if (l == kFalseLiteral) return Conflict(other, source);
    const CanonicalForm f = ToCanonicalForm(table_, l.value);  // scale is 1 or -1: the literal is normal
    if (f.scale > 0) {
      AddBound(f.form, {-Wide{f.constant}, Interval::kInfinity}, source);
    } else {
      AddBound(f.form, {-Interval::kInfinity, Wide{f.constant}}, source);
    }
  }

  void AddBound(Dim form, Interval interval, ConstraintId source) {
    if (k_.conflict_ || !form.is_expression()) return;
    auto [it, inserted] = k_.form_index_.insert({form, static_cast<uint32_t>(k_.forms_.size())});
    if (inserted) k_.forms_.push_back({form, IntrinsicBounds(table_, form), source, source});
    DerivedFacts::FormFact& fact = k_.forms_[it->second];
    const bool rises = interval.lo > fact.interval.lo, falls = interval.hi < fact.interval.hi;
    if (rises) {
      fact.interval.lo = interval.lo;
      fact.lo_source = source;
    }
    if (falls) {
      fact.interval.hi = interval.hi;
      fact.hi_source = source;
    }
    CloseBound(fact);
    if (rises || falls) BoundInside(form, interval, source);
  }

  // Derives bounds of the operand from bounds of an atom. The recursion ends because operands are smaller.
  void BoundInside(Dim atom, Interval b, ConstraintId source) {
    const auto at_least = [&](Dim d, Wide bound) {
      if (FitsInt64(bound)) TakeInequality(table_.Subtract(d, static_cast<int64_t>(bound)), source);
    };
    const auto at_most = [&](Dim d, Wide bound) {
      if (FitsInt64(bound)) TakeInequality(table_.Subtract(static_cast<int64_t>(bound), d), source);
    };
    if (table_.Kind(atom) == DimKind::kFloorDiv) {
      const Dim p = table_.Operands(atom)[0], divisor = table_.Operands(atom)[1];
      if (!divisor.is_constant() || divisor.constant() <= 0) return;
      const Wide m = divisor.constant();
      if (b.has_lo() && FitsInt64(b.lo)) at_least(p, b.lo * m);
      if (b.has_hi() && FitsInt64(b.hi)) at_most(p, b.hi * m + m - 1);
    } else if (table_.Kind(atom) == DimKind::kMaxZero) {
      const Dim t = table_.Operands(atom)[0];
      if (b.has_lo() && b.lo > 0) at_least(t, b.lo);
      if (b.has_hi()) at_most(t, b.hi);
    }
  }

  void CloseBound(const DerivedFacts::FormFact& fact) {
    if (fact.interval.empty()) return Conflict(fact.lo_source, fact.hi_source);
    if (!fact.interval.is_point() || !FitsInt64(fact.interval.lo)) return;
    const Literal l = Normalize(
        table_, {table_.Subtract(fact.form, static_cast<int64_t>(fact.interval.lo)), Relation::kEqual});
    const auto is_l = [&](const Unit& u) { return u.literal == l; };
    if (Pivot(l.value).is_none() || std::ranges::any_of(units_, is_l)) return;
    units_.push_back({l, fact.lo_source});
    changed_ = true;
  }

  // BoundWithRemainder: moves bounds inwards to the next number with the known remainder.
  void TightenByResidues() {
    for (size_t i = 0; i < k_.forms_.size() && !k_.conflict_; ++i) {
      DerivedFacts::FormFact& fact = k_.forms_[i];
      const Congruence c = k_.ResidueOf(fact.form);
      if (c.modulus <= 1) continue;
      if (fact.interval.has_lo())
        fact.interval.lo += ((c.remainder - fact.interval.lo) % c.modulus + c.modulus) % c.modulus;
      if (fact.interval.has_hi())
        fact.interval.hi -= ((fact.interval.hi - c.remainder) % c.modulus + c.modulus) % c.modulus;
      CloseBound(fact);
    }
  }

  // If p % m is known, replaces floordiv(p, m) in an equality by (p - p % m)/m, and multiplies by m.
  void DivideByResidues() {
    if (k_.residues_.empty()) return;
    for (size_t i = 0; i < units_.size() && !k_.conflict_; ++i) {
      if (units_[i].literal.relation != Relation::kEqual) continue;
      const Dim value = Solve(units_[i].literal.value);
      for (size_t k = 0; k < table_.TermCount(value); ++k) {
        const Term t = table_.GetTerm(value, k);
        if (t.factors.size() != 1 || table_.Kind(t.factors[0]) != DimKind::kFloorDiv) continue;
        const Dim atom = t.factors[0], p = table_.Operands(atom)[0], divisor = table_.Operands(atom)[1];
        if (!divisor.is_constant() || divisor.constant() <= 1) continue;
        const Wide m = divisor.constant();
        const CanonicalForm f = ToCanonicalForm(table_, p);
        const Congruence c = k_.ResidueOf(f.form);
        if (c.modulus <= 1 || Wide{f.scale} * c.modulus % m != 0) continue;
        const Wide r = ((Wide{f.scale} * c.remainder + f.constant) % m + m) % m;
        const int64_t by = t.coefficient;
        const Dim without = table_.Multiply(divisor, table_.Subtract(value, table_.Multiply(by, atom)));
        const Dim whole = table_.Multiply(by, table_.Subtract(p, static_cast<int64_t>(r)));
        if (without.is_none() || whole.is_none()) continue;
        Derive({Normalize(table_, Equal(table_, table_.Add(without, whole), 0))}, units_[i].source);
        break;
      }
    }
  }

  // Adds the parts of literals (literal_parts.h).
  void TakeParts() {
    const LocalFacts source(table_, k_);
    const auto is_positive = [&](Dim d) { return Bounds(table_, d, source).lo >= 1; };
    for (size_t i = 0; i < units_.size() && !k_.conflict_; ++i) {
      const Unit unit = units_[i];
      if (!MayHaveParts(table_, unit.literal)) continue;
      source.StartQuery();
      for (const Literal& part : PartsOf(table_, unit.literal, is_positive)) Derive({part}, unit.source);
    }
  }

  // CommonSizeOfBroadcastable: if a size is known not to be 1, the other sizes are 1 or equal to it.
  void TakeBroadcastable() {
    k_.no_conflicts_.clear();
    const auto is_broadcastable = [&](const Unit& u) {
      return u.literal.relation == Relation::kEqual && !BroadcastableSizes(table_, u.literal).empty();
    };
    if (std::ranges::none_of(units_, is_broadcastable)) return;
    const LocalFacts source(table_, k_);
    for (size_t i = 0; i < units_.size() && !k_.conflict_; ++i) {
      const Unit unit = units_[i];
      if (!is_broadcastable(unit)) continue;
      source.StartQuery();
      const Literal solved{Solve(unit.literal.value), Relation::kEqual};
      const std::span<const Dim> sizes = BroadcastableSizes(table_, solved);
      if (sizes.size() == 2) Derive(Normalize(table_, Clause{solved}), unit.source);
      if (sizes.size() <= 2) continue;
      k_.no_conflicts_.push_back(solved.value);
      const auto common = std::ranges::find_if(
          sizes, [&](Dim d) { return Entails(table_, source, NotEqual(table_, d, 1)) == Truth::kYes; });
      if (common == sizes.end()) continue;
      for (const Dim size : sizes) {  // for *common itself, the clause is true
        Derive(Normalize(table_, Clause{Equal(table_, size, 1), Equal(table_, size, *common)}), unit.source);
      }
    }
  }

  void PropagateClauses() {
    k_.open_.clear();
    redundant_ = 0;
    const LocalFacts source(table_, k_);
    for (const SourcedClause& c : clauses_) {
      if (c.clause.size() < 2 || k_.conflict_) continue;
      source.StartQuery();
      Clause left;
      bool holds = false;
      for (const Literal& l : c.clause) {
        const Truth t = Entails(table_, source, l);
        holds |= t == Truth::kYes;
        if (t == Truth::kMaybe) left.push_back({Solve(l.value), l.relation});
      }
      if (holds) {
        ++redundant_;
        continue;
      }
      left = Normalize(table_, left);
      if (left.empty()) return Conflict(c.source, c.source);
      if (left.size() > 1) {
        k_.open_.push_back(left);
      } else if (std::ranges::none_of(units_, [&](const Unit& u) { return u.literal == left[0]; })) {
        units_.push_back({left[0], c.source});
        changed_ = true;
      }
    }
  }

  DimTable& table_;
  std::vector<SourcedClause> clauses_;
  std::vector<Unit> units_;
  std::vector<Dim> solved_;
  tsl::robin_set<Dim, std::hash<Dim>> mentioned_;  // symbols in the solutions
  DerivedFacts k_;
  size_t redundant_ = 0;  // clauses of several literals that follow from others
  bool changed_ = false;
};

DerivedFacts DerivedFacts::Build(DimTable& table, std::vector<SourcedClause> clauses) {
  return DerivedFactsBuilder(table, std::move(clauses)).Run();
}

}  // namespace dimwise
