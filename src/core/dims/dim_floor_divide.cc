// The normal form of floor divisions.
//
// A division by a constant is a Quotient: whole + sign*floordiv(rest, divisor). Rules rewrite the quotient
// until no rule applies; then the floor division that is left becomes an atom. Each rule is a row of
// kFloorDivideIdentities (identities.h) and has the name of the row.
#include <algorithm>
#include <numeric>
#include <optional>

#include "core/dims/dim_table.h"

namespace dimwise {
namespace {

using Impl = DimTable::Impl;
using Sum = Impl::Sum;

struct Quotient {
  Sum whole;
  Sum rest;
  int64_t divisor;  // > 0
  Wide sign = 1;
};

// Moves the multiples of the divisor out of each coefficient. Leaves coefficients in 0 .. divisor-1.
void QuotientOfMultiple(Quotient* q) {
  Sum reduced;
  for (const StoredTerm& t : q->rest.view()) {
    const Wide multiple = FloorDiv(t.coefficient, q->divisor);
    q->whole.Add(t.product, q->sign * multiple);
    reduced.Add(t.product, t.coefficient - multiple * q->divisor);
  }
  q->rest = reduced;
}

// Cancels the gcd of the divisor and all coefficients; the constant is rounded down. REQUIRES: the
// coefficients are in 0 .. divisor-1.
bool CommonFactor(Quotient* q) {
  int64_t g = q->divisor;
  for (const StoredTerm& t : q->rest.view()) {
    if (t.product != kOne) g = std::gcd(g, t.coefficient);
  }
  if (g == 1) return false;
  Sum smaller;
  for (const StoredTerm& t : q->rest.view()) smaller.Add(t.product, FloorDiv(t.coefficient, g));
  q->rest = smaller;
  q->divisor /= g;
  return true;
}

// With p = m*floordiv(p, m) + p % m, removes p % m from a sum of p % m and multiples of m. The result
// contains less of p.
bool RemainderBesideMultiples(const Impl& impl, Quotient* q) {
  for (const StoredTerm& t : q->rest.view()) {
    const Entry* e = impl.FloorDivAlone(t.product);
    const int64_t m = e != nullptr ? e->operands[1].constant() : 0;
    if (m <= 1 || m >= q->divisor || q->divisor % m != 0) continue;
    Sum multiples = q->rest;
    impl.AddScaled(&multiples, e->operands[0], -1);
    multiples.Add(t.product, m);
    const auto is_multiple = [m](const StoredTerm& x) { return x.coefficient % m == 0; };
    if (multiples.overflow || !std::ranges::all_of(multiples.view(), is_multiple)) continue;
    Sum smaller;
    for (const StoredTerm& x : multiples.view()) smaller.Add(x.product, x.coefficient / m);
    q->rest = smaller;
    q->divisor /= m;
    return true;
  }
  return false;
}

// Returns floordiv(rest, divisor) if the rest is c*max(0, t) + k: rounding down is monotone, and k/divisor
// rounds down to 0. Returns nullopt if the rest has another form, none if the result is too large.
std::optional<Dim> QuotientOfMaximum(const Impl& impl, const Quotient& q) {
  DimTable& table = *impl.table;
  const bool has_constant = q.rest.terms[0].product == kOne;
  if (q.rest.count != (has_constant ? 2u : 1u)) return std::nullopt;
  const StoredTerm term = q.rest.terms[q.rest.count - 1];
  const Entry* max = impl.MaxZeroAlone(term.product);
  if (max == nullptr) return std::nullopt;
  const Dim t = max->operands[0];
  for (size_t i = 0; i < table.TermCount(t); ++i) {  // several maxima stay together: facts decide them
    for (const Dim f : table.GetTerm(t, i).factors) {
      if (table.Kind(f) == DimKind::kMaxZero) return std::nullopt;
    }
  }
  const Dim inner = table.Add(table.Multiply(term.coefficient, t), q.rest.constant_term());
  return table.Max(table.FloorDivide(inner, q.divisor), 0);
}

// Rounds to the other side if this makes the coefficients smaller: floordiv(3*p, 4) is p - floordiv(p + 3,
// 4). So each way to round a size up to a multiple gives the same atom.
bool OppositeRounding(Quotient* q) {
  Wide here = 0, there = 0;
  for (const StoredTerm& t : q->rest.view()) {
    if (t.product == kOne) continue;
    here += t.coefficient;
    there += Wide{q->divisor} - t.coefficient;
  }
  if (here <= there) return false;
  Sum opposite;
  for (const StoredTerm& t : q->rest.view()) {
    if (t.product == kOne) continue;
    opposite.Add(t.product, Wide{q->divisor} - t.coefficient);
    q->whole.Add(t.product, q->sign);
  }
  opposite.Add(kOne, Wide{q->divisor} - 1 - q->rest.constant_term());
  q->rest = opposite;
  q->sign = -q->sign;
  return true;
}

// Combines the only inner floor division with coefficient 1 with the outer one. Sets rest.overflow if a
// number becomes too large.
bool NestedQuotient(const Impl& impl, Quotient* q) {
  const StoredTerm* inner = nullptr;
  for (const StoredTerm& t : q->rest.view()) {
    if (t.coefficient != 1 || impl.FloorDivAlone(t.product) == nullptr) continue;
    if (inner != nullptr) return false;
    inner = &t;
  }
  if (inner == nullptr) return false;
  const Entry* e = impl.FloorDivAlone(inner->product);
  const int64_t m = e->operands[1].constant();  // > 0 in the normal form
  if (!FitsInt64(Wide{m} * q->divisor)) return false;
  Sum outer;
  for (const StoredTerm& t : q->rest.view()) {
    if (t.product != inner->product) outer.Add(t.product, Wide{t.coefficient} * m);
  }
  impl.AddScaled(&outer, e->operands[0], 1);
  q->rest = outer;
  q->divisor *= m;
  return true;
}

}  // namespace

// NegativeDividend. Uses the ceiling if all terms of a except the constant are negative: -(-N//2) is
// (N + 1)//2. Returns nullopt if a has another form, none if the result is too large.
std::optional<Dim> DimTable::Impl::FloorDivideOfNegative(Dim a, int64_t divisor) {
  StoredTerm one;
  for (const StoredTerm& t : Terms(a, &one)) {
    if (t.product != kOne && t.coefficient > 0) return std::nullopt;
  }
  Sum negated;
  AddScaled(&negated, a, -1);
  negated.Add(kOne, Wide{divisor} - 1);
  const Dim dividend = Intern(negated);
  if (dividend.is_none()) return std::nullopt;
  return table->Negate(FloorDivideByConstant(dividend, divisor));
}

// REQUIRES: divisor > 0.
Dim DimTable::Impl::FloorDivideByConstant(Dim a, int64_t divisor) {
  if (divisor == 1) return a;
  if (a.is_expression()) {
    if (const std::optional<Dim> result = FloorDivideOfNegative(a, divisor)) return *result;
  }
  Quotient q{{}, {}, divisor};
  AddScaled(&q.rest, a, 1);
  while (true) {
    if (q.rest.overflow) return Dim();
    QuotientOfMultiple(&q);
    if (q.rest.is_constant()) return Normal(&q.whole);  // the constant is in 0 .. divisor-1
    if (CommonFactor(&q) || JoinHalves(&q.rest) || RemainderBesideMultiples(*this, &q)) continue;
    if (const std::optional<Dim> maximum = QuotientOfMaximum(*this, q)) {
      if (maximum->is_none()) return Dim();
      AddScaled(&q.whole, *maximum, q.sign);
      return Normal(&q.whole);
    }
    if (OppositeRounding(&q) && RemainderBesideMultiples(*this, &q)) continue;
    if (!NestedQuotient(*this, &q)) break;
  }
  const Dim dividend = Intern(q.rest);
  const Dim operands[] = {dividend, q.divisor};
  if (dividend.is_none() || !MayNest(operands)) return Dim();
  q.whole.Add(At(InternAtom(DimKind::kFloorDiv, operands)).product, q.sign);
  return Normal(&q.whole);
}

Dim DimTable::FloorDivide(Dim a, Dim b) {
  if (a.is_none() || b.is_none() || b == Dim(0)) return Dim();
  if (a.is_constant() && b.is_constant()) {
    const Dim c = ConstantOrNone(FloorDiv(a.constant(), b.constant()));
    return c.is_none() ? impl_->DefinedOf(Operation::kFloorDiv, {a, b}) : c;
  }
  Impl::Recent& slot = impl_->RecentSlot(Impl::kRecentFloorDivide, a, b);
  if (slot.operation == Impl::kRecentFloorDivide && slot.a == a && slot.b == b) return slot.result;
  Dim result;
  if (b.is_constant()) {
    if (b.constant() > 0) {
      result = impl_->FloorDivideByConstant(a, b.constant());
    } else if (b.constant() != INT64_MIN) {
      result = FloorDivide(Negate(a), -b.constant());  // NegativeDivisor
    }
  } else if (const Dim operands[] = {a, b}; impl_->MayNest(operands)) {
    result = impl_->InternAtom(DimKind::kFloorDiv, operands);
  }
  if (result.is_none()) result = impl_->DefinedOf(Operation::kFloorDiv, {a, b});
  slot = {a, b, result, Impl::kRecentFloorDivide};
  return result;
}

Dim DimTable::CeilDivide(Dim a, Dim b) {
  if (b.is_constant() && b.constant() > 0) return FloorDivide(Add(a, b.constant() - 1), b);
  return Negate(FloorDivide(Negate(a), b));
}

Dim DimTable::Mod(Dim a, Dim b) { return Subtract(a, Multiply(b, FloorDivide(a, b))); }

}  // namespace dimwise
