#include "core/facts/entailment.h"

#include <algorithm>
#include <array>

#include "core/dims/broadcastable.h"
#include "core/dims/condition_logic.h"
#include "core/facts/broadcastable_facts.h"
#include "core/facts/clear_divisions.h"
#include "core/facts/limits.h"
#include "core/facts/residue.h"

namespace dimwise {
namespace {

// Bounds d as k*form + rest, for each k that removes a product of the form from the rest.
Interval Combined(DimTable& table, const FactSource& source, Dim d, const DerivedFacts::FormFact& fact) {
  Interval result;
  for (size_t i = 0; i < table.TermCount(fact.form); ++i) {
    const Term t = table.GetTerm(fact.form, i);
    const int64_t c = CoefficientOf(table, d, t.factors);
    if (c == 0 || c == INT64_MIN || c % t.coefficient != 0) continue;
    const int64_t k = c / t.coefficient;
    const Dim rest = table.Subtract(d, table.Multiply(k, fact.form));
    if (rest.is_none()) continue;
    result = result.Intersect(Bounds(table, rest, source) + Interval::Of(k) * fact.interval);
  }
  return result;
}

// Returns kYes if all values within the bounds satisfy the relation, kNo if none does, else kMaybe.
Truth ByBounds(const Interval& bounds, Relation relation) {
  if (bounds.empty()) return Truth::kMaybe;
  if (relation == Relation::kAtLeast)
    return bounds.lo >= 0 ? Truth::kYes : bounds.hi < 0 ? Truth::kNo : Truth::kMaybe;
  const bool equal = relation == Relation::kEqual;
  if (bounds.is_point() && bounds.lo == 0) return equal ? Truth::kYes : Truth::kNo;
  if (!bounds.Contains(0)) return equal ? Truth::kNo : Truth::kYes;
  return Truth::kMaybe;
}

}  // namespace

int64_t CoefficientOf(const DimTable& table, Dim d, std::span<const Dim> factors) {
  for (size_t i = 0; i < table.TermCount(d); ++i) {
    const Term t = table.GetTerm(d, i);
    if (t.factors.data() == factors.data() && t.factors.size() == factors.size()) return t.coefficient;
  }
  return 0;
}

namespace {

// Returns `result`, the bounds of d by evaluation, narrowed by combinations with known forms.
Interval NarrowedByForms(DimTable& table, const FactSource& source, Dim d, Interval result,
                         const EnoughBounds* enough) {
  const auto is_done = [&] { return result.is_point() || (enough && (*enough)(result)); };
  if (!d.is_expression() || is_done()) return result;
  std::array<const DerivedFacts*, kMaxCombinedComponents> seen{};
  size_t n = 0, tried = 0;
  for (Dim s : table.SymbolsOf(d)) {
    const DerivedFacts* k = source.DerivedFactsAbout(s);
    if (k == nullptr || std::find(seen.begin(), seen.begin() + n, k) != seen.begin() + n) continue;
    if (n == seen.size()) break;
    seen[n++] = k;
    for (const DerivedFacts::FormFact& fact : k->forms()) {
      if (source.is_exhausted()) return result;
      if (fact.form == d || table.Kind(fact.form) == DimKind::kSymbol) continue;  // evaluation used it
      if (++tried > kMaxCombinations) return result;
      result = result.Intersect(Combined(table, source, d, fact));
      if (is_done()) return result;
    }
  }
  return result;
}

}  // namespace

Interval BoundsByFacts(DimTable& table, const FactSource& source, Dim d, const EnoughBounds* enough) {
  return NarrowedByForms(table, source, d, Bounds(table, d, source, enough), enough);
}

namespace {

// Facts about the operands of definitions restrict the points too. With too many definitions, no point is
// left.
PointSet PointsByFacts(const DimTable& table, const FactSource& source, Dim d, int* definitions) {
  PointSet points = kAllPoints;
  for (Dim s : table.SymbolsOf(d)) {
    if (const DerivedFacts* k = source.DerivedFactsAbout(s)) points &= k->points();
    const Definition* definition = table.GetDefinition(s);
    if (definition == nullptr) continue;
    if (++*definitions > kMaxVisitedDefinitions) return 0;
    for (const Dim operand : definition->operands)
      points &= PointsByFacts(table, source, operand, definitions);
  }
  return points;
}

}  // namespace

PointSet PointsByFacts(const DimTable& table, const FactSource& source, Dim d) {
  int definitions = 0;
  return PointsByFacts(table, source, d, &definitions);
}

Congruence CongruenceByFacts(DimTable& table, const FactSource& source, Dim d) {
  return CongruenceOfSum(table, d, [&](Dim form) -> Congruence {
    const std::span<const Dim> symbols = table.SymbolsOf(form);
    const DerivedFacts* k = symbols.empty() ? nullptr : source.DerivedFactsAbout(symbols[0]);
    if (k == nullptr) return {};
    if (const Dim s = k->SolutionOf(form); s.is_constant()) return {0, s.constant()};
    return k->ResidueOf(form);
  });
}

namespace {

// Evaluates the literal at the points where all facts about its symbols hold.
PointTruth EvaluateAtPointsOfFacts(const DimTable& table, const FactSource& source, const Literal& literal) {
  return EvaluateAtPoints(table, literal, PointsByFacts(table, source, literal.value));
}

// Returns the quotient q if `value` is q - 1, else none.
Dim QuotientLessOne(const DimTable& table, Dim value) {
  Dim quotient;
  if (!value.is_expression() || table.TermCount(value) != 2) return quotient;
  for (size_t i = 0; i < 2; ++i) {
    const Term t = table.GetTerm(value, i);
    if (t.factors.empty() ? t.coefficient != -1 : t.coefficient != 1 || t.factors.size() != 1) return Dim();
    if (!t.factors.empty() && table.Kind(t.factors[0]) == DimKind::kFloorDiv) quotient = t.factors[0];
  }
  return quotient;
}

// Returns whether the literal is D//H >= 1 for positive D and H with D == H*(D//H).
bool IsPositiveQuotient(DimTable& table, const FactSource& source, const Literal& literal) {
  const Dim quotient = literal.relation == Relation::kAtLeast ? QuotientLessOne(table, literal.value) : Dim();
  if (quotient.is_none()) return false;
  const Dim whole = table.Operands(quotient)[0], divisor = table.Operands(quotient)[1];
  if (divisor.is_constant()) return false;  // that is a congruence
  const auto holds = [&](const Literal& l) { return Entails(table, source, l) == Truth::kYes; };
  return holds(AtLeast(table, divisor, 1)) && holds(AtLeast(table, whole, 1)) &&
         holds(Equal(table, whole, table.Multiply(divisor, quotient)));
}

// LargerOfTwo: a + max(0, p) >= 0 holds if a + p >= 0.
bool IsLargerOfTwo(DimTable& table, const FactSource& source, const Literal& literal) {
  if (literal.relation != Relation::kAtLeast) return false;
  for (size_t i = 0; i < table.TermCount(literal.value); ++i) {
    const Term t = table.GetTerm(literal.value, i);
    if (t.coefficient != 1 || t.factors.size() != 1 || table.Kind(t.factors[0]) != DimKind::kMaxZero)
      continue;
    const Dim larger = t.factors[0];
    const Dim other = table.Add(table.Subtract(literal.value, larger), table.Operands(larger)[0]);
    if (!other.is_none() && ByBounds(Bounds(table, other, source), Relation::kAtLeast) == Truth::kYes)
      return true;
  }
  return false;
}

Truth EntailsUncached(DimTable& table, const FactSource& source, const Literal& literal) {
  Relation asked = literal.relation;
  const auto decide = [&](const Interval& bounds) { return ByBounds(bounds, asked) != Truth::kMaybe; };
  const EnoughBounds enough = decide;
  // Most queries need no rewriting: they test whether a size is at least 1.
  if (const Truth plain = ByBounds(PlainBounds(table, literal.value, source), literal.relation);
      plain != Truth::kMaybe)
    return plain;
  const PointTruth tried = EvaluateAtPointsOfFacts(table, source, literal);
  if (tried.holds != 0 && tried.holds != tried.computed) return Truth::kMaybe;
  // A literal that is true at all points usually has a proof without simplification.
  std::optional<Interval> direct;
  if (tried.computed != 0) {
    direct = Bounds(table, literal.value, source, &enough);
    if (const Truth truth = ByBounds(*direct, literal.relation); truth != Truth::kMaybe) return truth;
  }
  const Literal l =
      Normalize(table, {SimplifyByFacts(table, source, literal.value, /*solve=*/true), literal.relation});
  if (l == kTrueLiteral) return Truth::kYes;
  if (l == kFalseLiteral) return Truth::kNo;
  if (!BroadcastableSizes(table, l).empty() && AreBroadcastable(table, source, l.value))
    return l.relation == Relation::kEqual ? Truth::kYes : Truth::kNo;
  asked = l.relation;
  const bool is_found = direct && l == literal;  // the bounds of this literal are already computed
  const Interval bounds = NarrowedByForms(
      table, source, l.value, is_found ? *direct : Bounds(table, l.value, source, &enough), &enough);
  const Truth truth = ByBounds(bounds, l.relation);
  if (truth == Truth::kMaybe && (IsPositiveQuotient(table, source, l) || IsLargerOfTwo(table, source, l)))
    return Truth::kYes;
  if (truth != Truth::kMaybe || bounds.empty() || l.relation == Relation::kAtLeast) return truth;
  const Truth on_unequal = l.relation == Relation::kEqual ? Truth::kNo : Truth::kYes;
  const Congruence c = CongruenceByFacts(table, source, l.value);
  if (c.modulus > 1 && c.remainder != 0) return on_unequal;
  for (Dim s : table.SymbolsOf(l.value)) {
    const DerivedFacts* k = source.DerivedFactsAbout(s);
    if (k != nullptr && std::ranges::find(k->not_zero(), l.value) != k->not_zero().end()) return on_unequal;
  }
  std::array<Dim, 1> without{l.value};
  if (!ClearDivisions(table, source, without) || without[0] == l.value) return Truth::kMaybe;
  return EntailsUncached(table, source, {without[0], l.relation});
}

}  // namespace

Truth Entails(DimTable& table, const FactSource& source, const Literal& literal) {
  if (literal.value.is_none()) return Truth::kMaybe;
  if (!literal.value.is_expression()) return EntailsUncached(table, source, literal);
  if (source.is_exhausted()) return Truth::kMaybe;
  const uint64_t before = source.steps();
  std::optional<FactSource::Known<Truth>> known = source.Recall(literal);
  if (known) {
    source.CountSteps(known->steps);
  } else {
    source.CountSteps(static_cast<uint32_t>(1 + table.TermCount(literal.value)));
    known = {EntailsUncached(table, source, literal)};
    known->steps = static_cast<uint32_t>(source.steps() - before);
    if (!source.is_exhausted()) source.Store(literal, *known);
  }
  return source.is_exhausted() ? Truth::kMaybe : known->answer;
}

Truth Entails(DimTable& table, const FactSource& source, const Clause& clause) {
  Clause open;
  for (const Literal& l : clause) {
    const Truth t = Entails(table, source, l);
    if (t == Truth::kYes) return Truth::kYes;
    if (t == Truth::kMaybe) open.push_back(l);
  }
  if (open.empty()) return Truth::kNo;
  for (Literal& l : open) l.value = SimplifyByFacts(table, source, l.value, /*solve=*/true);
  open = Normalize(table, open);
  // The clause holds if a known clause is a subset of it.
  bool may_contain_pair = false;
  for (const Literal& l : open) {
    for (Dim s : table.SymbolsOf(l.value)) {
      const DerivedFacts* k = source.DerivedFactsAbout(s);
      if (k == nullptr) continue;
      may_contain_pair = may_contain_pair || !k->no_conflicts().empty();
      for (const Clause& known : k->open_clauses()) {
        if (std::ranges::all_of(known,
                                [&](const Literal& x) { return std::ranges::find(open, x) != open.end(); }))
          return Truth::kYes;
      }
    }
  }
  // PairOfBroadcastable: the two sizes of the clause may be sizes of a known condition on more.
  const Dim conflict = may_contain_pair ? ConflictOf(table, open) : Dim();
  return !conflict.is_none() && AreBroadcastable(table, source, conflict) ? Truth::kYes : Truth::kMaybe;
}

}  // namespace dimwise
