// Combines two halves into a whole. For an even d,
//     floordiv(p, d) + floordiv(p + d/2, d) = floordiv(p, d/2).
// These are the rows TwoHalves, WholeLessUpperHalf and WholeLessLowerHalf of identities.h. So N//2 +
// (N + 1)//2 is N, and N - (N + 1)//2 is N//2. A size that is split in two and joined again is the original
// size.
//
// A sum of two of these three expressions can be written in several ways. The normal form contains as little
// of the whole as possible. Of two such ways, it uses the lower half: N % 2 is N - 2*(N//2).
#include "core/dims/dim_table.h"

namespace dimwise {
namespace {

using Impl = DimTable::Impl;

Wide Magnitude(Wide a) { return a < 0 ? -a : a; }

int64_t CoefficientOf(const Impl::Sum& sum, ProductId product) {
  for (const StoredTerm& t : sum.view()) {
    if (t.product == product) return t.coefficient;
  }
  return 0;
}

// Returns how many times the sum contains d, ignoring constants. Returns 0 if the sum contains parts of d in
// other amounts than `expected` times.
Wide TimesIn(const Impl& impl, const Impl::Sum& sum, Dim d, Wide expected) {
  StoredTerm one;
  const std::span<const StoredTerm> terms = impl.Terms(d, &one);
  const size_t first = !terms.empty() && terms[0].product == kOne ? 1 : 0;
  if (terms.size() == first + 1 && terms[first].coefficient == 1)
    return CoefficientOf(sum, terms[first].product);
  for (const StoredTerm& t : terms.subspan(first)) {
    if (CoefficientOf(sum, t.product) != expected * t.coefficient) return 0;
  }
  return expected;
}

}  // namespace

// Returns whether the sum may contain the other half or the whole of floordiv(p, d). This is a cheap test
// that rejects most sums.
bool DimTable::Impl::MayHaveOtherHalf(const Sum& sum, const StoredTerm& half, Dim p, int64_t d) const {
  StoredTerm one;
  const ProductId some = Terms(p, &one).back().product;
  for (const StoredTerm& t : sum.view()) {
    if (d == 2 && t.product == some) return true;
    const Entry* e = t.product != half.product ? FloorDivAlone(t.product) : nullptr;
    if (e != nullptr && (e->operands[1].constant() == d || e->operands[1].constant() == d / 2)) return true;
  }
  return false;
}

// Takes the half at the given term, its other half and the whole. If the sum contains two of them, rewrites
// the sum in its normal form.
bool DimTable::Impl::JoinHalf(Sum* sum, uint32_t position) {
  const StoredTerm half = sum->terms[position];
  const Entry* e = FloorDivAlone(half.product);
  const int64_t d = e != nullptr ? e->operands[1].constant() : 1;
  if (d % 2 != 0) return false;
  const Dim p = e->operands[0];
  if (!MayHaveOtherHalf(*sum, half, p, d)) return false;
  const bool is_upper = table->ConstantTerm(p) >= d / 2;
  const Dim low = is_upper ? table->Subtract(p, d / 2) : p, lower = table->FloorDivide(low, d),
            upper = table->FloorDivide(table->Add(low, d / 2), d), whole = table->FloorDivide(low, d / 2);
  if (lower.is_none() || upper.is_none() || whole.is_none()) return false;
  const Wide of_lower = TimesIn(*this, *sum, lower, 0), of_upper = TimesIn(*this, *sum, upper, 0),
             of_whole = TimesIn(*this, *sum, whole, -Wide{half.coefficient});
  const bool without_lower = Magnitude(of_whole + of_lower) < Magnitude(of_whole + of_upper);
  const Wide taken = without_lower ? of_lower : of_upper;
  if (taken == 0) return false;
  Sum result = *sum;
  AddScaled(&result, lower, -taken);
  AddScaled(&result, upper, -taken);
  AddScaled(&result, whole, taken);
  if (result.overflow) return false;
  *sum = result;
  return true;
}

bool DimTable::Impl::JoinHalves(Sum* sum) {
  if (sum->overflow || sum->count - (sum->constant_term() != 0 ? 1 : 0) < 2) return false;
  uint32_t joined = 0;
  for (uint32_t i = 0; i < sum->count && joined < Sum::kCapacity; ++i) {
    if (!JoinHalf(sum, i)) continue;
    ++joined;
    i = UINT32_MAX;  // restart: the terms have changed
  }
  return joined > 0;
}

}  // namespace dimwise
