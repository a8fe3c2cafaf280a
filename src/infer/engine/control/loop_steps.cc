#include "infer/engine/control/loop_steps.h"

#include <algorithm>

#include "core/dims/symbol_walk.h"

namespace dimwise {

void LoopSteps::Carry(Dim symbol, Dim initial, Dim next) {
  symbols_.push_back(symbol);
  next_.push_back(next);
  at_[0].push_back(initial);
}

// An unknown size remains a symbol of the body. An expression that contains it is not invariant, so the
// result is none.
Dim LoopSteps::InTrip(int64_t trip, Dim d) {
  if (d.is_none()) return Dim();
  const std::vector<Dim>& now = At(trip);
  const Dim then = dims_.Substitute(d, [&](Dim atom) {
    if (!trip_.is_none() && atom == trip_) return Dim(trip);
    const auto found = std::ranges::find(symbols_, atom);
    return found == symbols_.end() ? Dim() : now[static_cast<size_t>(found - symbols_.begin())];
  });
  return !then.is_none() && is_invariant_(then) ? then : Dim();
}

const std::vector<Dim>& LoopSteps::At(int64_t trip) {
  while (static_cast<int64_t>(at_.size()) <= trip) {
    std::vector<Dim> after;
    for (const Dim next : next_) after.push_back(InTrip(static_cast<int64_t>(at_.size()) - 1, next));
    at_.push_back(std::move(after));
  }
  return at_[static_cast<size_t>(trip)];
}

Dim LoopSteps::After(int64_t trips, Dim symbol) {
  const auto found = std::ranges::find(symbols_, symbol);
  if (found == symbols_.end() || trips < 0 || trips > kMaxTrips) return Dim();
  return At(trips)[static_cast<size_t>(found - symbols_.begin())];
}

bool LoopSteps::DependsOnTrip() const {
  return !trip_.is_none() && std::ranges::any_of(next_, [&](Dim next) {
    return next.is_expression() && Mentions(dims_, next, trip_);
  });
}

// The sizes at the beginning of a trip depend only on those of the trip before and on its number. If they do
// not depend on the number, all trips after two trips with equal sizes also begin with these sizes.
std::optional<int64_t> LoopSteps::Settles() {
  if (DependsOnTrip()) return std::nullopt;
  for (int64_t trip = 0; trip <= kMaxTripsToSettle; ++trip) {
    if (At(trip) == At(trip + 1)) return trip;
  }
  return std::nullopt;
}

}  // namespace dimwise
