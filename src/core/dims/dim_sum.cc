// The normal form of sums and products: a sum of integer multiples of products of atoms, sorted by product.
//
// Identities (identities.h): LikeTerms, ProductOfSums. Normal() applies the other rows of sums: dim_halves.cc
// combines halves, rounding_up.cc removes the sign of a remainder.
#include <algorithm>

#include "core/dims/dim_table.h"

namespace dimwise {

void DimTable::Impl::Sum::Add(ProductId product, Wide coefficient) {
  if (coefficient == 0 || overflow) return;
  uint32_t i = count;
  while (i > 0 && terms[i - 1].product > product) --i;
  if (i > 0 && terms[i - 1].product == product) {
    const Wide c = terms[i - 1].coefficient + coefficient;
    if (!FitsInt64(c)) {
      overflow = true;
    } else if (c == 0) {
      std::copy(terms.begin() + i, terms.begin() + count, terms.begin() + i - 1);
      --count;
    } else {
      terms[i - 1].coefficient = static_cast<int64_t>(c);
    }
    return;
  }
  if (!FitsInt64(coefficient) || count == kCapacity) {
    overflow = true;
    return;
  }
  std::copy_backward(terms.begin() + i, terms.begin() + count, terms.begin() + count + 1);
  terms[i] = {static_cast<int64_t>(coefficient), product};
  ++count;
}

std::span<const StoredTerm> DimTable::Impl::Terms(Dim d, StoredTerm* one) const {
  if (d.is_constant()) {
    *one = {d.constant(), kOne};
    return {one, d.constant() == 0 ? size_t{0} : 1};
  }
  if (d.is_none()) return {};
  const Entry& e = At(d);
  if (e.kind == DimKind::kSum) return {e.terms, e.count};
  *one = {1, e.product};
  return {one, 1};
}

void DimTable::Impl::AddScaled(Sum* out, Dim d, Wide factor) const {
  StoredTerm one;
  const std::span<const StoredTerm> terms = Terms(d, &one);
  if (out->count == 0 && factor == 1 && !out->overflow) {
    std::ranges::copy(terms, out->terms.begin());
    out->count = static_cast<uint32_t>(terms.size());
    return;
  }
  for (const StoredTerm& t : terms) out->Add(t.product, t.coefficient * factor);
}

Dim DimTable::Add(Dim a, Dim b) {
  if (a.is_constant() && b.is_constant()) {
    if (const Dim c = ConstantOrNone(Wide{a.constant()} + b.constant()); !c.is_none()) return c;
  }
  if (a.is_none() || b.is_none()) return Dim();
  if (a == Dim(0)) return b;
  if (b == Dim(0)) return a;
  Impl::Recent& slot = impl_->RecentSlot(Impl::kRecentAdd, a, b);
  if (slot.operation == Impl::kRecentAdd && slot.a == a && slot.b == b) return slot.result;
  Impl::Sum sum;
  impl_->AddScaled(&sum, a, 1);
  impl_->AddScaled(&sum, b, 1);
  Dim result = impl_->Normal(&sum);
  if (result.is_none()) result = impl_->DefinedOf(Operation::kAdd, {a, b});
  slot = {a, b, result, Impl::kRecentAdd};
  return result;
}

Dim DimTable::Subtract(Dim a, Dim b) {
  if (a.is_constant() && b.is_constant()) {
    if (const Dim c = ConstantOrNone(Wide{a.constant()} - b.constant()); !c.is_none()) return c;
  }
  if (a.is_none() || b.is_none()) return Dim();
  if (a == b) return 0;
  if (b == Dim(0)) return a;
  Impl::Recent& slot = impl_->RecentSlot(Impl::kRecentSubtract, a, b);
  if (slot.operation == Impl::kRecentSubtract && slot.a == a && slot.b == b) return slot.result;
  Impl::Sum sum;
  impl_->AddScaled(&sum, a, 1);
  impl_->AddScaled(&sum, b, -1);
  Dim result = impl_->Normal(&sum);
  if (result.is_none()) result = impl_->DefinedOf(Operation::kAdd, {a, Negate(b)});
  slot = {a, b, result, Impl::kRecentSubtract};
  return result;
}

Dim DimTable::Multiply(Dim a, Dim b) {
  if (a.is_constant() && b.is_constant()) {
    if (const Dim c = ConstantOrNone(Wide{a.constant()} * b.constant()); !c.is_none()) return c;
  }
  if (a.is_none() || b.is_none()) return Dim();
  if (a == Dim(1)) return b;
  if (b == Dim(1)) return a;
  if (a == Dim(0) || b == Dim(0)) return 0;
  Impl::Recent& slot = impl_->RecentSlot(Impl::kRecentMultiply, a, b);
  if (slot.operation == Impl::kRecentMultiply && slot.a == a && slot.b == b) return slot.result;
  Impl::Sum sum;
  StoredTerm one_a, one_b;
  // Interning a product may move the arrays of entries and products, but not the terms that a span refers to.
  for (const StoredTerm& s : impl_->Terms(a, &one_a)) {
    for (const StoredTerm& t : impl_->Terms(b, &one_b)) {
      ProductId product;
      if (sum.overflow || !impl_->MultiplyProducts(s.product, t.product, &product)) {
        sum.overflow = true;
        break;
      }
      sum.Add(product, Wide{s.coefficient} * t.coefficient);
    }
  }
  Dim result = impl_->Normal(&sum);
  if (result.is_none()) result = impl_->DefinedOf(Operation::kMultiply, {a, b});
  slot = {a, b, result, Impl::kRecentMultiply};
  return result;
}

}  // namespace dimwise
