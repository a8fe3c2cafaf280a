// What a size of a loop is after the last trip (loop_state.h).
#include <algorithm>

#include "core/dims/dim_select.h"
#include "infer/engine/engine.h"
#include "infer/engine/loop_state.h"

namespace dimwise {
namespace {

constexpr int kMostCases = 2;  // of max(0, t) that are told apart in a proof

// The t of the first max(0, t) in a sum, by itself; none where there is none.
Dim SignIn(const DimTable& dims, Dim sum) {
  for (size_t i = 0; i < dims.TermCount(sum); ++i) {
    const Term term = dims.GetTerm(sum, i);
    if (term.factors.size() == 1 && dims.Kind(term.factors[0]) == DimKind::kMaxZero)
      return dims.Operands(term.factors[0])[0];
  }
  return Dim();
}

// The same of one that has none inside.
Dim InnermostSignIn(const DimTable& dims, Dim sum) {
  Dim found;
  for (Dim t = SignIn(dims, sum); !t.is_none(); t = SignIn(dims, t)) found = t;
  return found;
}

// The sum with t, or 0, in the place of max(0, t).
Dim WithSign(DimTable& dims, Dim sum, Dim t, bool is_positive) {
  const Dim maximum = dims.Max(t, 0);
  return dims.Substitute(sum, [&](Dim atom) { return atom != maximum ? Dim() : is_positive ? t : Dim(0); });
}

}  // namespace

// What a size that changes in each trip is after the last, found by going through them; else none.
Dim LoopState::SizeInSteps(Dim initial, Dim entering, const Trips& trips) {
  if (trips.certain && trips.count.is_constant()) {
    const Dim after = steps_.After(trips.count.constant(), entering);
    if (!after.is_none()) return after;
  }
  const std::optional<int64_t> settles = steps_.Settles();
  if (!settles) return Dim();
  const Dim last = steps_.After(*settles, entering);
  if (last.is_none()) return Dim();
  if (IsAtLeast(trips, *settles)) return last;
  return *settles == 1 ? AfterTheFirst(initial, last, trips) : Dim();
}

// What a size is in the end that is `last` after the first trip and all others. That there is a trip may be
// merely assumed, as it is of sizes of inputs: then an expression says it, which is `last` wherever there is.
Dim LoopState::AfterTheFirst(Dim initial, Dim last, const Trips& trips) {
  if (IsAtLeast(trips, 1)) return last;
  DimTable& dims = context_->dims();
  if (trips.certain && context_->AtLeast(trips.count, 1) == Truth::kYes) {
    const Dim runs = dims.Min(trips.count, 1);
    const Dim size = dims.Add(initial, dims.Multiply(runs, dims.Subtract(last, initial)));
    if (!size.is_none()) return size;
  }
  return context_->Relax(initial, last);
}

// What a size is in the end that each trip but the first changes by the same amount, as where that one takes
// what the others add; else none.
Dim LoopState::AfterAnotherFirst(Dim initial, Dim entering, Dim leaving, const Trips& trips) {
  if (!trips.certain || trip_.is_none()) return Dim();
  DimTable& dims = context_->dims();
  const Dim written = Unfold(dims, leaving);
  const Dim first = steps_.InTrip(0, written);
  const Dim next = dims.Add(trip_, 1);
  Dim later = dims.Substitute(written, [&](Dim atom) { return atom == trip_ ? next : Dim(); });
  later = context_->facts().Simplify(later, engine_.scope(body_), Trust::kWithoutAssumed);
  const Dim amount = dims.Subtract(later, entering);
  if (first.is_none() || amount.is_none() || !engine_.IsInvariant(amount, body_)) return Dim();
  const Dim last = dims.Add(first, dims.Multiply(dims.Subtract(trips.count, 1), amount));
  if (last.is_none() || last == dims.Add(initial, dims.Multiply(trips.count, amount))) return last;
  return AfterTheFirst(initial, last, trips);
}

// What a size is in the end that a trip changes by the same amount as long as it does not pass a bound, as
// min(s + a, bound) with a >= 0 and max(s - a, bound); else none.
Dim LoopState::UpToABound(Dim initial, Dim entering, Dim leaving, const Trips& trips) {
  DimTable& dims = context_->dims();
  const Dim t = trips.certain ? SignIn(dims, leaving) : Dim();
  if (t.is_none()) return Dim();
  const Dim below = WithSign(dims, leaving, t, false), above = WithSign(dims, leaving, t, true);
  const Dim apart = dims.Subtract(above, below);
  const bool is_max = apart == t;
  if (!is_max && apart != dims.Negate(t)) return Dim();
  for (const bool is_below : {true, false}) {
    const Dim bound = is_below ? below : above;
    const Dim amount = dims.Subtract(is_below ? above : below, entering);
    if (!engine_.IsInvariant(bound, body_) || !engine_.IsInvariant(amount, body_)) continue;
    if (context_->AtLeast(is_max ? 0 : amount, is_max ? amount : 0) != Truth::kYes) continue;
    const Dim free = dims.Add(initial, dims.Multiply(trips.count, amount));
    const Dim last = is_max ? dims.Max(free, bound) : dims.Min(free, bound);
    if (last.is_none()) return Dim();
    const bool begins_within =
        context_->facts().AtLeast(is_max ? initial : bound, is_max ? bound : initial, context_->scope(),
                                  Trust::kWithoutAssumed) == Truth::kYes;
    return begins_within ? last : AfterTheFirst(initial, last, trips);
  }
  return Dim();
}

// Whether a trip adds as much as the one before it, although the amount is one of what the trip changes, as
// min(s, 1) is. Of the maxima in the amounts each case is looked at.
bool LoopState::AddsTheSame(Dim amount) {
  const Dim next = growth_.InNextTrip(amount);
  return !next.is_none() && AddsTheSame(amount, next, engine_.scope(body_), kMostCases);
}

bool LoopState::AddsTheSame(Dim amount, Dim next, ScopeId scope, int cases) {
  Facts& facts = context_->facts();
  DimTable& dims = context_->dims();
  if (facts.Equal(amount, next, scope, Trust::kWithoutAssumed) == Truth::kYes) return true;
  const Dim t = InnermostSignIn(dims, dims.Subtract(amount, next));
  if (cases == 0 || t.is_none()) return false;
  return std::ranges::all_of(std::initializer_list<bool>{false, true}, [&](bool is_positive) {
    const ScopeId inside = facts.NewScope(scope);
    facts.Assert(Clause{is_positive ? AtLeast(dims, t, 1) : AtMost(dims, t, 0)}, FactKind::kGiven,
                 /*owner=*/0, inside);
    const bool is_same = AddsTheSame(WithSign(dims, amount, t, is_positive),
                                     WithSign(dims, next, t, is_positive), inside, cases - 1);
    facts.DropScope(inside);
    return is_same;
  });
}

// Whether there are so many trips for certain.
bool LoopState::IsAtLeast(const Trips& trips, int64_t number) const {
  return trips.least >= number || context_->facts().AtLeast(trips.count, number, context_->scope(),
                                                            Trust::kWithoutAssumed) == Truth::kYes;
}

// After the last trip: it is no less than in any.
Dim LoopState::Unknown(Dim entering, bool is_size) {
  const DimTable& dims = context_->dims();
  const bool is_symbol = entering.is_expression() && dims.Kind(entering) == DimKind::kSymbol;
  return context_->UnknownDim(is_symbol ? dims.GetSymbol(entering).min : is_size ? 0 : INT64_MIN);
}

// What a trip adds at most, or at least, as seen from outside; none where that is not known.
Dim LoopState::BoundOfAmount(Dim amount, bool is_upper) {
  if (amount.is_none() || engine_.IsInvariant(amount, body_)) return amount;
  DimTable& dims = context_->dims();
  Facts& facts = context_->facts();
  const ScopeId scope = engine_.scope(body_);
  Dim bound = 0;
  for (size_t i = 0; i < dims.TermCount(amount); ++i) {
    const Term term = dims.GetTerm(amount, i);
    const bool is_symbol = term.factors.size() == 1 && dims.Kind(term.factors[0]) == DimKind::kSymbol;
    Dim product = term.coefficient;
    for (const Dim factor : term.factors) {
      const bool wants_most = is_upper == (term.coefficient > 0);
      const Dim known = !is_symbol || engine_.IsInvariant(factor, body_) ? Dim()
                        : wants_most                                     ? facts.SymbolicMax(factor, scope)
                                                                         : facts.SymbolicMin(factor, scope);
      product = dims.Multiply(product, known.is_none() ? factor : known);
    }
    bound = dims.Add(bound, product);
  }
  if (!bound.is_none() && engine_.IsInvariant(bound, body_)) return bound;
  const SizeBounds numbers = facts.Bounds(amount, scope, Trust::kWithoutAssumed);
  const std::optional<int64_t> number = is_upper ? numbers.max : numbers.min;
  return number ? Dim(*number) : Dim();
}

// An unknown between what the fewest trips add and what the most do.
Dim LoopState::Within(Dim initial, Dim entering, Dim leaving, const Trips& trips, bool is_size) {
  DimTable& dims = context_->dims();
  const Dim last = Unknown(entering, is_size);
  const Dim amount = dims.Subtract(leaving, entering);
  const Dim fewest = trips.certain ? trips.count : Dim(trips.least);
  for (const bool is_upper : {false, true}) {
    const Dim each = BoundOfAmount(amount, is_upper);
    if (each.is_none()) continue;
    const bool grows = context_->AtLeast(each, 0) == Truth::kYes;
    if (!grows && context_->AtLeast(0, each) != Truth::kYes) continue;
    const Dim bound = dims.Add(initial, dims.Multiply(grows == is_upper ? trips.most : fewest, each));
    if (bound.is_none()) continue;
    context_->Ensure(is_upper ? AtMost(dims, last, bound) : AtLeast(dims, last, bound));
  }
  return last;
}

Dim LoopState::FinalSize(Dim initial, Dim entering, Dim leaving, const Trips& trips, bool is_size) {
  DimTable& dims = context_->dims();
  if (initial == entering) return initial;  // it was never made a symbol: the same in each trip
  if (leaving == entering) return initial;
  if (leaving.is_none()) return Unknown(entering, is_size);
  const Dim amount = dims.Subtract(leaving, entering);
  if (trips.certain && !amount.is_none()) {
    const bool is_invariant = engine_.IsInvariant(amount, body_);
    const Dim each = is_invariant ? amount : AddsTheSame(amount) ? steps_.InTrip(0, amount) : Dim();
    const Dim total = dims.Add(initial, dims.Multiply(trips.count, each));
    if (!total.is_none()) return total;
  }
  if (engine_.IsInvariant(leaving, body_)) return AfterTheFirst(initial, leaving, trips);
  Dim found = UpToABound(initial, entering, leaving, trips);
  if (found.is_none()) found = AfterAnotherFirst(initial, entering, leaving, trips);
  if (found.is_none() && trips.certain) {
    found = growth_.After(trips.count, entering);
    if (!found.is_none() && BoundOfAmount(amount, false) == Dim(0))
      context_->Ensure(AtLeast(dims, found, initial));
  }
  if (found.is_none() && trips.certain) {
    const Dim last = growth_.AfterLast(trips.count, entering);
    if (!last.is_none()) found = AfterTheFirst(initial, last, trips);
  }
  if (found.is_none()) found = SizeInSteps(initial, entering, trips);
  return found.is_none() ? Within(initial, entering, leaving, trips, is_size) : found;
}

}  // namespace dimwise
