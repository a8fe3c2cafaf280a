// FinalSizes computes a size or integer of a loop after the last trip, from the change that one trip makes.
//
// The first applicable form is used:
//   each trip adds the same amount                         initial + trips*amount
//   the new value does not depend on the old value         the new value, if there is a trip
//   each trip adds the same amount up to a bound           min or max of the first form and the bound
//   all trips but the first add the same amount            the first form from the second trip on
//   the amount depends on the trip number                  a closed form (loop_growth.h)
//   there are few trips, or only the first few change it   substitution (loop_steps.h)
//   otherwise                                              a new symbol within bounds
#ifndef DIMWISE_INFER_ENGINE_CONTROL_FINAL_SIZES_H_
#define DIMWISE_INFER_ENGINE_CONTROL_FINAL_SIZES_H_

#include "infer/engine/control/loop_growth.h"
#include "infer/engine/control/loop_regions.h"
#include "infer/engine/control/loop_steps.h"

namespace dimwise {

// A size or integer: before the first trip, and before and after an arbitrary trip.
struct LoopNumber {
  Dim initial, entering, leaving;  // `leaving` is none if unknown
};

class FinalSizes {
 public:
  // `trip`: the symbol for the number of the trip; none if there is none.
  FinalSizes(const LoopRegions& regions, InferenceContext* context, LoopSteps& steps, LoopGrowth& growth,
             Dim trip, const Trips& trips)
      : regions_(regions),
        context_(context),
        dims_(context->dims()),
        steps_(steps),
        growth_(growth),
        trip_(trip),
        trips_(trips) {}

  Dim Of(const LoopNumber& n, bool is_size);
  // Returns whether there are certainly as many trips.
  bool AreAtLeast(int64_t number) const;

 private:
  Dim ByEqualAmounts(const LoopNumber& n, Dim amount);
  Dim UpToBound(const LoopNumber& n);
  Dim WithOtherFirstTrip(const LoopNumber& n);
  Dim ByGrowth(const LoopNumber& n, Dim amount);
  Dim BySteps(const LoopNumber& n);
  Dim Within(const LoopNumber& n, bool is_size);
  Dim IfThereIsATrip(Dim initial, Dim last);
  bool IsEqualInEachTrip(Dim amount);
  bool AreEqual(Dim amount, Dim next, ScopeId scope, int cases);
  Dim BoundOfAmount(Dim amount, bool is_upper);
  Dim Unknown(Dim entering, bool is_size);

  const LoopRegions& regions_;
  InferenceContext* const context_;
  DimTable& dims_;
  LoopSteps& steps_;
  LoopGrowth& growth_;
  const Dim trip_;
  const Trips& trips_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_CONTROL_FINAL_SIZES_H_
