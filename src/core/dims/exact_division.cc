// Exact division: of polynomials, by long division from the leading term down, and by a constant with a known
// remainder.
#include "core/dims/exact_division.h"

#include <algorithm>

#include "core/dims/dim_table.h"

namespace dimwise {
namespace {

using Impl = DimTable::Impl;

// A graded order of products: by the number of factors, then by the IDs from the largest down. Multiplication
// by a third product preserves the order, as long division requires.
bool Less(const Impl& impl, ProductId a, ProductId b) {
  const Product &x = impl.products[a], &y = impl.products[b];
  if (x.count != y.count) return x.count < y.count;
  for (uint32_t i = x.count; i-- > 0;) {
    if (x.factors[i] != y.factors[i]) return x.factors[i].id() < y.factors[i].id();
  }
  return false;
}

StoredTerm Leading(const Impl& impl, std::span<const StoredTerm> terms) {
  return *std::ranges::max_element(
      terms, [&](const StoredTerm& s, const StoredTerm& t) { return Less(impl, s.product, t.product); });
}

// Computes a / b for products. Returns false unless the factors of b are a subset of those of a.
bool DivideProducts(Impl& impl, ProductId a, ProductId b, ProductId* quotient) {
  const Product x = impl.products[a], y = impl.products[b];
  std::array<Dim, DimTable::kMaxFactors> rest;
  uint32_t n = 0, j = 0;
  for (uint32_t i = 0; i < x.count; ++i) {
    if (j < y.count && x.factors[i] == y.factors[j]) {
      ++j;
    } else {
      rest[n++] = x.factors[i];
    }
  }
  if (j != y.count) return false;
  *quotient = impl.InternProduct(std::span<const Dim>(rest.data(), n));
  return true;
}

}  // namespace

std::optional<Dim> DimTable::DivideExactly(Dim a, Dim b) {
  if (a.is_none() || b.is_none() || b == Dim(0)) return std::nullopt;
  if (a == Dim(0)) return Dim(0);
  if (a == b) return Dim(1);
  StoredTerm one;
  const std::span<const StoredTerm> divisor = impl_->Terms(b, &one);
  const StoredTerm lead = Leading(*impl_, divisor);
  Impl::Sum rest, quotient;
  impl_->AddScaled(&rest, a, 1);
  for (size_t steps = 0; rest.count > 0; ++steps) {
    if (steps > kMaxTerms || rest.overflow) return std::nullopt;
    const StoredTerm top = Leading(*impl_, rest.view());
    ProductId product;
    if (Wide{top.coefficient} % lead.coefficient != 0 ||
        !DivideProducts(*impl_, top.product, lead.product, &product))
      return std::nullopt;
    const Wide c = Wide{top.coefficient} / lead.coefficient;
    quotient.Add(product, c);
    for (const StoredTerm& t : divisor) {
      ProductId p;
      if (!impl_->MultiplyProducts(product, t.product, &p)) return std::nullopt;
      rest.Add(p, -c * t.coefficient);
    }
  }
  const Dim result = impl_->Normal(&quotient);
  if (result.is_none()) return std::nullopt;
  return result;
}

Dim TimesDivisor(DimTable& table, Dim d, const ExactDivision& division, int power) {
  Dim result = 0;
  for (size_t i = 0; i < table.TermCount(d); ++i) {
    const Term term = table.GetTerm(d, i);
    Dim product = term.coefficient;
    int count = 0;
    for (const Dim factor : term.factors) {
      const bool is_quotient = factor == division.quotient;
      count += is_quotient ? 1 : 0;
      product = table.Multiply(product, is_quotient ? division.whole : factor);
    }
    if (count > power) return Dim();
    for (; count < power; ++count) product = table.Multiply(product, division.divisor);
    result = table.Add(result, product);
  }
  return result;
}

}  // namespace dimwise
