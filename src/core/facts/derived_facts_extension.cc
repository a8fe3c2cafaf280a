// Extends derived facts by a few clauses. In a large component, clauses are added one by one, and most of
// them mention a symbol without other facts. Three kinds of clauses do not affect existing facts:
// - a == b, where b comes last in order and is new or has bounds only: b is solved, and a takes its bounds.
// - A bound of a symbol that is new, or on which nothing else depends.
// - A clause of several literals none of which is decided. It stays open.
// - A clause of several literals one of which is known to hold.
// All other clauses need Build.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/dims/condition_logic.h"
#include "core/facts/derived_facts.h"
#include "core/facts/local_facts.h"

namespace dimwise {
namespace {

// Returns a and b of the equality a == b; the first is replaced by the second.
std::optional<std::pair<Dim, Dim>> EqualSymbols(const DimTable& table, const Literal& literal) {
  const Dim value = literal.value;
  if (literal.relation != Relation::kEqual || !value.is_expression() || table.TermCount(value) != 2)
    return std::nullopt;
  const Term s = table.GetTerm(value, 0), t = table.GetTerm(value, 1);
  if (s.factors.size() != 1 || t.factors.size() != 1) return std::nullopt;
  if (std::max(s.coefficient, t.coefficient) != 1 || std::min(s.coefficient, t.coefficient) != -1)
    return std::nullopt;
  const Dim a = s.factors[0], b = t.factors[0];
  if (table.Kind(a) != DimKind::kSymbol || table.Kind(b) != DimKind::kSymbol) return std::nullopt;
  return IsReplacedBy(table, a, b) ? std::pair(a, b) : std::pair(b, a);
}

}  // namespace

class DerivedFactsExtender {
 public:
  DerivedFactsExtender(DimTable& table, const DerivedFacts& base, FunctionRef<bool(Dim)> is_new)
      : table_(table), is_new_(is_new), k_(base) {}

  std::optional<DerivedFacts> Run(std::span<const SourcedClause> more) {
    for (const SourcedClause& c : more) {
      k_.points_ = PointsOf(table_, c.clause, k_.points_);
      if (IsEquality(c.clause) && !TakeEquality(c.clause[0], c.source)) return std::nullopt;
    }
    for (const SourcedClause& c : more) {
      if (c.clause.size() != 1 || IsEquality(c.clause)) continue;
      if (!TakeInequality(c.clause[0].value, c.source)) return std::nullopt;
    }
    const LocalFacts source(table_, k_);
    std::vector<Clause> open;
    for (const SourcedClause& c : more) {
      if (c.clause.size() > 1 && !TakeClause(c.clause, source, &open)) return std::nullopt;
    }
    k_.depends_on_bounds_ = k_.depends_on_bounds_ || !open.empty();
    k_.open_.insert(k_.open_.end(), open.begin(), open.end());
    return std::move(k_);
  }

  static bool MayTake(const DimTable& table, const Clause& clause) {
    if (clause.size() != 1) return !clause.empty();
    return clause[0].relation == Relation::kAtLeast || EqualSymbols(table, clause[0]).has_value();
  }

 private:
  static bool IsEquality(const Clause& clause) {
    return clause.size() == 1 && clause[0].relation == Relation::kEqual;
  }

  bool TakeEquality(const Literal& literal, ConstraintId source) {
    const auto [symbol, other] = *EqualSymbols(table_, literal);
    const Dim solution = k_.SolutionOf(other);
    const Dim value = solution.is_none() ? other : solution;
    const bool is_short = value.is_constant() || (table_.Kind(value) == DimKind::kSymbol && value != symbol &&
                                                  IsReplacedBy(table_, symbol, value));
    if (!is_short || !k_.SolutionOf(symbol).is_none() || HasOtherFacts(symbol)) return false;
    k_.solutions_[symbol] = {value, source};
    if (!value.is_constant()) written_by_.push_back(value);
    const SymbolInfo info = table_.GetSymbol(symbol);
    return TakeBounds(value, Interval::FromInt64(info.min, info.max).Intersect(TakeOut(symbol)), source);
  }

  bool TakeBounds(Dim value, Interval bounds, ConstraintId source) {
    const auto may_take = [&](bool is_bound, Wide bound, int64_t sign) {
      if (!is_bound) return true;
      if (!FitsInt64(bound)) return false;
      const Dim rest = table_.Subtract(value, static_cast<int64_t>(bound));
      return TakeInequality(table_.Multiply(sign, rest), source);
    };
    return may_take(bounds.has_lo(), bounds.lo, 1) && may_take(bounds.has_hi(), bounds.hi, -1);
  }

  // Returns whether there may be facts about the symbol other than its bounds.
  bool HasOtherFacts(Dim symbol) const {
    if (std::ranges::count(written_by_, symbol) > 0) return true;
    if (is_new_(symbol)) return false;
    const auto is_symbol = [&](Dim d) { return table_.Kind(d) == DimKind::kSymbol; };
    return k_.depends_on_bounds_ ||
           !std::ranges::all_of(k_.forms_, is_symbol, &DerivedFacts::FormFact::form) ||
           !std::ranges::all_of(k_.solutions_, [&](const auto& solved) {
             const Dim value = solved.second.value;
             return value.is_constant() || (is_symbol(value) && value != symbol);
           });
  }

  // Removes the bounds of a symbol and returns them.
  Interval TakeOut(Dim symbol) {
    const auto known = k_.form_index_.find(symbol);
    if (known == k_.form_index_.end()) return {};
    const uint32_t place = known->second;
    const Interval bounds = k_.forms_[place].interval;
    k_.form_index_.erase(known);
    if (place + 1 < k_.forms_.size()) {
      k_.forms_[place] = k_.forms_.back();
      k_.form_index_[k_.forms_[place].form] = place;
    }
    k_.forms_.pop_back();
    return bounds;
  }

  Dim Solve(Dim d) const {
    return table_.Substitute(d, [&](Dim atom) { return k_.SolutionOf(atom); });
  }

  bool TakeInequality(Dim value, ConstraintId source) {
    const Literal l = Normalize(table_, {Solve(value), Relation::kAtLeast});
    if (l == kTrueLiteral) return true;
    if (l.relation != Relation::kAtLeast || !l.value.is_expression()) return false;
    const CanonicalForm f = ToCanonicalForm(table_, l.value);
    const Interval bound = f.scale > 0 ? Interval{-Wide{f.constant}, Interval::kInfinity}
                                       : Interval{-Interval::kInfinity, Wide{f.constant}};
    return AddBound(f.form, bound, source);
  }

  bool AddBound(Dim form, Interval bound, ConstraintId source) {
    const auto known = k_.form_index_.find(form);
    const bool is_known = known != k_.form_index_.end();
    DerivedFacts::FormFact fact =
        is_known ? k_.forms_[known->second]
                 : DerivedFacts::FormFact{form, IntrinsicBounds(table_, form), source, source};
    const bool rises = bound.lo > fact.interval.lo, falls = bound.hi < fact.interval.hi;
    if (is_known && !rises && !falls) return true;
    if (table_.Kind(form) != DimKind::kSymbol || (k_.depends_on_bounds_ && !is_new_(form))) return false;
    if (rises) fact.lo_source = source;
    if (falls) fact.hi_source = source;
    fact.interval = fact.interval.Intersect(bound);
    if (fact.interval.empty() || fact.interval.is_point()) return false;
    if (is_known) {
      k_.forms_[known->second] = fact;
    } else {
      k_.form_index_.insert({form, static_cast<uint32_t>(k_.forms_.size())});
      k_.forms_.push_back(fact);
    }
    return true;
  }

  bool TakeClause(const Clause& clause, const LocalFacts& source, std::vector<Clause>* open) const {
    Clause left;
    source.StartQuery();
    for (const Literal& l : clause) {
      const Truth t = Entails(table_, source, l);
      if (t == Truth::kYes) return true;  // it follows from others, and will do so with more facts
      if (t == Truth::kMaybe) left.push_back({Solve(l.value), l.relation});
    }
    left = Normalize(table_, left);
    if (left.size() < 2) return false;
    open->push_back(std::move(left));
    return true;
  }

  DimTable& table_;
  const FunctionRef<bool(Dim)> is_new_;
  DerivedFacts k_;
  std::vector<Dim> written_by_;  // symbols that replace others since `base`
};

std::optional<DerivedFacts> DerivedFacts::Extended(DimTable& table, std::span<const SourcedClause> more,
                                                   FunctionRef<bool(Dim)> is_new) const {
  if (!is_settled_) return std::nullopt;
  const auto may_take = [&](const SourcedClause& c) {
    return DerivedFactsExtender::MayTake(table, c.clause);
  };
  if (!std::ranges::all_of(more, may_take)) return std::nullopt;
  return DerivedFactsExtender(table, *this, is_new).Run(more);
}

}  // namespace dimwise
