#include "core/facts/literal_parts.h"

#include <algorithm>
#include <array>

#include "core/base/wide.h"
#include "core/dims/condition_logic.h"

namespace dimwise {
namespace {

using IsPositive = FunctionRef<bool(Dim)>;

constexpr int kMaxDepthOfMin = 3;

// Whether a quotient is rounded down, floordiv(p, d), or up, floordiv(p + d - 1, d).
enum class Rounding { kDown, kUp };

// The d by which p is divided in the quotient, which p may be a part of the way to: H//28 is (H//4)//7, and
// (H + 24)//28 is H//4 by 7, rounded up; else 0.
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

// The remainders that must be 0 for the product of all p to be that of all d*floordiv(p, d), none of which is
// larger, or of those rounded up, none of which is smaller; nothing where the terms are not of this form.
std::vector<Literal> Remainders(DimTable& table, const Term& plain, const Term& rounded, Rounding rounding,
                                IsPositive is_positive) {
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

// The remainders that must be 0 for the product of all floordiv(p, d) to be that of the same rounded up, each
// of which is at least 1 and none smaller; nothing where the terms are not of this form.
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

// The factors that must be 1 for c*p*q == c, where all are at least 1; nothing where the value is not of this
// form.
std::vector<Dim> FactorsOfOne(const DimTable& table, Dim value, IsPositive is_positive) {
  if (!value.is_expression() || table.TermCount(value) != 2) return {};
  const Term a = table.GetTerm(value, 0), b = table.GetTerm(value, 1);
  const Term& product = a.factors.empty() ? b : a;
  const bool is_one = (a.factors.empty() || b.factors.empty()) && Wide{a.coefficient} + b.coefficient == 0;
  if (!is_one || product.factors.size() < 2 || !std::ranges::all_of(product.factors, is_positive)) return {};
  return {product.factors.begin(), product.factors.end()};
}

// What n//d == c says of d, with n >= 0 and d >= 1: that it is at most n//c and more than n//(c + 1).
std::vector<Literal> BoundsOfDivisor(DimTable& table, int64_t n, Dim d, Wide c) {
  if (n < 0 || n == INT64_MAX || c < 0 || c > n) return {};
  const auto quotient = static_cast<int64_t>(c);
  std::vector<Literal> bounds{Normalize(table, AtLeast(table, d, n / (quotient + 1) + 1))};
  if (quotient > 0) bounds.push_back(Normalize(table, AtLeast(table, n / quotient, d)));
  return bounds;
}

// What floordiv(p, d) == c says of p: that it is at least c*d and less than that and d; where p is a number,
// of d. Nothing where the value is not of this form.
std::vector<Literal> BoundsOfQuotient(DimTable& table, Dim value, IsPositive is_positive) {
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

// Whether it is the difference of a symbol and something else.
bool IsOfTwoSizes(const DimTable& table, Dim value) {
  if (table.TermCount(value) != 2 || table.ConstantTerm(value) != 0) return false;
  return std::ranges::any_of(
      std::array{table.GetTerm(value, 0), table.GetTerm(value, 1)},
      [&](const Term& t) { return t.factors.size() == 1 && table.Kind(t.factors[0]) == DimKind::kSymbol; });
}

// The value with t in the place of a max(0, t) that must be more than 0 for the value to be 0, since what it
// is compared with is: N == max(0, min(N, M)) is N == min(N, M).
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

// The term of the sum that is -c*max(0, t), with c > 0; of several the deepest, which may have the others in
// it. Nothing where there is none.
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

// What a minimum is at least, each of its operands is: x - c*max(0, t) >= 0 says that x >= 0 and x - c*t >=
// 0.
void AddBounds(DimTable& table, Dim value, int depth, std::vector<Literal>* parts) {
  const std::optional<Term> term = depth < kMaxDepthOfMin ? NegativeMax(table, value) : std::nullopt;
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
  if (std::ranges::any_of(*parts, [&](const Literal& p) { return Follows(table, part, p); })) return;
  std::erase_if(*parts, [&](const Literal& p) { return Follows(table, p, part); });
  parts->push_back(part);
}

}  // namespace

Dim SharedFactor(const DimTable& table, Dim value, FunctionRef<bool(Dim)> suits) {
  if (!value.is_expression()) return Dim();
  if (table.TermCount(value) == 1 && table.GetTerm(value, 0).factors.size() < 2) return Dim();
  for (const Dim factor : table.GetTerm(value, 0).factors) {
    bool is_shared = true;
    for (size_t i = 1; is_shared && i < table.TermCount(value); ++i) {
      const std::span<const Dim> factors = table.GetTerm(value, i).factors;
      is_shared = std::ranges::find(factors, factor) != factors.end();
    }
    if (is_shared && suits(factor)) return factor;
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
  Dim value = literal.value;
  while (true) {
    const Dim factor = SharedFactor(table, value, is_positive);
    const std::optional<Dim> rest = factor.is_none() ? std::nullopt : table.DivideExactly(value, factor);
    if (!rest) break;
    value = *rest;
  }
  if (literal.relation == Relation::kEqual && value.is_expression() && IsOfTwoSizes(table, value))
    value = WithoutIdleMax(table, value, is_positive);
  if (literal.relation == Relation::kEqual && value.is_expression() && table.TermCount(value) == 2) {
    const Term a = table.GetTerm(value, 0), b = table.GetTerm(value, 1);
    for (const auto& [plain, rounded] : {std::pair(a, b), std::pair(b, a)}) {
      for (const Rounding rounding : {Rounding::kDown, Rounding::kUp}) {
        std::vector<Literal> parts = Remainders(table, plain, rounded, rounding, is_positive);
        if (parts.size() > 1) return parts;
      }
      std::vector<Literal> parts = RemaindersOfBoth(table, plain, rounded, is_positive);
      if (!parts.empty()) return parts;
    }
  }
  if (literal.relation == Relation::kEqual) {
    std::vector<Literal> ones;
    for (const Dim factor : FactorsOfOne(table, value, is_positive)) {
      const std::vector<Literal> parts = PartsOf(table, Equal(table, factor, 1), is_positive);
      ones.insert(ones.end(), parts.begin(), parts.end());
    }
    if (!ones.empty()) return ones;
    if (std::vector<Literal> bounds = BoundsOfQuotient(table, value, is_positive); !bounds.empty())
      return bounds;
  }
  if (literal.relation == Relation::kAtLeast && NegativeMax(table, value)) {
    std::vector<Literal> parts;
    AddBounds(table, value, 0, &parts);
    return parts;
  }
  return {Normalize(table, {value, literal.relation})};
}

}  // namespace dimwise
