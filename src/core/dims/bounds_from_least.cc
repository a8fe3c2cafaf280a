#include "core/dims/bounds_from_least.h"

#include <algorithm>
#include <array>
#include <span>

#include "core/dims/limits.h"

namespace dimwise {
namespace {

using Sum = DimTable::Impl::Sum;
using BoundsOfAtom = FunctionRef<Interval(Dim)>;

std::span<const Dim> FactorsOf(const DimTable::Impl& table, ProductId id) {
  const Product p = table.products[id];
  return {p.factors, p.count};
}

// Returns whether some term has a subset of the factors of a term of the opposite sign, as N in N*M - N.
bool IsMixed(const DimTable::Impl& table, const Sum& sum) {
  for (const StoredTerm& t : sum.view()) {
    const std::span<const Dim> product = FactorsOf(table, t.product);
    if (product.size() < 2) continue;
    for (const StoredTerm& u : sum.view()) {
      if (u.product == kOne || (u.coefficient > 0) == (t.coefficient > 0)) continue;
      const std::span<const Dim> part = FactorsOf(table, u.product);
      if (part.size() < product.size() && std::ranges::includes(product, part, {}, &Dim::id, &Dim::id))
        return true;
    }
  }
  return false;
}

// Returns whether all atoms have a lower bound of small magnitude, and at least one lower bound is not 0.
bool HaveLeast(const DimTable::Impl& table, const Sum& sum, BoundsOfAtom bounds_of_atom) {
  bool is_some = false;
  for (const StoredTerm& t : sum.view()) {
    const std::span<const Dim> factors = FactorsOf(table, t.product);
    if (factors.size() > kMaxExpandedFactors) return false;
    for (const Dim factor : factors) {
      const Wide least = bounds_of_atom(factor).lo;
      if (least < -kMaxSubstitutedBound || least > kMaxSubstitutedBound) return false;
      is_some |= least != 0;
    }
  }
  return is_some;
}

// Adds the term to `shifted`, with each atom x replaced by least + x.
void AddShifted(DimTable::Impl& table, const StoredTerm& term, BoundsOfAtom bounds_of_atom, Sum* shifted) {
  const std::span<const Dim> factors = FactorsOf(table, term.product);
  std::array<Wide, kMaxExpandedFactors> least;
  for (size_t i = 0; i < factors.size(); ++i) least[i] = bounds_of_atom(factors[i]).lo;
  for (uint32_t kept = 0; kept < uint32_t{1} << factors.size(); ++kept) {
    std::array<Dim, kMaxExpandedFactors> product;
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
}

}  // namespace

Interval BoundsFromLeast(DimTable::Impl& table, const Sum& sum, BoundsOfAtom bounds_of_atom) {
  if (!IsMixed(table, sum) || !HaveLeast(table, sum, bounds_of_atom)) return {};
  Sum shifted;
  for (const StoredTerm& t : sum.view()) AddShifted(table, t, bounds_of_atom, &shifted);
  if (shifted.overflow) return {};
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
