// Each rule proves the rows of kPartIdentities (core/dims/identities.h) that its comment names. It returns no
// parts if the literal has another form.
#include "core/facts/literal_parts.h"

#include <algorithm>
#include <array>

#include "core/base/wide.h"
#include "core/dims/condition_logic.h"
#include "core/facts/limits.h"

namespace dimwise {
namespace {

using IsPositive = FunctionRef<bool(Dim)>;

// Whether a quotient is rounded down, floordiv(p, d), or up, floordiv(p + d - 1, d).
enum class Rounding { kDown, kUp };

// Returns d if the quotient is p divided by d, else 0. p may be a quotient itself: H//28 is (H//4)//7, and
// (H + 24)//28 is H//4 divided by 7, rounded up.
int64_t DivisorFrom(DimTable& table, Dim p, Dim quotient, Rounding rounding) {
  const Dim whole = table.Operands(quotient)[0], divisor = table.Operands(quotient)[1];
  if (!divisor.is_constant()) return 0;
  if (p == whole) return rounding == Rounding::kDown ? divisor.constant() : 0;
  const bool is_quotient = table.Kind(p) == DimKind::kFloorDiv && table.Operands(p)[1].is_constant();
  const int64_t part = is_quotient ? table.Operands(p)[1].constant() : 1;
  if (divisor.constant() <= part || divisor.constant() % part != 0) return 0;
  const int64_t d = divisor.constant() / part;
  const Dim divided = rounding == Rounding::kDown ? p : table.Add(p, d - 1);
  return table.FloorDivide(divided, d) == quotient ? d : 0;
}

// For `plain`, a product of factors p, and `rounded`, a product of factors d*floordiv(p, d): floors are not
// larger than p, so the products are equal only if each p % d is 0. The same holds for ceilings, which are
// not smaller. Returns these remainders, or nothing if the terms have another form.
std::vector<Literal> RemaindersOfProduct(DimTable& table, const Term& plain, const Term& rounded,
                                         Rounding rounding, IsPositive is_positive) {
  std::vector<Dim> left(plain.factors.begin(), plain.factors.end());
  std::vector<Literal> parts;
  Wide scale = -Wide{plain.coefficient};
  for (const Dim factor : rounded.factors) {
    if (table.Kind(factor) != DimKind::kFloorDiv) return {};
    const auto divisor_of = [&](Dim p) { return DivisorFrom(table, p, factor, rounding); };
    const auto at = std::ranges::find_if(left, [&](Dim p) { return divisor_of(p) != 0; });
    if (at == left.end() || !is_positive(*at)) return {};
    const Dim p = *at;
    const int64_t d = divisor_of(p);
    left.erase(at);
    scale *= d;
    if (!FitsInt64(scale)) return {};
    parts.push_back(Normalize(table, Equal(table, table.Mod(p, d), 0)));
  }
  return left.empty() && scale == rounded.coefficient ? parts : std::vector<Literal>();
}

// For `down`, a product of floors, and `up`, the product of the ceilings of the same quotients: ceilings are
// not smaller than floors, so the products are equal only if each division is exact. Returns these
// remainders, or nothing if the terms have another form.
std::vector<Literal> RemaindersOfBoth(DimTable& table, const Term& down, const Term& up,
                                      IsPositive is_positive) {
  if (Wide{down.coefficient} + up.coefficient != 0) return {};
  std::vector<Dim> left(up.factors.begin(), up.factors.end());
  std::vector<Literal> parts;
  for (const Dim factor : down.factors) {
    if (table.Kind(factor) != DimKind::kFloorDiv || !table.Operands(factor)[1].is_constant()) return {};
    const Dim p = table.Operands(factor)[0], d = table.Operands(factor)[1];
    const auto at = std::ranges::find(left, table.CeilDivide(p, d));
    if (at == left.end() || (down.factors.size() > 1 && !is_positive(*at))) return {};
    left.erase(at);
    parts.push_back(Normalize(table, Equal(table, table.Mod(p, d), 0)));
  }
  return left.empty() ? parts : std::vector<Literal>();
}

// Returns the factors of c*p*q - c if all are at least 1, or nothing if the value has another form.
std::vector<Dim> FactorsOfOne(const DimTable& table, Dim value, IsPositive is_positive) {
  if (!value.is_expression() || table.TermCount(value) != 2) return {};
  const Term a = table.GetTerm(value, 0), b = table.GetTerm(value, 1);
  const Term& product = a.factors.empty() ? b : a;
  const bool is_one = (a.factors.empty() || b.factors.empty()) && Wide{a.coefficient} + b.coefficient == 0;
  if (!is_one || product.factors.size() < 2 || !std::ranges::all_of(product.factors, is_positive)) return {};
  return {product.factors.begin(), product.factors.end()};
}

// Returns the bounds of d from n//d == c, with n >= 0 and d >= 1: d is at most n//c and more than n//(c + 1).
std::vector<Literal> BoundsOfDivisor(DimTable& table, int64_t n, Dim d, Wide c) {
  if (n < 0 || n == INT64_MAX || c < 0 || c > n) return {};
  const auto quotient = static_cast<int64_t>(c);
  std::vector<Literal> bounds{Normalize(table, AtLeast(table, d, n / (quotient + 1) + 1))};
  if (quotient > 0) bounds.push_back(Normalize(table, AtLeast(table, n / quotient, d)));
  return bounds;
}

// QuotientIsConstant, QuotientOfConstantIsZero. From floordiv(p, d) == c follows c*d <= p < c*d + d. If p is
// a constant, d has bounds.
std::vector<Literal> BoundsOfQuotient(DimTable& table, const Literal& literal, IsPositive is_positive) {
  if (literal.relation != Relation::kEqual) return {};
  const Dim value = literal.value;
  const int64_t constant = table.ConstantTerm(value);
  const Dim form = table.WithoutConstant(value);
  const bool is_negative = table.TermCount(form) == 1 && table.GetTerm(form, 0).coefficient == -1;
  const Dim quotient = is_negative ? table.Negate(form) : form;
  if (!quotient.is_expression() || table.Kind(quotient) != DimKind::kFloorDiv) return {};
  const Dim p = table.Operands(quotient)[0], d = table.Operands(quotient)[1];
  const Wide c = is_negative ? Wide{constant} : -Wide{constant};
  if (p.is_constant() && is_positive(d)) return BoundsOfDivisor(table, p.constant(), d, c);
  if (!d.is_constant()) return {};
  const Wide first = c * d.constant(), last = first + d.constant() - 1;
  if (!FitsInt64(first) || !FitsInt64(last)) return {};
  return {Normalize(table, AtLeast(table, p, static_cast<int64_t>(first))),
          Normalize(table, AtLeast(table, static_cast<int64_t>(last), p))};
}

// Returns whether the value is the difference of a symbol and another term.
bool IsOfTwoSizes(const DimTable& table, Dim value) {
  if (table.TermCount(value) != 2 || table.ConstantTerm(value) != 0) return false;
  return std::ranges::any_of(
      std::array{table.GetTerm(value, 0), table.GetTerm(value, 1)},
      [&](const Term& t) { return t.factors.size() == 1 && table.Kind(t.factors[0]) == DimKind::kSymbol; });
}

// MaximumOfSizeIsIdle. If a max(0, t) must be more than 0 for the value to be 0, returns the value with t in
// its place: N == max(0, min(N, M)) is N == min(N, M). Else returns the value.
Dim WithoutIdleMax(DimTable& table, Dim value, IsPositive is_positive) {
  for (size_t i = 0; value.is_expression() && i < table.TermCount(value); ++i) {
    const Term term = table.GetTerm(value, i);
    if (term.factors.size() != 1 || table.Kind(term.factors[0]) != DimKind::kMaxZero) continue;
    const Dim max = term.factors[0], rest = table.Subtract(value, table.Multiply(term.coefficient, max)),
              other = term.coefficient < 0 ? rest : table.Negate(rest);
    if (!other.is_expression() || !is_positive(other)) continue;
    const Dim plain = table.Add(rest, table.Multiply(term.coefficient, table.Operands(max)[0]));
    if (!plain.is_none()) return plain;
  }
  return value;
}

// Returns the term -c*max(0, t) of the sum, with c > 0. If there are several, returns the deepest one, which
// may contain the others.
std::optional<Term> NegativeMax(const DimTable& table, Dim value) {
  std::optional<Term> found;
  for (size_t i = 0; value.is_expression() && i < table.TermCount(value); ++i) {
    const Term t = table.GetTerm(value, i);
    if (t.coefficient >= 0 || t.coefficient == INT64_MIN || t.factors.size() != 1 ||
        table.Kind(t.factors[0]) != DimKind::kMaxZero)
      continue;
    if (!found || table.Depth(t.factors[0]) > table.Depth(found->factors[0])) found = t;
  }
  return found;
}

// x - c*max(0, t) is the minimum of x and x - c*t, so both are >= 0 if it is.
void AddBounds(DimTable& table, Dim value, int depth, std::vector<Literal>* parts) {
  const std::optional<Term> term = depth < kMaxNestedMinima ? NegativeMax(table, value) : std::nullopt;
  if (term) {
    const Dim max = term->factors[0], rest = table.Subtract(value, table.Multiply(term->coefficient, max)),
              other = table.Add(rest, table.Multiply(term->coefficient, table.Operands(max)[0]));
    if (!rest.is_none() && !other.is_none()) {
      AddBounds(table, rest, depth + 1, parts);
      AddBounds(table, other, depth + 1, parts);
      return;
    }
  }
  const Literal part = Normalize(table, {value, Relation::kAtLeast});
  if (std::ranges::any_of(*parts, [&](const Literal& p) { return IsImpliedBy(table, part, p); })) return;
  std::erase_if(*parts, [&](const Literal& p) { return IsImpliedBy(table, p, part); });
  parts->push_back(part);
}

// ProductOfFloors, ProductOfCeilings, FloorIsCeiling.
std::vector<Literal> RemaindersOf(DimTable& table, const Literal& literal, IsPositive is_positive) {
  const Dim value = literal.value;
  if (literal.relation != Relation::kEqual || !value.is_expression() || table.TermCount(value) != 2)
    return {};
  const Term a = table.GetTerm(value, 0), b = table.GetTerm(value, 1);
  for (const auto& [plain, rounded] : {std::pair(a, b), std::pair(b, a)}) {
    for (const Rounding rounding : {Rounding::kDown, Rounding::kUp}) {
      std::vector<Literal> parts = RemaindersOfProduct(table, plain, rounded, rounding, is_positive);
      if (parts.size() > 1) return parts;
    }
    std::vector<Literal> parts = RemaindersOfBoth(table, plain, rounded, is_positive);
    if (!parts.empty()) return parts;
  }
  return {};
}

// ProductIsOne.
std::vector<Literal> PartsOfOne(DimTable& table, const Literal& literal, IsPositive is_positive) {
  if (literal.relation != Relation::kEqual) return {};
  std::vector<Literal> ones;
  for (const Dim factor : FactorsOfOne(table, literal.value, is_positive)) {
    const std::vector<Literal> parts = PartsOf(table, Equal(table, factor, 1), is_positive);
    ones.insert(ones.end(), parts.begin(), parts.end());
  }
  return ones;
}

// BoundOfMinimum, BoundOfMaximum.
std::vector<Literal> BoundsOfMinimum(DimTable& table, const Literal& literal, IsPositive) {
  std::vector<Literal> parts;
  if (literal.relation == Relation::kAtLeast && NegativeMax(table, literal.value))
    AddBounds(table, literal.value, 0, &parts);
  return parts;
}

constexpr std::vector<Literal> (*kPartRules[])(DimTable&, const Literal&, IsPositive) = {
    RemaindersOf, PartsOfOne, BoundsOfQuotient, BoundsOfMinimum};

// SharedFactor, SharedFactorOfBound. Divides the value by factors of all terms that are at least 1.
Dim WithoutSharedFactors(DimTable& table, Dim value, IsPositive is_positive) {
  while (true) {
    const Dim factor = SharedFactor(table, value, is_positive);
    const std::optional<Dim> rest = factor.is_none() ? std::nullopt : table.DivideExactly(value, factor);
    if (!rest) return value;
    value = *rest;
  }
}

}  // namespace

Dim SharedFactor(const DimTable& table, Dim value, FunctionRef<bool(Dim)> is_suitable) {
  if (!value.is_expression()) return Dim();
  if (table.TermCount(value) == 1 && table.GetTerm(value, 0).factors.size() < 2) return Dim();
  for (const Dim factor : table.GetTerm(value, 0).factors) {
    bool is_shared = true;
    for (size_t i = 1; is_shared && i < table.TermCount(value); ++i) {
      const std::span<const Dim> factors = table.GetTerm(value, i).factors;
      is_shared = std::ranges::find(factors, factor) != factors.end();
    }
    if (is_shared && is_suitable(factor)) return factor;
  }
  return Dim();
}

bool MayHaveParts(const DimTable& table, const Literal& literal) {
  const Dim value = literal.value;
  if (!value.is_expression()) return false;
  if (literal.relation == Relation::kAtLeast && NegativeMax(table, value)) return true;
  for (size_t i = 0; i < table.TermCount(value); ++i) {
    const std::span<const Dim> factors = table.GetTerm(value, i).factors;
    if (factors.size() > 1) return table.ConstantTerm(value) == 0 || table.TermCount(value) == 2;
    if (factors.size() == 1 && table.Kind(factors[0]) == DimKind::kFloorDiv)
      return table.TermCount(value) <= 2;
    if (factors.size() == 1 && table.Kind(factors[0]) == DimKind::kMaxZero)
      return literal.relation == Relation::kEqual && IsOfTwoSizes(table, value);
  }
  return false;
}

std::vector<Literal> PartsOf(DimTable& table, const Literal& literal, IsPositive is_positive) {
  Dim value = WithoutSharedFactors(table, literal.value, is_positive);
  if (literal.relation == Relation::kEqual && value.is_expression() && IsOfTwoSizes(table, value))
    value = WithoutIdleMax(table, value, is_positive);
  const Literal reduced{value, literal.relation};
  for (const auto rule : kPartRules) {
    if (std::vector<Literal> parts = rule(table, reduced, is_positive); !parts.empty()) return parts;
  }
  return {Normalize(table, reduced)};
}

}  // namespace dimwise
