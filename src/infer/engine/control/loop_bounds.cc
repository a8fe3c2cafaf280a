// What the body of a loop may assume (loop_state.h): bounds of its states by their initial values, and what
// the condition of the loop implies.
#include "core/types/known_parts.h"
#include "infer/engine/control/loop_state.h"

namespace dimwise {

// The proof of each bound is an induction: the bound holds in the first trip, and if it holds in a trip, the
// body shows that it holds in the next one.
bool LoopState::AssumeBounds(int changes_left) {
  return Assume(changes_left > 0 ? ProvenBounds() : std::vector<Clause>());
}

// Returns an empty clause if the number of the trip or the limit is unknown.
Clause LoopState::TripIsWithinLimit() const {
  if (trip_.is_none() || limit_.is_none()) return {};
  const Literal is_within = LessThan(context_->dims(), trip_, limit_);
  return is_within.value.is_expression() ? Clause{is_within} : Clause{};
}

// Also assumes that the number of the trip is within the limit. This holds only in the body, since a loop may
// make no trip.
bool LoopState::Assume(std::vector<Clause> clauses) {
  if (Clause is_within = TripIsWithinLimit(); !is_within.empty()) clauses.push_back(std::move(is_within));
  return c_.state.AssumeIn(regions_.body, std::move(clauses));
}

std::vector<Clause> LoopState::ProvenBounds() const {
  DimTable& dims = context_->dims();
  std::vector<Clause> clauses;
  const auto is_at_least = [&](Dim a, Dim b) {
    return context_->facts().AtLeast(a, b, regions_.scope(), FactFilter::kWithoutAssumed) == Truth::kYes;
  };
  for (const Carried& carried : AllCarried()) {
    const auto& [initial, entering, leaving] = carried.number;
    if (initial.is_none() || leaving.is_none() || !entering.is_expression()) continue;
    // The symbol of an element whose initial value is constant has its bounds by definition.
    const bool needs_bounds =
        carried.axis < 0 ? initial.is_expression()
                         : entering == symbols_.Size(carried.state, static_cast<size_t>(carried.axis));
    if (!needs_bounds) continue;
    if (is_at_least(leaving, entering)) clauses.push_back({AtLeast(dims, entering, initial)});
    if (is_at_least(entering, leaving)) clauses.push_back({AtMost(dims, entering, initial)});
  }
  AddConditions(&clauses);
  return clauses;
}

// Adds what the condition implies: i + 1 < n at the end of a trip means i < n at the beginning of the next
// one. For the first trip this has to be proved.
void LoopState::AddConditions(std::vector<Clause>* clauses) const {
  DimTable& dims = context_->dims();
  std::vector<LoopCounter> counters = Counters();
  if (!trip_.is_none()) counters.push_back({trip_, 0, 1});
  const auto holds_at_first = [&](Dim test) {
    return regions_.IsInvariant(test) &&
           context_->facts().AtLeast(test, 0, context_->scope(), FactFilter::kWithoutChecked) == Truth::kYes;
  };
  for (const ValueId part : parts_) {
    for (const Dim test :
         TestsBeforeTrips(dims, start_, OnlyInteger(c_.state.contents(part)), counters, holds_at_first))
      clauses->push_back({AtLeast(dims, test, 0)});
  }
}

std::vector<LoopCounter> LoopState::Counters() const {
  std::vector<LoopCounter> counters;
  for (const Carried& carried : AllCarried()) {
    const auto& [initial, entering, leaving] = carried.number;
    if (!entering.is_expression() || leaving.is_none()) continue;
    const Dim amount = context_->dims().Subtract(leaving, entering);
    if (amount.is_constant()) counters.push_back({entering, initial, amount});
  }
  return counters;
}

}  // namespace dimwise
