// What a few trips of a loop make of its sizes, by putting what comes into a trip into what leaves it.
//
// This answers where no closed form does: a size that doubles in each of three trips, two sizes that change
// places, or one that is what it stays after the first trip (1 broadcast with N is N, and so is that).
#ifndef DIMWISE_INFER_ENGINE_LOOP_STEPS_H_
#define DIMWISE_INFER_ENGINE_LOOP_STEPS_H_

#include <functional>
#include <optional>
#include <vector>

#include "dimwise/dim.h"

namespace dimwise {

class LoopSteps {
 public:
  static constexpr int64_t kMostTrips = 16;

  // `is_invariant` says whether an expression is the same in each trip.
  LoopSteps(DimTable& dims, std::function<bool(Dim)> is_invariant)
      : dims_(dims), is_invariant_(std::move(is_invariant)) {}

  // A symbol of the body: what it is in the first trip, and what it is in the next one, in the symbols of
  // all.
  void Carry(Dim symbol, Dim initial, Dim next);
  // The number of the trip, from 0.
  void set_trip(Dim symbol) { trip_ = symbol; }

  // What a symbol is after so many trips; none where that is not known, or there are too many.
  Dim After(int64_t trips, Dim symbol);
  // What an expression of the body is in a trip, from 0; none where that is not known.
  Dim InTrip(int64_t trip, Dim d);
  // The first trip, from 0 on, whose beginning is also that of all later ones, and nothing where none of the
  // first few is. After(of that) is what a symbol is in the end, where there are that many trips.
  std::optional<int64_t> Settles();

 private:
  static constexpr int64_t kMostToSettle = 3;

  // What the symbols are at the beginning of a trip; none for what is not known.
  const std::vector<Dim>& At(int64_t trip);
  bool NamesTrip() const;

  DimTable& dims_;
  const std::function<bool(Dim)> is_invariant_;
  Dim trip_;
  std::vector<Dim> symbols_, next_;
  std::vector<std::vector<Dim>> at_{1};  // by trip
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_LOOP_STEPS_H_
