// What the sizes of a loop are in a trip, as an expression in the number of the trip.
//
// A size that grows in each trip by an amount is what it was at first and the sum of the amounts. There is an
// expression for that sum where the amount has one, and is made of parts of three kinds:
//     the same in each trip           a        a*t
//     as many times as the trip says  a*t      a*t*(t - 1)/2
//     what the next one takes back    f(t + 1) - f(t)    f(t) - f(0)
// The last is what slices such as x[4*t : 4*t + 4] have, the last of which may be shorter.
// The amount may be made of other sizes of the loop whose expressions are known.
#ifndef DIMWISE_INFER_ENGINE_LOOP_GROWTH_H_
#define DIMWISE_INFER_ENGINE_LOOP_GROWTH_H_

#include <functional>
#include <vector>

#include "dimwise/dim.h"

namespace dimwise {

class LoopGrowth {
 public:
  // `is_invariant` says whether an expression is the same in each trip, `is_size` whether it is >= 0 in each.
  LoopGrowth(DimTable& dims, std::function<bool(Dim)> is_invariant, std::function<bool(Dim)> is_size)
      : dims_(dims), is_invariant_(std::move(is_invariant)), is_size_(std::move(is_size)) {}

  // A symbol of the body: what it is in the first trip, and what it is in the next one, in the symbols of
  // all.
  void Carry(Dim symbol, Dim initial, Dim next) { sizes_.push_back({symbol, initial, next, Dim()}); }
  // The number of the trip, from 0.
  void set_trip(Dim symbol) { trip_ = symbol; }

  // What a symbol is after so many trips; none where there is no expression for that.
  Dim After(Dim trips, Dim symbol);
  // What the last of so many trips makes of it. REQUIRES: there is a last one.
  Dim AfterLast(Dim trips, Dim symbol);
  // An expression of the body as it is in the next trip.
  Dim InNextTrip(Dim d);

 private:
  struct CarriedSize {
    Dim symbol, initial, next;
    Dim in_trip;  // in the symbol of the trip; none while it is not known
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

#endif  // DIMWISE_INFER_ENGINE_LOOP_GROWTH_H_
