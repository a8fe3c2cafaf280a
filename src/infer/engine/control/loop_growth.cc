#include "infer/engine/control/loop_growth.h"

#include <algorithm>

namespace dimwise {

const LoopGrowth::CarriedSize* LoopGrowth::Find(Dim symbol) const {
  const auto found = std::ranges::find(sizes_, symbol, &CarriedSize::symbol);
  return found == sizes_.end() ? nullptr : &*found;
}

Dim LoopGrowth::WithTrip(Dim d, Dim trip) {
  return dims_.Substitute(d, [&](Dim atom) { return atom == trip_ ? trip : Dim(); });
}

Dim LoopGrowth::InTrip(Dim d) {
  return dims_.Substitute(d, [&](Dim atom) {
    const CarriedSize* size = Find(atom);
    return size != nullptr ? size->in_trip : Dim();
  });
}

Dim LoopGrowth::InNextTrip(Dim d) {
  return dims_.Substitute(d, [&](Dim atom) {
    if (!trip_.is_none() && atom == trip_) return dims_.Add(trip_, 1);
    const CarriedSize* size = Find(atom);
    return size != nullptr ? size->next : Dim();
  });
}

// Returns whether an expression depends on the number of the trip and otherwise only on invariants.
bool LoopGrowth::IsOfTrip(Dim d) {
  const Dim at_first = d.is_none() ? Dim() : WithTrip(d, 0);
  return !at_first.is_none() && is_invariant_(at_first);
}

// Returns the sum of the amounts of all trips before this one; none if there is no closed form.
Dim LoopGrowth::SumBefore(Dim amount) {
  Dim steady = 0, rising = 0;  // the amount is steady + rising*trip if no other part varies
  for (size_t i = 0; i < dims_.TermCount(amount); ++i) {
    const Term term = dims_.GetTerm(amount, i);
    Dim times = term.coefficient, atom;
    int varying = 0;
    for (const Dim factor : term.factors) {
      if (is_invariant_(factor)) {
        times = dims_.Multiply(times, factor);
      } else {
        atom = factor;
        ++varying;
      }
    }
    if (varying > 1) return Dim();
    if (varying == 1 && atom != trip_) {
      const Dim sum = SumOfVarying(times, atom, &amount);
      return sum.is_none() ? sum : dims_.Add(sum, SumBefore(amount));
    }
    Dim& part = varying == 0 ? steady : rising;
    part = dims_.Add(part, times);
  }
  const Dim twice_the_sum = dims_.Multiply(trip_, dims_.Subtract(trip_, 1));
  return dims_.Add(dims_.Multiply(steady, trip_),
                   dims_.FloorDivide(dims_.Multiply(rising, twice_the_sum), 2));
}

// Removes the part times*(atom - previous) from the amount, where `previous` is the atom in the trip before.
// Returns the sum of this part over all trips before this one; none if the amount has no such part. For the
// atom max(0, q), the amount may contain q of the trip before in place of the maximum, if q is >= 0 there.
Dim LoopGrowth::SumOfVarying(Dim times, Dim atom, Dim* amount) {
  const auto cancels = [&](Dim other) {
    return dims_.TermCount(other) == 1 &&
           dims_.TermCount(dims_.Add(*amount, dims_.Multiply(times, other))) < dims_.TermCount(*amount);
  };
  const Dim later = WithTrip(atom, dims_.Add(trip_, 1)), before = WithTrip(atom, dims_.Subtract(trip_, 1));
  if (cancels(later)) return SumOfVarying(dims_.Negate(times), later, amount);
  Dim previous = before;
  if (!cancels(before)) {
    if (dims_.Kind(atom) != DimKind::kMaxZero) return Dim();
    previous = WithTrip(dims_.Operands(atom)[0], dims_.Subtract(trip_, 1));
    if (!is_size_(previous)) return Dim();
  }
  *amount = dims_.Subtract(*amount, dims_.Multiply(times, dims_.Subtract(atom, previous)));
  return dims_.Multiply(times, dims_.Subtract(before, WithTrip(before, 0)));
}

void LoopGrowth::Solve() {
  if (is_solved_ || trip_.is_none()) return;
  is_solved_ = true;
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (CarriedSize& size : sizes_) {
      if (!size.in_trip.is_none()) continue;
      const Dim amount = InTrip(dims_.Subtract(size.next, size.symbol));
      if (!IsOfTrip(amount)) continue;
      size.in_trip = dims_.Add(size.initial, SumBefore(amount));
      is_new |= !size.in_trip.is_none();
    }
  }
}

Dim LoopGrowth::After(Dim trips, Dim symbol) {
  Solve();
  const CarriedSize* size = Find(symbol);
  return size == nullptr || size->in_trip.is_none() ? Dim() : WithTrip(size->in_trip, trips);
}

Dim LoopGrowth::AfterLast(Dim trips, Dim symbol) {
  Solve();
  const CarriedSize* size = Find(symbol);
  const Dim next = size == nullptr || trip_.is_none() ? Dim() : InTrip(size->next);
  return IsOfTrip(next) ? WithTrip(next, dims_.Subtract(trips, 1)) : Dim();
}

}  // namespace dimwise
