// What holds in each trip of a loop (loop_state.h): what no trip makes less, or more, is never less, or more,
// than it was at first; and a trip is made only where the condition held before it.
#include "core/types/known_parts.h"
#include "infer/engine/engine.h"
#include "infer/engine/loop_state.h"

namespace dimwise {

// Tells the body of what no trip makes less, or more, than it was at first; whether that is other than it was
// told before. What holds by what it was told holds in each trip: in the first one, and so in the next.
bool LoopState::AssumeBounds(int changes_left) {
  return Tell(changes_left > 0 ? BoundsThatHold() : std::vector<Clause>());
}

// Empty where nothing is known of it.
Clause LoopState::TripIsWithinLimit() {
  if (trip_.is_none() || limit_.is_none()) return {};
  const Literal is_within = LessThan(context_->dims(), trip_, limit_);
  return is_within.value.is_expression() ? Clause{is_within} : Clause{};
}

// Tells the body this, and that the number of the trip is within the limit: only there it is, for a loop may
// make no trip. Whether that is other than it was told before.
bool LoopState::Tell(std::vector<Clause> clauses) {
  if (Clause is_within = TripIsWithinLimit(); !is_within.empty()) clauses.push_back(std::move(is_within));
  return engine_.AssumeIn(body_, std::move(clauses));
}

std::vector<Clause> LoopState::BoundsThatHold() {
  DimTable& dims = context_->dims();
  std::vector<Clause> clauses;
  const auto is_at_least = [&](Dim a, Dim b) {
    return context_->facts().AtLeast(a, b, engine_.scope(body_), Trust::kWithoutAssumed) == Truth::kYes;
  };
  for (const Carried& c : AllCarried()) {
    if (c.initial.is_none() || c.leaving.is_none() || !c.entering.is_expression()) continue;
    // The symbol of a number has its bounds where it was a constant at first.
    const bool is_bounded_here = c.axis < 0 ? c.initial.is_expression()
                                            : c.entering == SizeSymbol(c.state, static_cast<size_t>(c.axis));
    if (!is_bounded_here) continue;
    if (is_at_least(c.leaving, c.entering)) clauses.push_back({AtLeast(dims, c.entering, c.initial)});
    if (is_at_least(c.entering, c.leaving)) clauses.push_back({AtMost(dims, c.entering, c.initial)});
  }
  AddConditions(&clauses);
  return clauses;
}

// A condition such as i + 1 < n, at the end of a trip, says i < n at the beginning of the next. Of the first
// trip that is to be shown.
void LoopState::AddConditions(std::vector<Clause>* clauses) {
  DimTable& dims = context_->dims();
  std::vector<LoopCounter> counters = Counters();
  if (!trip_.is_none()) counters.push_back({trip_, 0, 1});
  const auto holds_at_first = [&](Dim test) {
    return engine_.IsInvariant(test, body_) &&
           context_->facts().AtLeast(test, 0, context_->scope(), Trust::kWithoutChecked) == Truth::kYes;
  };
  for (const ValueId part : parts_) {
    for (const Dim test :
         TestsBeforeTrips(dims, start_, OnlyInteger(engine_.contents(part)), counters, holds_at_first))
      clauses->push_back({AtLeast(dims, test, 0)});
  }
}

std::vector<LoopCounter> LoopState::Counters() {
  std::vector<LoopCounter> counters;
  for (const Carried& c : AllCarried()) {
    if (!c.entering.is_expression() || c.leaving.is_none()) continue;
    const Dim amount = context_->dims().Subtract(c.leaving, c.entering);
    if (amount.is_constant()) counters.push_back({c.entering, c.initial, amount});
  }
  return counters;
}

}  // namespace dimwise
