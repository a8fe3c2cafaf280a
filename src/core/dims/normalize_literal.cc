#include "core/dims/normalize_literal.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <optional>

#include "core/base/wide.h"
#include "core/dims/bounds.h"
#include "core/dims/broadcastable.h"
#include "core/dims/condition_logic.h"
#include "core/dims/dim_table.h"

namespace dimwise {
namespace {

// Simplifies a literal under the assumption `bound` >= 0, if both have the same form. For example, F - 3 == 0
// is false where F - 4 >= 0.
Literal GivenBound(DimTable& table, Literal literal, Dim bound) {
  literal = Normalize(table, literal);
  if (literal.value.is_constant() || !bound.is_expression()) return literal;
  const CanonicalForm f = ToCanonicalForm(table, literal.value), b = ToCanonicalForm(table, bound);
  if (f.form != b.form) return literal;
  // The bound of F (upper or lower), and the value of the literal at this bound.
  const Wide end = b.scale > 0 ? -FloorDiv(b.constant, b.scale) : FloorDiv(b.constant, -Wide{b.scale});
  const Wide value = f.scale * end + f.constant;
  const bool at_least = (f.scale > 0) == (b.scale > 0);  // whether `value` is the least value
  const bool never = at_least ? value > 0 : value < 0;
  switch (literal.relation) {
    case Relation::kEqual:
      return never ? kFalseLiteral : literal;
    case Relation::kNotEqual:
      return never ? kTrueLiteral : literal;
    case Relation::kAtLeast:
      return at_least && value >= 0 ? kTrueLiteral : !at_least && value < 0 ? kFalseLiteral : literal;
  }
  return literal;
}

}  // namespace

bool Implies(DimTable& table, const Literal& a, const Literal& b) {
  if (a == b) return true;
  if (!a.value.is_expression() || !b.value.is_expression()) return false;
  if (table.Kind(a.value) == DimKind::kConflict && table.Kind(b.value) == DimKind::kConflict &&
      a.relation == b.relation) {  // BroadcastableSubset
    return a.relation == Relation::kEqual ? ContainsSizes(table, a.value, b.value)
                                          : ContainsSizes(table, b.value, a.value);
  }
  if (a.relation == Relation::kAtLeast) return GivenBound(table, b, a.value) == kTrueLiteral;
  if (a.relation != Relation::kEqual) return false;
  const CanonicalForm f = ToCanonicalForm(table, a.value);
  if (f.constant == INT64_MIN || f.constant % f.scale != 0) return false;
  const Dim number = -(f.constant / f.scale);
  if (const CanonicalForm g = ToCanonicalForm(table, b.value); g.form == f.form) {
    const Dim value = table.Add(table.Multiply(g.scale, number), g.constant);
    return Normalize(table, {value, b.relation}) == kTrueLiteral;
  }
  if (table.Kind(f.form) != DimKind::kSymbol) return false;
  if (!std::ranges::equal(table.SymbolsOf(b.value), std::span(&f.form, 1))) return false;
  const Dim value = table.Substitute(b.value, [&](Dim d) { return d == f.form ? number : Dim(); });
  return Normalize(table, {value, b.relation}) == kTrueLiteral;
}

namespace {

// Returns the only max(0, t) in a sum, or none if there is none or several.
Dim OnlyMaxZero(const DimTable& table, Dim value) {
  Dim found;
  for (size_t i = 0; i < table.TermCount(value); ++i) {
    for (const Dim factor : table.GetTerm(value, i).factors) {
      if (table.Kind(factor) != DimKind::kMaxZero || factor == found) continue;
      if (!found.is_none()) return Dim();
      found = factor;
    }
  }
  return found;
}

// MaximumIsLower, MaximumIsAbove, MaximumIsOperand, MinimumIsBelow, MinimumIsOperand. Simplifies an equality
// with max(0, t), or its negation, if only one of the cases t <= 0 and t > 0 is possible. For example,
// max(0, N - 8) == 0 is N <= 8, and min(N, 8) == 1 is N == 1.
Literal ComparisonByCases(DimTable& table, const Literal& literal) {
  const Dim atom = OnlyMaxZero(table, literal.value);
  if (atom.is_none()) return literal;
  const Dim t = table.Operands(atom)[0];
  const auto in_case = [&](Dim atom_is, const Literal& where) {
    const Dim value = table.Substitute(literal.value, [&](Dim d) { return d == atom ? atom_is : Dim(); });
    return value.is_none() ? literal : GivenBound(table, {value, literal.relation}, where.value);
  };
  const Literal is_below = Normalize(table, AtMost(table, t, 0));
  const Literal is_above = Normalize(table, AtLeast(table, t, 1));
  if (!is_below.value.is_expression() || !is_above.value.is_expression()) return literal;
  const Literal below = in_case(0, is_below), above = in_case(t, is_above);
  // The case is compared in its normal form and as given: t//8 == 1 implies t//8 >= 1 visibly, but not t >=
  // 8.
  const auto is_within = [&](const Literal& l, const Literal& where, const Literal& as_it_stands) {
    return Implies(table, l, where) || Implies(table, l, as_it_stands);
  };
  if (below == above) return below;
  if (above == kFalseLiteral) {
    return below == kTrueLiteral                             ? is_below
           : is_within(below, is_below, AtMost(table, t, 0)) ? below
                                                             : literal;
  }
  if (below == kFalseLiteral) {
    return above == kTrueLiteral                              ? is_above
           : is_within(above, is_above, AtLeast(table, t, 1)) ? above
                                                              : literal;
  }
  // One case always holds and the other holds exactly at the boundary: N == max(N, 8) is N > 8 or N == 8.
  const Literal meet = Normalize(table, Equal(table, t, above == kTrueLiteral ? 0 : 1));
  if (above == kTrueLiteral && below == meet) return Normalize(table, AtLeast(table, t, 0));
  if (below == kTrueLiteral && above == meet) return Normalize(table, AtMost(table, t, 1));
  return literal;
}

// LowerBoundOfMaximum, UpperBoundOfMaximum. c*max(0, t) + k >= 0 is c*t + k >= 0 if every t <= 0 gives the
// same answer as 0. This is so for c > 0 > k and for c < 0 <= k. The maximum may have sizes as factors, as in
// B*max(0, T - 1) >= 1. It may also be written as max(0, -t) + t, as in N - max(0, N - 5), which is 5 -
// max(0, 5 - N).
Dim BoundOfMaximum(DimTable& table, Dim value) {
  const auto is_idle = [](int64_t c, Dim k) { return k.is_constant() && (c > 0) == (k.constant() < 0); };
  for (size_t i = 0; i < table.TermCount(value); ++i) {
    const Term term = table.GetTerm(value, i);
    Dim atom, beside = term.coefficient;
    bool are_sizes = true;
    for (const Dim factor : term.factors) {
      if (atom.is_none() && table.Kind(factor) == DimKind::kMaxZero) {
        atom = factor;
        continue;
      }
      beside = table.Multiply(beside, factor);
      are_sizes = are_sizes && table.Kind(factor) == DimKind::kSymbol && table.GetSymbol(factor).min >= 0;
    }
    if (atom.is_none() || !are_sizes) continue;
    const Dim in_place = table.Multiply(beside, table.Operands(atom)[0]);
    const Dim rest = table.Subtract(value, table.Multiply(beside, atom));
    if (is_idle(term.coefficient, rest)) return table.Add(in_place, rest);
    if (is_idle(term.coefficient, table.Add(rest, in_place))) return rest;
    return value;
  }
  return value;
}

// c*min(max(p, 0), k) + m, which has the normal form c*max(0, p) - c*max(0, p - k) + m.
struct Clamp {
  int64_t scale;     // c
  int64_t constant;  // m
  Dim inside;        // p
  int64_t most;      // k > 0
};

std::optional<Clamp> AsClamp(DimTable& table, Dim value) {
  const size_t count = table.TermCount(value);
  if (count < 2 || count > 3) return std::nullopt;
  int64_t constant = 0, scales[2];
  Dim insides[2];
  size_t found = 0;
  for (size_t i = 0; i < count; ++i) {
    const Term term = table.GetTerm(value, i);
    if (term.factors.empty()) {
      constant = term.coefficient;
      continue;
    }
    if (found == 2 || term.factors.size() != 1 || table.Kind(term.factors[0]) != DimKind::kMaxZero)
      return std::nullopt;
    scales[found] = term.coefficient;
    insides[found++] = table.Operands(term.factors[0])[0];
  }
  if (found != 2 || Wide{scales[0]} + scales[1] != 0) return std::nullopt;
  const Dim apart = table.Subtract(insides[0], insides[1]);
  if (!apart.is_constant() || apart == Dim(0) || apart.constant() == INT64_MIN) return std::nullopt;
  const size_t upper = apart.constant() > 0 ? 0 : 1;
  return Clamp{scales[upper], constant, insides[upper], std::abs(apart.constant())};
}

// LowerBoundOfClamp, UpperBoundOfClamp, ClampWithin, ClampAtLeast, ClampAtMost. Rewrites a comparison of the
// clamp as a comparison of p. The clamp is 0 where p <= 0, and k where p >= k.
Literal OfClamp(DimTable& table, const Clamp& clamp, Relation relation) {
  const Wide scale = clamp.scale, constant = clamp.constant, most = clamp.most;
  const auto is_at_least = [&](Wide j) {  // compares min(max(p, 0), k)
    if (j <= 0) return kTrueLiteral;
    return j > most ? kFalseLiteral : AtLeast(table, clamp.inside, static_cast<int64_t>(j));
  };
  const auto is_at_most = [&](Wide j) {
    if (j >= most) return kTrueLiteral;
    return j < 0 ? kFalseLiteral : AtMost(table, clamp.inside, static_cast<int64_t>(j));
  };
  if (relation == Relation::kAtLeast) {
    return scale > 0 ? is_at_least(-FloorDiv(constant, scale)) : is_at_most(FloorDiv(constant, -scale));
  }
  const bool is_equal = relation == Relation::kEqual;
  if (constant % scale != 0) return is_equal ? kFalseLiteral : kTrueLiteral;
  const Wide j = -constant / scale;
  if (j < 0 || j > most) return is_equal ? kFalseLiteral : kTrueLiteral;
  if (j == 0) return is_equal ? is_at_most(0) : is_at_least(1);
  if (j == most) return is_equal ? is_at_least(most) : is_at_most(most - 1);
  const Dim number = static_cast<int64_t>(j);
  return is_equal ? Equal(table, clamp.inside, number) : NotEqual(table, clamp.inside, number);
}

// LowerBoundOfQuotient, UpperBoundOfQuotient. Returns a term that is >= 0 exactly where floordiv(p, d) +
// constant (or its opposite) is >= 0: p//2 >= 1 is p >= 2. Returns none if the form is no floor division.
Dim BoundOfQuotient(DimTable& table, Dim form, bool is_positive, Wide constant) {
  if (!form.is_expression() || table.Kind(form) != DimKind::kFloorDiv) return Dim();
  const Dim p = table.Operands(form)[0], d = table.Operands(form)[1];
  if (!d.is_constant()) return Dim();
  const Wide bound = constant * d.constant() + (is_positive ? 0 : d.constant() - 1);
  if (!FitsInt64(bound)) return Dim();
  return table.Add(is_positive ? p : table.Negate(p), static_cast<int64_t>(bound));
}

// Returns the normal form of value >= 0.
Literal NormalizeBound(DimTable& table, Dim value) {
  if (const Dim without = BoundOfMaximum(table, value); !without.is_none() && without != value)
    return Normalize(table, {without, Relation::kAtLeast});
  const CanonicalForm f = ToCanonicalForm(table, value);
  const Interval bounds = UniversalBounds(table, value);
  if (f.constant == INT64_MIN) return {value, Relation::kAtLeast};  // the opposite does not fit int64_t
  if (bounds.lo >= 0) return kTrueLiteral;
  if (bounds.hi < 0) return kFalseLiteral;
  const int64_t g = std::abs(f.scale);
  const Dim dividend = BoundOfQuotient(table, f.form, f.scale > 0, FloorDiv(f.constant, g));
  if (!dividend.is_none()) return Normalize(table, {dividend, Relation::kAtLeast});
  const Dim sum = table.Multiply(f.form, f.scale < 0 ? -1 : 1);
  return {table.Add(sum, table.FloorDivide(f.constant, g)), Relation::kAtLeast};  // BoundOfMultiple
}

// Returns the normal form of value == 0, or of its negation.
Literal NormalizeEquality(DimTable& table, const Literal& literal) {
  const CanonicalForm f = ToCanonicalForm(table, literal.value);
  const Interval bounds = UniversalBounds(table, literal.value);
  if (f.constant == INT64_MIN) return literal;                          // the opposite does not fit int64_t
  const bool never = !bounds.Contains(0) || f.constant % f.scale != 0;  // EqualityWithoutSolution
  if (never) return literal.relation == Relation::kEqual ? kFalseLiteral : kTrueLiteral;
  const Dim value = table.Add(f.form, f.constant / f.scale);  // EqualityOfMultiples
  return ComparisonByCases(table, {CeilingIsExact(table, value), literal.relation});
}

Literal NormalizeUncached(DimTable& table, const Literal& literal) {
  if (literal.value.is_none()) return literal;
  if (literal.value.is_constant())
    return IsTrueFor(literal.relation, literal.value.constant()) ? kTrueLiteral : kFalseLiteral;
  if (const std::optional<Clamp> clamp = AsClamp(table, literal.value))
    return Normalize(table, OfClamp(table, *clamp, literal.relation));
  return literal.relation == Relation::kAtLeast ? NormalizeBound(table, literal.value)
                                                : NormalizeEquality(table, literal);
}

}  // namespace

// If p is a floor division, the normal form combines it with the division by m. That form is tried too.
Dim CeilingIsExact(DimTable& table, Dim value) {
  for (size_t i = 0; i < table.TermCount(value); ++i) {
    const Term t = table.GetTerm(value, i);
    if (t.factors.size() != 1 || table.Kind(t.factors[0]) != DimKind::kFloorDiv) continue;
    const Dim divisor = table.Operands(t.factors[0])[1];
    if (!divisor.is_constant() || t.coefficient == 1 || t.coefficient == -1) continue;
    if (table.TermCount(value) == 2 && table.ConstantTerm(value) == 0) {
      const Dim p = table.GetTerm(value, 1 - i).factors[0],
                m = t.coefficient < 0 ? table.Negate(t.coefficient) : Dim(t.coefficient);
      const Dim rounded = table.Subtract(table.Multiply(m, table.CeilDivide(p, m)), p);
      if (value == rounded || value == table.Negate(rounded)) return table.Mod(p, m);
    }
    if (Dim(t.coefficient) != divisor && table.Negate(t.coefficient) != divisor) continue;
    const Dim p = table.Subtract(table.Operands(t.factors[0])[0], divisor.constant() - 1);
    const Dim rounded = table.Subtract(table.Multiply(divisor, t.factors[0]), p);
    if (value == (t.coefficient > 0 ? rounded : table.Negate(rounded))) return table.Mod(p, divisor);
  }
  return value;
}

// Results are cached: they depend on nothing but the literal.
Literal Normalize(DimTable& table, Literal literal) {
  if (!literal.value.is_expression()) return NormalizeUncached(table, literal);
  const auto relation = static_cast<uint8_t>(literal.relation);
  DimTable::Impl::Normalized& slot = table.impl().NormalizedSlot(literal.value, relation);
  if (slot.is_filled && slot.value == literal.value.bits() && slot.relation == relation) {
    return {std::bit_cast<Dim>(slot.result), static_cast<Relation>(slot.result_relation)};
  }
  const Literal result = NormalizeUncached(table, literal);
  slot = {literal.value.bits(), result.value.bits(), relation, static_cast<uint8_t>(result.relation), true};
  return result;
}

}  // namespace dimwise
