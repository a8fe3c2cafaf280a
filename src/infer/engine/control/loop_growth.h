// LoopGrowth computes the sizes of a loop as expressions in the number of the trip.
//
// A size that grows by an amount in each trip is its initial value plus the sum of the amounts. The sum has a
// closed form if the amount is a sum of parts of these kinds, where t is the number of the trip:
//     part of the amount    sum over all trips before trip t
//     a                     a*t
//     a*t                   a*t*(t - 1)/2
//     f(t + 1) - f(t)       f(t) - f(0)
// Here a is invariant. The last kind occurs for slices such as x[4*t : 4*t + 4], whose last one may be
// shorter. The amount may contain other sizes of the loop that have a closed form.
#ifndef DIMWISE_INFER_ENGINE_CONTROL_LOOP_GROWTH_H_
#define DIMWISE_INFER_ENGINE_CONTROL_LOOP_GROWTH_H_

#include <functional>
#include <vector>

#include "dimwise/dim.h"

namespace dimwise {

class LoopGrowth {
 public:
  // `is_invariant` returns whether an expression is equal in all trips, `is_size` whether it is >= 0 in all.
  LoopGrowth(DimTable& dims, std::function<bool(Dim)> is_invariant, std::function<bool(Dim)> is_size)
      : dims_(dims), is_invariant_(std::move(is_invariant)), is_size_(std::move(is_size)) {}

  // Adds a symbol of the body: its value in the first trip, and its value in the next trip as an expression
  // in all symbols.
  void Carry(Dim symbol, Dim initial, Dim next) { sizes_.push_back({symbol, initial, next, Dim()}); }
  // Sets the symbol for the number of the trip, from 0.
  void set_trip(Dim symbol) { trip_ = symbol; }

  // Returns a symbol after some trips; none if there is no closed form.
  Dim After(Dim trips, Dim symbol);
  // Returns a symbol after some trips, if its value after a trip has a closed form although its value before
  // the trip has none. REQUIRES: there is at least one trip.
  Dim AfterLast(Dim trips, Dim symbol);
  // Returns an expression of the body in the next trip.
  Dim InNextTrip(Dim d);

 private:
  struct CarriedSize {
    Dim symbol, initial, next;
    Dim in_trip;  // an expression in the number of the trip; none if unknown
  };

  void Solve();
  const CarriedSize* Find(Dim symbol) const;
  Dim InTrip(Dim d);
  Dim WithTrip(Dim d, Dim trip);
  bool IsOfTrip(Dim d);
  Dim SumBefore(Dim amount);
  Dim SumOfVarying(Dim times, Dim atom, Dim* amount);

  DimTable& dims_;
  const std::function<bool(Dim)> is_invariant_, is_size_;
  Dim trip_;
  std::vector<CarriedSize> sizes_;
  bool is_solved_ = false;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_CONTROL_LOOP_GROWTH_H_
