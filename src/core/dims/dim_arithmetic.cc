// Builds the normal form of sums, products, floor divisions, max(0, a) and broadcasts.
//
// Each operation tries constants first, then a cache of recent results, and then computes. It uses only laws
// that hold for all integers. Laws that need a fact, such as a symbol that is not 0 or a size that is not 1,
// are left to Facts::Simplify.
#include <algorithm>
#include <numeric>

#include "core/base/scratch_array.h"
#include "core/dims/bounds.h"
#include "core/dims/dim_table.h"

namespace dimwise {
namespace {

enum : uint32_t { kOpAdd = 1, kOpSubtract, kOpMultiply, kOpFloorDivide, kOpMaxZero };

// Returns the greatest common divisor. Returns 1 if it is 2^63, which does not fit int64_t.
int64_t CommonFactor(int64_t a, int64_t b) {
  const auto magnitude = [](int64_t v) {
    return v < 0 ? uint64_t{0} - static_cast<uint64_t>(v) : static_cast<uint64_t>(v);
  };
  const uint64_t g = std::gcd(magnitude(a), magnitude(b));
  return g > INT64_MAX ? 1 : static_cast<int64_t>(g);
}

}  // namespace

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
  Impl::Recent& slot = impl_->RecentSlot(kOpAdd, a, b);
  if (slot.operation == kOpAdd && slot.a == a && slot.b == b) return slot.result;
  Impl::Sum sum;
  impl_->AddScaled(&sum, a, 1);
  impl_->AddScaled(&sum, b, 1);
  Dim result = impl_->Normal(&sum);
  if (result.is_none()) result = impl_->DefinedOf(Operation::kAdd, {a, b});
  slot = {a, b, result, kOpAdd};
  return result;
}

Dim DimTable::Subtract(Dim a, Dim b) {
  if (a.is_constant() && b.is_constant()) {
    if (const Dim c = ConstantOrNone(Wide{a.constant()} - b.constant()); !c.is_none()) return c;
  }
  if (a.is_none() || b.is_none()) return Dim();
  if (a == b) return 0;
  if (b == Dim(0)) return a;
  Impl::Recent& slot = impl_->RecentSlot(kOpSubtract, a, b);
  if (slot.operation == kOpSubtract && slot.a == a && slot.b == b) return slot.result;
  Impl::Sum sum;
  impl_->AddScaled(&sum, a, 1);
  impl_->AddScaled(&sum, b, -1);
  Dim result = impl_->Normal(&sum);
  if (result.is_none()) result = impl_->DefinedOf(Operation::kAdd, {a, Negate(b)});
  slot = {a, b, result, kOpSubtract};
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
  Impl::Recent& slot = impl_->RecentSlot(kOpMultiply, a, b);
  if (slot.operation == kOpMultiply && slot.a == a && slot.b == b) return slot.result;
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
  slot = {a, b, result, kOpMultiply};
  return result;
}

// floordiv(3*x, 4) is x - floordiv(x + 3, 4). The normal form keeps the version with the smaller
// coefficients, so that every way to round a size up to a multiple gives the same atom.
bool DimTable::Impl::TakeOpposite(Sum* numerator, int64_t divisor, Wide sign, Sum* out) {
  Wide here = 0, there = 0;
  for (const StoredTerm& t : numerator->view()) {
    if (t.product == kOne) continue;
    here += t.coefficient;
    there += Wide{divisor} - t.coefficient;
  }
  if (here <= there) return false;
  Sum opposite;
  Wide constant = Wide{divisor} - 1;
  for (const StoredTerm& t : numerator->view()) {
    if (t.product == kOne) {
      constant -= t.coefficient;
    } else {
      opposite.Add(t.product, Wide{divisor} - t.coefficient);
      out->Add(t.product, sign);
    }
  }
  opposite.Add(kOne, constant);
  *numerator = opposite;
  return true;
}

// Uses q = m*floordiv(q, m) + r with 0 <= r < m: floordiv(q + m*y, m*d) is floordiv(floordiv(q, m) + y, d).
// Applied only if y contains this floor division too, so that the result contains less of q. Writes the
// numerator without r, divided by m, and the divisor.
bool DimTable::Impl::DropRemainder(const Sum& numerator, int64_t* divisor, Sum* smaller) const {
  for (const StoredTerm& t : numerator.view()) {
    const Entry* e = FloorDivAlone(t.product);
    const int64_t m = e != nullptr ? e->operands[1].constant() : 0;
    if (m <= 1 || m >= *divisor || *divisor % m != 0) continue;
    Sum multiples = numerator;
    AddScaled(&multiples, e->operands[0], -1);
    multiples.Add(t.product, m);
    const auto is_multiple = [m](const StoredTerm& x) { return x.coefficient % m == 0; };
    if (multiples.overflow || !std::ranges::all_of(multiples.view(), is_multiple)) continue;
    *smaller = Sum();
    for (const StoredTerm& x : multiples.view()) smaller->Add(x.product, x.coefficient / m);
    *divisor /= m;
    return true;
  }
  return false;
}

// floordiv(m*max(0, t) + c, d) is max(0, floordiv(m*t + c, d)) for 0 <= c < d, because rounding down is
// monotone. For example, max(2*t, 1)//2 is max(t, 0). Returns nullopt if the numerator has another form.
std::optional<Dim> DimTable::Impl::FloorDivideMax(const Sum& numerator, int64_t divisor) {
  const bool has_constant = numerator.terms[0].product == kOne;
  if (numerator.count != (has_constant ? 2u : 1u)) return std::nullopt;
  const StoredTerm term = numerator.terms[numerator.count - 1];
  const Entry* max = MaxZeroAlone(term.product);
  if (max == nullptr) return std::nullopt;
  const Dim t = max->operands[0];
  for (size_t i = 0; i < table->TermCount(t); ++i) {  // several maxima stay together: facts decide them
    for (const Dim f : table->GetTerm(t, i).factors) {
      if (table->Kind(f) == DimKind::kMaxZero) return std::nullopt;
    }
  }
  const Dim inner = table->Multiply(term.coefficient, t);
  const Dim quotient =
      table->FloorDivide(table->Add(inner, has_constant ? numerator.terms[0].coefficient : 0), divisor);
  return table->Max(quotient, 0);
}

// Computes floor(a / b) for a constant b > 0. Multiples of b are moved out of each coefficient. The gcd of
// the remaining coefficients cancels, and the constant is rounded down. An inner floor division is combined:
//     floor((floor(p/d) + m) / b) = floor((p + d*m) / (d*b)).
// If all terms except the constant are negative, the ceiling is used instead: -(-N//2) is (N + 1)//2.
Dim DimTable::Impl::FloorDivideByConstant(Dim a, int64_t b) {
  if (b == 1) return a;
  Sum rest, out;
  AddScaled(&rest, a, 1);
  const bool all_negative = std::ranges::all_of(
      rest.view(), [](const StoredTerm& t) { return t.product == kOne || t.coefficient < 0; });
  if (all_negative && !rest.is_constant()) {
    Sum negated;
    AddScaled(&negated, a, -1);
    negated.Add(kOne, Wide{b} - 1);
    const Dim numerator = Intern(negated);
    if (!numerator.is_none()) return table->Negate(FloorDivideByConstant(numerator, b));
  }
  int64_t divisor = b;
  Wide sign = 1;  // the result is out + sign*floordiv(rest, divisor)
  while (true) {
    Sum reduced;
    for (const StoredTerm& t : rest.view()) {
      const Wide q = FloorDiv(t.coefficient, divisor);
      out.Add(t.product, sign * q);
      reduced.Add(t.product, t.coefficient - q * divisor);
    }
    if (reduced.is_constant()) break;  // 0 <= constant < divisor
    int64_t g = divisor;
    for (const StoredTerm& t : reduced.view()) {
      if (t.product != kOne) g = CommonFactor(g, t.coefficient);
    }
    if (g > 1) {
      Sum smaller;
      for (const StoredTerm& t : reduced.view()) smaller.Add(t.product, FloorDiv(t.coefficient, g));
      reduced = smaller;
      divisor /= g;
      if (divisor == 1) {
        for (const StoredTerm& t : reduced.view()) out.Add(t.product, sign * t.coefficient);
        break;
      }
    }
    if (JoinHalves(&reduced)) {
      rest = reduced;
      continue;
    }
    if (DropRemainder(reduced, &divisor, &rest)) continue;
    if (const std::optional<Dim> max = FloorDivideMax(reduced, divisor)) {
      if (max->is_none()) return Dim();
      AddScaled(&out, *max, sign);
      break;
    }
    if (TakeOpposite(&reduced, divisor, sign, &out)) {
      sign = -sign;
      if (DropRemainder(reduced, &divisor, &rest)) continue;
    }
    const StoredTerm* inner = nullptr;
    int candidates = 0;
    for (const StoredTerm& t : reduced.view()) {
      if (t.coefficient != 1 || FloorDivAlone(t.product) == nullptr) continue;
      inner = &t;
      ++candidates;
    }
    if (candidates == 1) {
      const Entry e = At(products[inner->product].factors[0]);
      const int64_t d = e.operands[1].constant();  // > 0 in the normal form
      if (FitsInt64(Wide{d} * divisor)) {
        rest = Sum();
        for (const StoredTerm& t : reduced.view()) {
          if (t.product != inner->product) rest.Add(t.product, Wide{t.coefficient} * d);
        }
        AddScaled(&rest, e.operands[0], 1);
        divisor *= d;
        if (!rest.overflow) continue;
        return Dim();
      }
    }
    const Dim numerator = Intern(reduced);
    const Dim operands[] = {numerator, divisor};
    if (numerator.is_none() || !MayNest(operands)) return Dim();
    out.Add(At(InternAtom(DimKind::kFloorDiv, operands)).product, sign);
    break;
  }
  return Normal(&out);
}

Dim DimTable::FloorDivide(Dim a, Dim b) {
  if (a.is_none() || b.is_none() || b == Dim(0)) return Dim();
  if (a.is_constant() && b.is_constant()) {
    const Dim c = ConstantOrNone(FloorDiv(a.constant(), b.constant()));
    return c.is_none() ? impl_->DefinedOf(Operation::kFloorDiv, {a, b}) : c;
  }
  Impl::Recent& slot = impl_->RecentSlot(kOpFloorDivide, a, b);
  if (slot.operation == kOpFloorDivide && slot.a == a && slot.b == b) return slot.result;
  Dim result;
  if (b.is_constant()) {
    if (b.constant() > 0) {
      result = impl_->FloorDivideByConstant(a, b.constant());
    } else if (b.constant() != INT64_MIN) {
      result = FloorDivide(Negate(a), -b.constant());
    }
  } else if (const Dim operands[] = {a, b}; impl_->MayNest(operands)) {
    result = impl_->InternAtom(DimKind::kFloorDiv, operands);
  }
  if (result.is_none()) result = impl_->DefinedOf(Operation::kFloorDiv, {a, b});
  slot = {a, b, result, kOpFloorDivide};
  return result;
}

Dim DimTable::CeilDivide(Dim a, Dim b) {
  if (b.is_constant() && b.constant() > 0) return FloorDivide(Add(a, b.constant() - 1), b);
  return Negate(FloorDivide(Negate(a), b));
}

Dim DimTable::Mod(Dim a, Dim b) { return Subtract(a, Multiply(b, FloorDivide(a, b))); }

// If a is c*max(0, t) + k with c > 0 >= k, returns c*t + k, else none. The two differ only where both are <=
// 0, so max(0, .) of both is equal.
Dim DimTable::Impl::WithoutInnerMax(Dim a) {
  StoredTerm one;
  const std::span<const StoredTerm> terms = Terms(a, &one);
  const bool has_constant = terms[0].product == kOne;
  if (terms.size() != (has_constant ? 2 : 1) || (has_constant && terms[0].coefficient > 0)) return Dim();
  const StoredTerm term = terms.back();
  const Entry* inner = MaxZeroAlone(term.product);
  if (term.coefficient <= 0 || inner == nullptr) return Dim();
  Sum sum;
  sum.Add(kOne, has_constant ? terms[0].coefficient : 0);
  AddScaled(&sum, inner->operands[0], term.coefficient);
  return Intern(sum);
}

// Rewrites max(0, min(p, k)) with k > 0 as min(max(0, p), k), that is max(0, p) - max(0, p - k). Returns none
// if a has another form.
Dim DimTable::Impl::MaxZeroOfMin(Dim a) {
  StoredTerm one;
  for (const StoredTerm& term : Terms(a, &one)) {
    const Entry* max = term.coefficient == -1 ? MaxZeroAlone(term.product) : nullptr;
    if (max == nullptr) continue;
    const Dim inner = max->operands[0], atom = products[term.product].factors[0];
    const Dim p = table->Add(a, atom), k = table->Subtract(p, inner);
    if (k.is_constant() && k.constant() > 0) return table->Subtract(MaxZero(p), atom);
  }
  return Dim();
}

// Returns the normal form of max(0, a). The gcd of all coefficients is factored out. Of a and -a, only the
// version with a positive first term is kept: max(0, -a) = max(0, a) - a. An inner maximum that has no effect
// is removed: max(0, max(0, N - 1) - 1) is max(0, N - 2).
Dim DimTable::Impl::MaxZero(Dim a) {
  if (a.is_none()) return Dim();
  if (a.is_constant()) return std::max<int64_t>(0, a.constant());
  Recent& slot = RecentSlot(kOpMaxZero, a, a);
  if (slot.operation == kOpMaxZero && slot.a == a) return slot.result;
  if (const Dim flat = WithoutInnerMax(a); !flat.is_none()) {
    slot = {a, a, MaxZero(flat), kOpMaxZero};
    return slot.result;
  }
  if (const Dim clamp = MaxZeroOfMin(a); !clamp.is_none()) {
    slot = {a, a, clamp, kOpMaxZero};
    return clamp;
  }
  Dim result;
  const Interval bounds = UniversalBounds(*table, a);
  StoredTerm one;
  const std::span<const StoredTerm> terms = Terms(a, &one);
  int64_t g = 0;
  for (const StoredTerm& t : terms) g = CommonFactor(g, t.coefficient);
  const StoredTerm& leading = terms[terms[0].product == kOne ? 1 : 0];
  if (bounds.lo >= 0) {
    result = a;
  } else if (bounds.hi <= 0) {
    result = 0;
  } else if (g > 1) {
    Sum smaller;
    for (const StoredTerm& t : terms) smaller.Add(t.product, t.coefficient / g);
    result = table->Multiply(g, MaxZero(Intern(smaller)));
  } else if (leading.coefficient < 0) {
    result = table->Add(a, MaxZero(table->Negate(a)));
  } else if (MayNest(std::span<const Dim>(&a, 1))) {
    result = InternAtom(DimKind::kMaxZero, std::span<const Dim>(&a, 1));
    NoteRemainderSign(result);
  }
  if (result.is_none()) result = DefinedOf(Operation::kMaxZero, {a});
  slot = {a, a, result, kOpMaxZero};
  return result;
}

Dim DimTable::Max(Dim a, Dim b) { return Add(b, impl_->MaxZero(Subtract(a, b))); }

Dim DimTable::Min(Dim a, Dim b) { return Subtract(a, impl_->MaxZero(Subtract(a, b))); }

// Returns the first max(0, t) that is a term of the sum with any coefficient, or none.
Dim DimTable::Impl::FindMaxZero(Dim sum) const {
  StoredTerm one;
  for (const StoredTerm& term : Terms(sum, &one)) {
    if (MaxZeroAlone(term.product) != nullptr) return products[term.product].factors[0];
  }
  return Dim();
}

// Returns whether broadcast(x, y) is x wherever it is a size. This is so if y is max(x, k) with k <= 1, or
// min(x, k) with k >= 1.
bool DimTable::Impl::GivesWay(Dim y, Dim x) {
  const Dim apart = table->Subtract(y, x), atom = FindMaxZero(apart);
  if (atom.is_none()) return false;
  const Dim t = At(atom).operands[0];
  const Dim above = table->Add(x, t), below = table->Subtract(x, t);  // one of the two is k
  if (apart == atom) return above.is_constant() && above.constant() <= 1;
  if (apart == table->Subtract(atom, t)) return below.is_constant() && below.constant() <= 1;
  if (apart == table->Negate(atom)) return below.is_constant() && below.constant() >= 1;
  if (apart == table->Subtract(t, atom)) return above.is_constant() && above.constant() >= 1;
  return false;
}

Dim DimTable::Broadcast(Dim a, Dim b) {
  const Dim sizes[] = {a, b};
  return Broadcast(sizes);
}

Dim DimTable::Broadcast(std::span<const Dim> sizes) {
  ScratchArray<Dim, kMaxTerms> flat;
  size_t n = 0;
  bool too_many = false;
  Dim constant = 1;
  bool none = false, conflict = false;
  const auto take = [&](Dim d) {
    none |= d.is_none();
    if (d == Dim(1)) return;
    if (d.is_constant()) {
      conflict |= constant != Dim(1) && constant != d;
      constant = d;
    } else if (std::find(flat.begin(), flat.begin() + n, d) == flat.begin() + n) {
      if (n == flat.size()) {
        too_many = true;
      } else {
        flat[n++] = d;
      }
    }
  };
  for (Dim d : sizes) {
    if (Kind(d) == DimKind::kBroadcast) {
      for (Dim inner : Operands(d)) take(inner);
    } else {
      take(d);
    }
  }
  if (none || conflict) return Dim();
  if (constant != Dim(1)) return constant;
  if (too_many) return Defined({Operation::kBroadcast, 0, sizes});
  const bool may_give_way =
      std::any_of(flat.begin(), flat.begin() + n, [&](Dim d) { return !impl_->FindMaxZero(d).is_none(); });
  for (size_t i = 0; may_give_way && i < n;) {
    const bool gives_way = std::any_of(flat.begin(), flat.begin() + n,
                                       [&](Dim x) { return x != flat[i] && impl_->GivesWay(flat[i], x); });
    if (gives_way) {
      flat[i] = flat[--n];
    } else {
      ++i;
    }
  }
  if (n == 0) return 1;
  if (n == 1) return flat[0];
  std::sort(flat.begin(), flat.begin() + n, [](Dim x, Dim y) { return x.id() < y.id(); });
  const std::span<const Dim> operands(flat.data(), n);
  if (!impl_->MayNest(operands)) return Defined({Operation::kBroadcast, 0, operands});
  return impl_->InternAtom(DimKind::kBroadcast, operands);
}

}  // namespace dimwise
