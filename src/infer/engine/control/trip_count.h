// Computes how often a loop runs if its condition compares a counter with a bound: `while i < n`, where each
// trip adds 1 to i.
//
// A condition is an expression with the values 0 (false) and 1 (true). A test is an expression that is >= 0
// or not; a condition of the form handled here is true exactly if all of its tests are >= 0.
#ifndef DIMWISE_INFER_ENGINE_CONTROL_TRIP_COUNT_H_
#define DIMWISE_INFER_ENGINE_CONTROL_TRIP_COUNT_H_

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "dimwise/dim.h"

namespace dimwise {

// A number that each trip changes by the same amount.
struct LoopCounter {
  Dim symbol;  // its value at the beginning of a trip
  Dim initial;
  Dim amount;
};

// Returns the number of trips; none if the conditions have another form. The first trip is made if `start` is
// 1. Another trip follows a trip if `goes_on`, an expression in the symbols of the counters, is 1.
// `is_invariant` returns whether an expression is equal in all trips.
Dim CountTrips(DimTable& dims, Dim start, Dim goes_on, std::span<const LoopCounter> counters,
               const std::function<bool(Dim)>& is_invariant);

// Returns the tests of a condition; nullopt if it has another form.
std::optional<std::vector<Dim>> TestsOf(DimTable& dims, Dim condition);

// Returns expressions that are >= 0 at the beginning of each trip, since `goes_on` was 1 before it. If
// `start` does not imply this for the first trip, `holds_at_first` is called with the expression in the first
// trip.
std::vector<Dim> TestsBeforeTrips(DimTable& dims, Dim start, Dim goes_on,
                                  std::span<const LoopCounter> counters,
                                  const std::function<bool(Dim)>& holds_at_first);

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_CONTROL_TRIP_COUNT_H_
