#include "dimwise/condition.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <optional>

#include "core/base/wide.h"
#include "core/dims/bounds.h"
#include "core/dims/condition_logic.h"
#include "core/dims/dim_table.h"
#include "core/dims/expression_parser.h"

namespace dimwise {

Literal Equal(DimTable& table, Dim a, Dim b) { return {table.Subtract(a, b), Relation::kEqual}; }
Literal NotEqual(DimTable& table, Dim a, Dim b) { return {table.Subtract(a, b), Relation::kNotEqual}; }
// INT64_MAX is used as "to the end", so it counts as at least every number.
Literal AtLeast(DimTable& table, Dim a, Dim b) {
  if (a == Dim(INT64_MAX) && !b.is_none()) return kTrueLiteral;
  return {table.Subtract(a, b), Relation::kAtLeast};
}
Literal AtMost(DimTable& table, Dim a, Dim b) { return AtLeast(table, b, a); }
Literal LessThan(DimTable& table, Dim a, Dim b) {
  return {table.Subtract(table.Subtract(b, a), 1), Relation::kAtLeast};
}

Literal Not(DimTable& table, Literal literal) {
  switch (literal.relation) {
    case Relation::kEqual:
      return {literal.value, Relation::kNotEqual};
    case Relation::kNotEqual:
      return {literal.value, Relation::kEqual};
    case Relation::kAtLeast:
      return LessThan(table, literal.value, 0);
  }
  return literal;
}

std::optional<Condition> EitherOf(const Condition& a, const Condition& b) {
  if (a.clauses.size() * b.clauses.size() > kMaxClauses) return std::nullopt;
  Condition result;
  for (const Clause& x : a.clauses) {
    for (const Clause& y : b.clauses) {
      Clause joined = x;
      joined.insert(joined.end(), y.begin(), y.end());
      if (joined.size() > kMaxClauses) return std::nullopt;
      result.clauses.push_back(std::move(joined));
    }
  }
  return result;
}

std::optional<Condition> NotOf(DimTable& table, const Condition& a) {
  Condition result{{{}}};  // false; the negations of the clauses are added to it with `or`
  for (const Clause& clause : a.clauses) {
    Condition negated;
    for (const Literal& l : clause) negated.clauses.push_back({Not(table, l)});
    std::optional<Condition> both = EitherOf(result, negated);
    if (!both) return std::nullopt;
    result = std::move(*both);
  }
  return result;
}

namespace {

// Simplifies a literal under the assumption `bound` >= 0, if both have the same form. For example, F - 3 == 0
// is false where F - 4 >= 0.
Literal Given(DimTable& table, Literal literal, Dim bound) {
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

// Returns whether a implies b, as far as this follows without facts. REQUIRES: a is normal.
bool Implies(DimTable& table, const Literal& a, const Literal& b) {
  if (a == b) return true;
  if (!a.value.is_expression() || !b.value.is_expression()) return false;
  if (a.relation == Relation::kAtLeast) return Given(table, b, a.value) == kTrueLiteral;
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

// Simplifies a comparison with max(0, t) if only one of the cases t <= 0 and t > 0 is possible. For example,
// max(0, N - 8) == 0 is N <= 8, and min(N, 8) == 1 is N == 1.
Literal ByCases(DimTable& table, const Literal& literal) {
  const Dim atom = literal.relation == Relation::kAtLeast ? Dim() : OnlyMaxZero(table, literal.value);
  if (atom.is_none()) return literal;
  const Dim t = table.Operands(atom)[0];
  const auto in_case = [&](Dim atom_is, const Literal& where) {
    const Dim value = table.Substitute(literal.value, [&](Dim d) { return d == atom ? atom_is : Dim(); });
    return value.is_none() ? literal : Given(table, {value, literal.relation}, where.value);
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

// c*max(0, t) + k >= 0 is c*t + k >= 0 if every t <= 0 gives the same answer as 0. This is so for c > 0 > k
// and for c < 0 <= k. The maximum may have sizes as factors, as in B*max(0, T - 1) >= 1. It may also be
// written as max(0, -t) + t, as in N - max(0, N - 5), which is 5 - max(0, 5 - N).
Dim WithoutMaxZero(DimTable& table, Dim value) {
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

// Rewrites a comparison of the clamp as a comparison of p. The clamp is 0 where p <= 0, and k where p >= k.
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

// p rounded up to a multiple of m equals p exactly if p % m is 0. Returns p % m if `value` is the difference
// of the two, or its opposite. Also handles a p that is a floor division, which the normal form combines with
// the division by m.
Dim ByRemainder(DimTable& table, Dim value) {
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

// Returns a term that is >= 0 exactly where floordiv(p, d) + constant (or its opposite) is >= 0: p//2 >= 1 is
// p >= 2. Returns none if the form is no floor division.
Dim WithoutFloorDivision(DimTable& table, Dim form, bool is_positive, Wide constant) {
  if (!form.is_expression() || table.Kind(form) != DimKind::kFloorDiv) return Dim();
  const Dim p = table.Operands(form)[0], d = table.Operands(form)[1];
  if (!d.is_constant()) return Dim();
  const Wide bound = constant * d.constant() + (is_positive ? 0 : d.constant() - 1);
  if (!FitsInt64(bound)) return Dim();
  return table.Add(is_positive ? p : table.Negate(p), static_cast<int64_t>(bound));
}

Literal NormalizeAnew(DimTable& table, const Literal& literal);

}  // namespace

// Returns the normal form of a literal. Results are cached: they depend on nothing but the literal.
Literal Normalize(DimTable& table, Literal literal) {
  if (!literal.value.is_expression()) return NormalizeAnew(table, literal);
  const auto relation = static_cast<uint8_t>(literal.relation);
  DimTable::Impl::Normalized& slot = table.impl().NormalizedSlot(literal.value, relation);
  if (slot.is_filled && slot.value == literal.value.bits() && slot.relation == relation) {
    return {std::bit_cast<Dim>(slot.result), static_cast<Relation>(slot.result_relation)};
  }
  const Literal result = NormalizeAnew(table, literal);
  slot = {literal.value.bits(), result.value.bits(), relation, static_cast<uint8_t>(result.relation), true};
  return result;
}

namespace {

Literal NormalizeAnew(DimTable& table, const Literal& literal) {
  if (literal.value.is_none()) return literal;
  if (literal.value.is_constant()) {
    return IsSo(literal.relation, literal.value.constant()) ? kTrueLiteral : kFalseLiteral;
  }
  if (const std::optional<Clamp> clamp = AsClamp(table, literal.value)) {
    return Normalize(table, OfClamp(table, *clamp, literal.relation));
  }
  if (literal.relation == Relation::kAtLeast) {
    const Dim value = WithoutMaxZero(table, literal.value);
    if (!value.is_none() && value != literal.value) return Normalize(table, {value, Relation::kAtLeast});
  }
  const CanonicalForm f = ToCanonicalForm(table, literal.value);
  const Interval bounds = UniversalBounds(table, literal.value);
  if (f.constant == INT64_MIN) return literal;  // the opposite does not fit int64_t
  const int64_t g = f.scale < 0 ? -f.scale : f.scale;
  if (literal.relation == Relation::kAtLeast) {
    if (bounds.lo >= 0) return kTrueLiteral;
    if (bounds.hi < 0) return kFalseLiteral;
    const Dim undivided = WithoutFloorDivision(table, f.form, f.scale > 0, FloorDiv(f.constant, g));
    if (!undivided.is_none()) return Normalize(table, {undivided, Relation::kAtLeast});
    const Dim sum = table.Multiply(f.form, f.scale < 0 ? -1 : 1);
    return {table.Add(sum, table.FloorDivide(f.constant, g)), Relation::kAtLeast};
  }
  const bool never = !bounds.Contains(0) || f.constant % g != 0;
  if (never) return literal.relation == Relation::kEqual ? kFalseLiteral : kTrueLiteral;
  return ByCases(table, {ByRemainder(table, table.Add(f.form, f.constant / f.scale)), literal.relation});
}

}  // namespace

bool Follows(DimTable& table, const Literal& what, const Literal& from) {
  const Literal normal = Normalize(table, what);
  return normal == kTrueLiteral || Implies(table, Normalize(table, from), normal);
}

Clause Normalize(DimTable& table, const Clause& clause) {
  Clause result;
  for (const Literal& l : clause) {
    const Literal n = Normalize(table, l);
    if (n == kTrueLiteral) return {kTrueLiteral};
    if (n != kFalseLiteral) result.push_back(n);
  }
  std::ranges::sort(result, [&](const Literal& a, const Literal& b) {
    if (const auto o = table.Order(a.value, b.value); o != 0) return o < 0;
    return a.relation < b.relation;
  });
  result.erase(std::unique(result.begin(), result.end()), result.end());
  // N >= 8 or N <= 7 always holds.
  for (size_t i = 0; i < result.size(); ++i) {
    for (size_t j = i + 1; j < result.size(); ++j) {
      if (result[i].relation != Relation::kAtLeast || result[j].relation != Relation::kAtLeast) continue;
      const Dim apart = table.Add(result[i].value, result[j].value);
      if (apart.is_constant() && apart.constant() >= -1) return {kTrueLiteral};
    }
  }
  // Remove each literal that implies another one.
  for (size_t i = result.size(); i-- > 0;) {
    const bool implies = std::ranges::any_of(result, [&](const Literal& other) {
      return &other != &result[i] && Implies(table, result[i], other);
    });
    if (implies) result.erase(result.begin() + static_cast<ptrdiff_t>(i));
  }
  return result;
}

namespace {

// Prints `value REL 0` with the negative terms on the right side.
std::string PrintComparison(DimTable& table, Dim value, std::string_view relation, std::string_view flipped) {
  Dim left = 0, right = 0;
  for (size_t i = 0; i < table.TermCount(value); ++i) {
    const Term t = table.GetTerm(value, i);
    Dim product = t.coefficient;
    for (Dim f : t.factors) product = table.Multiply(product, f);
    Dim& side = t.coefficient > 0 ? left : right;
    side = t.coefficient > 0 ? table.Add(side, product) : table.Subtract(side, product);
  }
  const auto text = [&](Dim a, std::string_view rel, Dim b) {
    return table.ToString(a) + " " + std::string(rel) + " " + table.ToString(b);
  };
  const bool constant_first = left.is_constant() && !right.is_constant();
  const std::string split = constant_first ? text(right, flipped, left) : text(left, relation, right);
  const Dim sum = table.WithoutConstant(value), constant = table.ConstantTerm(value);
  std::string shortest = split;
  for (const std::string& other :
       {text(sum, relation, table.Negate(constant)), text(table.Negate(sum), flipped, constant)}) {
    if (other.size() < shortest.size()) shortest = other;
  }
  return shortest;
}

}  // namespace

std::string ToString(DimTable& table, const Literal& literal) {
  switch (literal.relation) {
    case Relation::kEqual:
      return PrintComparison(table, ByRemainder(table, literal.value), "==", "==");
    case Relation::kNotEqual:
      return PrintComparison(table, ByRemainder(table, literal.value), "!=", "!=");
    case Relation::kAtLeast:
      return PrintComparison(table, literal.value, ">=", "<=");
  }
  return {};
}

std::string ToString(DimTable& table, const Clause& clause) {
  if (clause.empty()) return "1 == 0";
  std::string text;
  for (const Literal& l : clause) text += (text.empty() ? "" : " or ") + ToString(table, l);
  return text;
}

std::string ToString(DimTable& table, const Condition& condition) {
  if (condition.clauses.empty()) return "0 == 0";
  std::string text;
  for (const Clause& c : condition.clauses) {
    const std::string one = ToString(table, c);
    text += (text.empty() ? "" : " and ") +
            (c.size() > 1 && condition.clauses.size() > 1 ? "(" + one + ")" : one);
  }
  return text;
}

Result<Condition> ParseCondition(DimTable& table, std::string_view text) {
  return ExpressionParser(table, text).ParseConditions();
}

}  // namespace dimwise
