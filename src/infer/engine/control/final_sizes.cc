#include "infer/engine/control/final_sizes.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "core/dims/dim_select.h"

namespace dimwise {
namespace {

constexpr int kMaxCases = 2;  // nested case distinctions on max(0, t) in one proof

// Returns the operand t of the first term max(0, t) of a sum; none if there is no such term.
Dim FirstMaximum(const DimTable& dims, Dim sum) {
  for (size_t i = 0; i < dims.TermCount(sum); ++i) {
    const Term term = dims.GetTerm(sum, i);
    if (term.factors.size() == 1 && dims.Kind(term.factors[0]) == DimKind::kMaxZero)
      return dims.Operands(term.factors[0])[0];
  }
  return Dim();
}

// Returns the innermost t of the first maximum: max(0, t) may itself contain a maximum. Returns none if there
// is no maximum.
Dim InnermostMaximum(const DimTable& dims, Dim sum) {
  Dim found;
  for (Dim t = FirstMaximum(dims, sum); !t.is_none(); t = FirstMaximum(dims, t)) found = t;
  return found;
}

// Replaces max(0, t) by t, or by 0.
Dim ReplaceMaximum(DimTable& dims, Dim sum, Dim t, bool is_positive) {
  const Dim maximum = dims.Max(t, 0);
  return dims.Substitute(sum, [&](Dim atom) { return atom != maximum ? Dim() : is_positive ? t : Dim(0); });
}

}  // namespace

Dim FinalSizes::Of(const LoopNumber& n, bool is_size) {
  if (n.initial == n.entering) return n.initial;  // no trip changes it
  if (n.leaving == n.entering) return n.initial;
  if (n.leaving.is_none()) return Unknown(n.entering, is_size);
  const Dim amount = dims_.Subtract(n.leaving, n.entering);
  Dim found = ByEqualAmounts(n, amount);
  if (!found.is_none()) return found;
  if (regions_.IsInvariant(n.leaving)) return IfThereIsATrip(n.initial, n.leaving);
  found = UpToBound(n);
  if (found.is_none()) found = WithOtherFirstTrip(n);
  if (found.is_none()) found = ByGrowth(n, amount);
  if (found.is_none()) found = BySteps(n);
  return found.is_none() ? Within(n, is_size) : found;
}

bool FinalSizes::AreAtLeast(int64_t number) const {
  return trips_.least >= number || context_->facts().AtLeast(trips_.count, number, context_->scope(),
                                                             FactFilter::kWithoutAssumed) == Truth::kYes;
}

// ---- Closed forms ----

Dim FinalSizes::ByEqualAmounts(const LoopNumber& n, Dim amount) {
  if (!trips_.certain || amount.is_none()) return Dim();
  const Dim each = regions_.IsInvariant(amount) ? amount
                   : IsEqualInEachTrip(amount)  ? steps_.InTrip(0, amount)
                                                : Dim();
  return dims_.Add(n.initial, dims_.Multiply(trips_.count, each));
}

// Returns the final value of a number that a trip changes by the same amount until it reaches a bound:
// min(s + a, bound) with a >= 0, or max(s - a, bound).
Dim FinalSizes::UpToBound(const LoopNumber& n) {
  const Dim t = trips_.certain ? FirstMaximum(dims_, n.leaving) : Dim();
  if (t.is_none()) return Dim();
  const Dim below = ReplaceMaximum(dims_, n.leaving, t, false);
  const Dim above = ReplaceMaximum(dims_, n.leaving, t, true);
  const Dim difference = dims_.Subtract(above, below);
  const bool is_max = difference == t;
  if (!is_max && difference != dims_.Negate(t)) return Dim();
  for (const bool is_below : {true, false}) {
    const Dim bound = is_below ? below : above;
    const Dim amount = dims_.Subtract(is_below ? above : below, n.entering);
    if (!regions_.IsInvariant(bound) || !regions_.IsInvariant(amount)) continue;
    if (context_->AtLeast(is_max ? 0 : amount, is_max ? amount : 0) != Truth::kYes) continue;
    const Dim unbounded = dims_.Add(n.initial, dims_.Multiply(trips_.count, amount));
    const Dim last = is_max ? dims_.Max(unbounded, bound) : dims_.Min(unbounded, bound);
    if (last.is_none()) return Dim();
    const bool begins_within =
        context_->facts().AtLeast(is_max ? n.initial : bound, is_max ? bound : n.initial, context_->scope(),
                                  FactFilter::kWithoutAssumed) == Truth::kYes;
    return begins_within ? last : IfThereIsATrip(n.initial, last);
  }
  return Dim();
}

// Returns the final value of a number that all trips but the first change by the same amount.
Dim FinalSizes::WithOtherFirstTrip(const LoopNumber& n) {
  if (!trips_.certain || trip_.is_none()) return Dim();
  const Dim leaving = Unfold(dims_, n.leaving);
  const Dim first = steps_.InTrip(0, leaving);
  const Dim next = dims_.Add(trip_, 1);
  Dim later = dims_.Substitute(leaving, [&](Dim atom) { return atom == trip_ ? next : Dim(); });
  later = context_->facts().Simplify(later, regions_.scope(), FactFilter::kWithoutAssumed);
  const Dim amount = dims_.Subtract(later, n.entering);
  if (first.is_none() || amount.is_none() || !regions_.IsInvariant(amount)) return Dim();
  const Dim last = dims_.Add(first, dims_.Multiply(dims_.Subtract(trips_.count, 1), amount));
  if (last.is_none() || last == dims_.Add(n.initial, dims_.Multiply(trips_.count, amount))) return last;
  return IfThereIsATrip(n.initial, last);
}

Dim FinalSizes::ByGrowth(const LoopNumber& n, Dim amount) {
  if (!trips_.certain) return Dim();
  const Dim found = growth_.After(trips_.count, n.entering);
  if (!found.is_none()) {
    if (BoundOfAmount(amount, false) == Dim(0)) context_->Ensure(AtLeast(dims_, found, n.initial));
    return found;
  }
  const Dim last = growth_.AfterLast(trips_.count, n.entering);
  return last.is_none() ? last : IfThereIsATrip(n.initial, last);
}

Dim FinalSizes::BySteps(const LoopNumber& n) {
  if (trips_.certain && trips_.count.is_constant()) {
    const Dim after = steps_.After(trips_.count.constant(), n.entering);
    if (!after.is_none()) return after;
  }
  const std::optional<int64_t> settles = steps_.Settles();
  if (!settles) return Dim();
  const Dim last = steps_.After(*settles, n.entering);
  if (last.is_none()) return Dim();
  if (AreAtLeast(*settles)) return last;
  return *settles == 1 ? IfThereIsATrip(n.initial, last) : Dim();
}

// Returns the final value of a number that is `last` if there is a trip. It may be only an
// assumption that there is one, as for sizes of inputs. Then the result is an expression in the number of
// trips.
Dim FinalSizes::IfThereIsATrip(Dim initial, Dim last) {
  if (AreAtLeast(1)) return last;
  if (trips_.certain && context_->AtLeast(trips_.count, 1) == Truth::kYes) {
    const Dim runs = dims_.Min(trips_.count, 1);
    const Dim size = dims_.Add(initial, dims_.Multiply(runs, dims_.Subtract(last, initial)));
    if (!size.is_none()) return size;
  }
  return context_->Relax(initial, last);
}

// ---- Proofs about the amount of a trip ----

// Returns whether each trip adds the same amount although the amount contains sizes that the trip changes, as
// min(s, 1). Each case of the maxima in the amounts is examined.
bool FinalSizes::IsEqualInEachTrip(Dim amount) {
  const Dim next = growth_.InNextTrip(amount);
  return !next.is_none() && AreEqual(amount, next, regions_.scope(), kMaxCases);
}

bool FinalSizes::AreEqual(Dim amount, Dim next, ScopeId scope, int cases) {
  Facts& facts = context_->facts();
  if (facts.Equal(amount, next, scope, FactFilter::kWithoutAssumed) == Truth::kYes) return true;
  const Dim t = InnermostMaximum(dims_, dims_.Subtract(amount, next));
  if (cases == 0 || t.is_none()) return false;
  return std::ranges::all_of(std::initializer_list<bool>{false, true}, [&](bool is_positive) {
    const ScopeId inside = facts.NewScope(scope);
    facts.Assert(Clause{is_positive ? AtLeast(dims_, t, 1) : AtMost(dims_, t, 0)}, FactKind::kGiven,
                 /*owner=*/0, inside);
    const bool is_equal = AreEqual(ReplaceMaximum(dims_, amount, t, is_positive),
                                   ReplaceMaximum(dims_, next, t, is_positive), inside, cases - 1);
    facts.DropScope(inside);
    return is_equal;
  });
}

// Returns a bound of the amount that is valid outside the loop; none if unknown.
Dim FinalSizes::BoundOfAmount(Dim amount, bool is_upper) {
  if (amount.is_none() || regions_.IsInvariant(amount)) return amount;
  Facts& facts = context_->facts();
  const ScopeId scope = regions_.scope();
  Dim bound = 0;
  for (size_t i = 0; i < dims_.TermCount(amount); ++i) {
    const Term term = dims_.GetTerm(amount, i);
    const bool is_symbol = term.factors.size() == 1 && dims_.Kind(term.factors[0]) == DimKind::kSymbol;
    Dim product = term.coefficient;
    for (const Dim factor : term.factors) {
      const bool is_max = is_upper == (term.coefficient > 0);
      const Dim known = !is_symbol || regions_.IsInvariant(factor) ? Dim()
                        : is_max                                   ? facts.SymbolicMax(factor, scope)
                                                                   : facts.SymbolicMin(factor, scope);
      product = dims_.Multiply(product, known.is_none() ? factor : known);
    }
    bound = dims_.Add(bound, product);
  }
  if (!bound.is_none() && regions_.IsInvariant(bound)) return bound;
  const SizeBounds numbers = facts.Bounds(amount, scope, FactFilter::kWithoutAssumed);
  const std::optional<int64_t> number = is_upper ? numbers.max : numbers.min;
  return number ? Dim(*number) : Dim();
}

// ---- Unknown values ----

// Returns a new symbol. It has the lower bound of the symbol in the body, which holds after each trip.
Dim FinalSizes::Unknown(Dim entering, bool is_size) {
  const bool is_symbol = entering.is_expression() && dims_.Kind(entering) == DimKind::kSymbol;
  return context_->UnknownDim(is_symbol ? dims_.GetSymbol(entering).min : is_size ? 0 : INT64_MIN);
}

// Returns a new symbol between the least and the greatest sum of amounts.
Dim FinalSizes::Within(const LoopNumber& n, bool is_size) {
  const Dim last = Unknown(n.entering, is_size);
  const Dim amount = dims_.Subtract(n.leaving, n.entering);
  const Dim fewest = trips_.certain ? trips_.count : Dim(trips_.least);
  for (const bool is_upper : {false, true}) {
    const Dim each = BoundOfAmount(amount, is_upper);
    if (each.is_none()) continue;
    const bool grows = context_->AtLeast(each, 0) == Truth::kYes;
    if (!grows && context_->AtLeast(0, each) != Truth::kYes) continue;
    const Dim bound = dims_.Add(n.initial, dims_.Multiply(grows == is_upper ? trips_.most : fewest, each));
    if (bound.is_none()) continue;
    context_->Ensure(is_upper ? AtMost(dims_, last, bound) : AtLeast(dims_, last, bound));
  }
  return last;
}

}  // namespace dimwise
