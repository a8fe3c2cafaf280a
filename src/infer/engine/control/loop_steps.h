// LoopSteps computes the sizes of a loop after a few trips by substitution: the sizes that leave a trip enter
// the next one.
//
// This helps if there is no closed form: a size that doubles in each of three trips, or two sizes that are
// exchanged. Or only the first trip changes a size, as a broadcast of 1 with N.
#ifndef DIMWISE_INFER_ENGINE_CONTROL_LOOP_STEPS_H_
#define DIMWISE_INFER_ENGINE_CONTROL_LOOP_STEPS_H_

#include <functional>
#include <optional>
#include <vector>

#include "dimwise/dim.h"

namespace dimwise {

class LoopSteps {
 public:
  static constexpr int64_t kMaxTrips = 16;

  // `is_invariant` returns whether an expression is equal in all trips.
  LoopSteps(DimTable& dims, std::function<bool(Dim)> is_invariant)
      : dims_(dims), is_invariant_(std::move(is_invariant)) {}

  // Adds a symbol of the body: its value in the first trip, and its value in the next trip as an expression
  // in all symbols.
  void Carry(Dim symbol, Dim initial, Dim next);
  // Sets the symbol for the number of the trip, from 0.
  void set_trip(Dim symbol) { trip_ = symbol; }

  // Returns a symbol after some trips; none if it is unknown or there are more than kMaxTrips.
  Dim After(int64_t trips, Dim symbol);
  // Returns an expression of the body in a trip, from 0; none if it is unknown.
  Dim InTrip(int64_t trip, Dim d);
  // Returns the first trip, from 0, from which on all trips begin with equal sizes; nullopt if none of the
  // first trips is such a trip. After(trip, symbol) is then the final value if there are as many trips.
  std::optional<int64_t> Settles();

 private:
  static constexpr int64_t kMaxTripsToSettle = 3;

  // Returns the symbols at the beginning of a trip; none for unknown ones.
  const std::vector<Dim>& At(int64_t trip);
  bool DependsOnTrip() const;

  DimTable& dims_;
  const std::function<bool(Dim)> is_invariant_;
  Dim trip_;
  std::vector<Dim> symbols_, next_;
  std::vector<std::vector<Dim>> at_{1};  // by trip
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_CONTROL_LOOP_STEPS_H_
