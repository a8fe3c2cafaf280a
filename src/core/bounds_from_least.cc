#include "core/bounds_from_least.h"

#include <array>
#include <span>

namespace dimwise {
namespace {

using Sum = DimTable::Impl::Sum;
using BoundsOfAtom = FunctionRef<Interval(Dim)>;

// Products of more atoms have too many parts; atoms that begin further out would overflow a coefficient.
constexpr uint32_t kMostFactors = 3;
constexpr Wide kFurthestLeast = Wide{1} << 20;

std::span<const Dim> FactorsOf(const DimTable::Impl& table, ProductId id) {
  const Product p = table.products[id];
  return {p.factors, p.count};
}

// Whether there is a product of several atoms, and terms of either sign.
bool IsMixed(const DimTable::Impl& table, const Sum& sum) {
  bool has_product = false, has_positive = false, has_negative = false;
  for (const StoredTerm& t : sum.view()) {
    if (t.product == kOne) continue;
    has_product |= table.products[t.product].count > 1;
    (t.coefficient > 0 ? has_positive : has_negative) = true;
  }
  return has_product && has_positive && has_negative;
}

// Adds the term with least + x in the place of each atom x. False where one has no least that is near.
bool AddShifted(DimTable::Impl& table, const StoredTerm& term, BoundsOfAtom bounds_of_atom, Sum* shifted) {
  const std::span<const Dim> factors = FactorsOf(table, term.product);
  if (factors.size() > kMostFactors) return false;
  std::array<Wide, kMostFactors> least;
  for (size_t i = 0; i < factors.size(); ++i) {
    least[i] = bounds_of_atom(factors[i]).lo;
    if (least[i] < -kFurthestLeast || least[i] > kFurthestLeast) return false;
  }
  for (uint32_t kept = 0; kept < uint32_t{1} << factors.size(); ++kept) {
    std::array<Dim, kMostFactors> product;
    size_t count = 0;
    Wide coefficient = term.coefficient;
    for (size_t i = 0; i < factors.size(); ++i) {
      if ((kept >> i & 1) != 0) {
        product[count++] = factors[i];
      } else {
        coefficient *= least[i];
      }
    }
    if (coefficient != 0) shifted->Add(table.InternProduct({product.data(), count}), coefficient);
  }
  return !shifted->overflow;
}

}  // namespace

Interval BoundsFromLeast(DimTable::Impl& table, const Sum& sum, BoundsOfAtom bounds_of_atom) {
  if (!IsMixed(table, sum)) return {};
  Sum shifted;
  for (const StoredTerm& t : sum.view()) {
    if (!AddShifted(table, t, bounds_of_atom, &shifted)) return {};
  }
  Interval result = Interval::Of(0);
  for (const StoredTerm& t : shifted.view()) {
    Interval term = Interval::Of(t.coefficient);
    for (const Dim factor : FactorsOf(table, t.product)) {
      const Interval bounds = bounds_of_atom(factor);
      term = term * Interval{0, bounds.has_hi() ? bounds.hi - bounds.lo : Interval::kInfinity};
    }
    result = result + term;
  }
  return result;
}

}  // namespace dimwise
