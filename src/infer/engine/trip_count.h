// How often a loop runs whose condition compares what it counts with a bound: `while i < n`, with i one more
// in each trip.
#ifndef DIMWISE_INFER_ENGINE_TRIP_COUNT_H_
#define DIMWISE_INFER_ENGINE_TRIP_COUNT_H_

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "dimwise/dim.h"

namespace dimwise {

// A number that the body changes by the same amount in each trip.
struct LoopCounter {
  Dim symbol;  // what it is at the beginning of a trip
  Dim initial;
  Dim amount;
};

// The number of trips: the first one is made where `start` is 1, and another one after a trip where
// `goes_on`, in the symbols of the counters, is 1. None where the conditions are not of that form.
// `is_invariant` says whether an expression is the same in each trip.
Dim CountTrips(DimTable& dims, Dim start, Dim goes_on, std::span<const LoopCounter> counters,
               const std::function<bool(Dim)>& is_invariant);

// The expressions that are all >= 0 exactly where the condition is 1; nothing where it is no such condition.
std::optional<std::vector<Dim>> TestsOf(DimTable& dims, Dim condition);

// The expressions that are >= 0 at the beginning of each trip, since a trip is made only where `goes_on` was
// 1 before it. `holds_at_first` is asked of what they are in the first one, where `start` does not say it.
std::vector<Dim> TestsBeforeTrips(DimTable& dims, Dim start, Dim goes_on,
                                  std::span<const LoopCounter> counters,
                                  const std::function<bool(Dim)>& holds_at_first);

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_TRIP_COUNT_H_
