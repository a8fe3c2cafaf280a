// The normal form of max(0, t), of maxima and of minima.
//
// A maximum is expressed by max(0, t) (rows MaximumByDifference and MinimumByDifference of identities.h).
// Each rule below is a row of kMaxIdentities and has its name. A rule returns none if t has another form.
#include <algorithm>
#include <numeric>

#include "core/dims/bounds.h"
#include "core/dims/dim_table.h"

namespace dimwise {
namespace {

using Impl = DimTable::Impl;

// Returns the greatest common divisor. Returns 1 if it is 2^63, which does not fit int64_t.
int64_t CommonDivisor(std::span<const StoredTerm> terms) {
  uint64_t g = 0;
  for (const StoredTerm& t : terms) {
    const auto bits = static_cast<uint64_t>(t.coefficient);
    g = std::gcd(g, t.coefficient < 0 ? uint64_t{0} - bits : bits);
  }
  return g > INT64_MAX ? 1 : static_cast<int64_t>(g);
}

// For t = c*max(0, s) - k with c > 0 and k >= 0: t and c*s - k differ only where both are <= 0.
Dim MaximumOfMaximum(Impl& impl, Dim t) {
  StoredTerm one;
  const std::span<const StoredTerm> terms = impl.Terms(t, &one);
  const bool has_constant = terms[0].product == kOne;
  if (terms.size() != (has_constant ? 2 : 1) || (has_constant && terms[0].coefficient > 0)) return Dim();
  const StoredTerm term = terms.back();
  const Entry* inner = impl.MaxZeroAlone(term.product);
  if (term.coefficient <= 0 || inner == nullptr) return Dim();
  Impl::Sum sum;
  sum.Add(kOne, has_constant ? terms[0].coefficient : 0);
  impl.AddScaled(&sum, inner->operands[0], term.coefficient);
  const Dim flat = impl.Intern(sum);
  return flat.is_none() ? Dim() : impl.MaxZero(flat);
}

// For t = min(p, k) with k > 0, which has the normal form p - max(0, p - k).
Dim MaximumOfMinimum(Impl& impl, Dim t) {
  StoredTerm one;
  for (const StoredTerm& term : impl.Terms(t, &one)) {
    const Entry* max = term.coefficient == -1 ? impl.MaxZeroAlone(term.product) : nullptr;
    if (max == nullptr) continue;
    const Dim inner = max->operands[0], atom = impl.products[term.product].factors[0];
    const Dim p = impl.table->Add(t, atom), k = impl.table->Subtract(p, inner);
    if (k.is_constant() && k.constant() > 0) return impl.table->Subtract(impl.MaxZero(p), atom);
  }
  return Dim();
}

// MaximumOfNonNegative and MaximumOfNonPositive, for all t with such bounds.
Dim MaximumOfKnownSign(Impl& impl, Dim t) {
  const Interval bounds = UniversalBounds(*impl.table, t);
  return bounds.lo >= 0 ? t : bounds.hi <= 0 ? Dim(0) : Dim();
}

// Factors out the gcd of all coefficients.
Dim MaximumOfMultiple(Impl& impl, Dim t) {
  StoredTerm one;
  const std::span<const StoredTerm> terms = impl.Terms(t, &one);
  const int64_t g = CommonDivisor(terms);
  if (g == 1) return Dim();
  Impl::Sum smaller;
  for (const StoredTerm& term : terms) smaller.Add(term.product, term.coefficient / g);
  return impl.table->Multiply(g, impl.MaxZero(impl.Intern(smaller)));
}

// Returns the maximum for t or -t, whichever has a positive first term.
Dim MaximumOfOpposite(Impl& impl, Dim t) {
  StoredTerm one;
  const std::span<const StoredTerm> terms = impl.Terms(t, &one);
  if (terms[terms[0].product == kOne ? 1 : 0].coefficient > 0) return Dim();
  return impl.table->Add(t, impl.MaxZero(impl.table->Negate(t)));
}

constexpr Dim (*kMaxRules[])(Impl&, Dim) = {MaximumOfMaximum, MaximumOfMinimum, MaximumOfKnownSign,
                                            MaximumOfMultiple, MaximumOfOpposite};

}  // namespace

Dim DimTable::Impl::MaxZero(Dim t) {
  if (t.is_none()) return Dim();
  if (t.is_constant()) return std::max<int64_t>(0, t.constant());
  Recent& slot = RecentSlot(kRecentMaxZero, t, t);
  if (slot.operation == kRecentMaxZero && slot.a == t) return slot.result;
  Dim result;
  for (size_t i = 0; i < std::size(kMaxRules) && result.is_none(); ++i) result = kMaxRules[i](*this, t);
  if (result.is_none() && MayNest({&t, 1})) {
    result = InternAtom(DimKind::kMaxZero, {&t, 1});
    NoteRemainderSign(result);
  }
  if (result.is_none()) result = DefinedOf(Operation::kMaxZero, {t});
  slot = {t, t, result, kRecentMaxZero};
  return result;
}

Dim DimTable::Max(Dim a, Dim b) { return Add(b, impl_->MaxZero(Subtract(a, b))); }

Dim DimTable::Min(Dim a, Dim b) { return Subtract(a, impl_->MaxZero(Subtract(a, b))); }

}  // namespace dimwise
