// The two halves of a whole. For an even d,
//     floordiv(p, d) + floordiv(p + d/2, d) = floordiv(p, d/2),
// so N//2 + (N + 1)//2 is N, and N - (N + 1)//2 is N//2: what is split in two and joined again is what it
// was. Of the ways to write a sum by two of the three, the one with less of the whole is its normal form;
// where there are two of them, the one with the lower half, so that N % 2 is N - 2*(N//2).
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

// How many times the sum has d, leaving the constants aside; 0 where it has other parts of it than `expected`
// times d.
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

// Whether the sum may have the other half or the whole of floordiv(p, d). What it is looked at by is cheap:
// most have neither.
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

// Writes the half that is the term at `place`, its other half and the whole by two of them, if it is one.
bool DimTable::Impl::JoinHalf(Sum* sum, uint32_t place) {
  const StoredTerm half = sum->terms[place];
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
    i = UINT32_MAX;  // from the start: there are other terms now
  }
  return joined > 0;
}

}  // namespace dimwise
