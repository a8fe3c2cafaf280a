// LoopState infers the state of a loop: the values that each trip passes to the next trip.
//
// Run evaluates the body for the initial types and contents. If the body changes a size or integer, Run
// replaces it by a symbol (widening, loop_widening.h) and evaluates the body again, until the types that
// enter the body cover the types that leave it. Then the change of an arbitrary size in one trip is known,
// and FinalSizes (final_sizes.h) computes the sizes after the last trip.
//
// If no trip makes a number less than its initial value, or negative, the body may assume that bound. The
// same holds for upper bounds, and for what the condition of the loop implies (loop_bounds.cc).
//
// If the rank of a value changes, only its last rank matters: RunEachTrip evaluates a few trips one by one.
#ifndef DIMWISE_INFER_ENGINE_CONTROL_LOOP_STATE_H_
#define DIMWISE_INFER_ENGINE_CONTROL_LOOP_STATE_H_

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "dimwise/condition.h"
#include "infer/engine/control/final_sizes.h"
#include "infer/engine/control/loop_regions.h"
#include "infer/engine/control/loop_symbols.h"
#include "infer/engine/control/loop_widening.h"
#include "infer/engine/control/region_inputs.h"
#include "infer/engine/control/trip_count.h"

namespace dimwise {

class LoopState {
 public:
  // Returns the inputs of the body in a trip that begins with these states. `trip` is the number of the trip
  // as a symbol or constant; none if there is no symbol.
  using InputsOfTrip = std::function<Result<RegionInputs>(const RegionInputs& states, Dim trip)>;

  LoopState(ControlFlowContext& c, const LoopRegions& regions, InputsOfTrip inputs_of_trip);
  LoopState(const LoopState&) = delete;
  LoopState& operator=(const LoopState&) = delete;

  // ---- Setup ----
  // Adds a state. States have the order of the operands, and of the outputs of the body.
  void Carry(Type type, Value contents);
  // Sets the symbol for the number of the trip, from 0, and the limit of trips (none: unknown).
  void set_trip(Dim symbol, Dim limit);
  // Sets the conditions: the first trip is made if `start` is 1. Another one follows a trip if all `parts`,
  // values of the body, are true. Unknown parts are allowed.
  void set_conditions(Dim start, std::vector<ValueId> parts) {
    start_ = start;
    parts_ = std::move(parts);
  }

  // ---- Inference ----
  // Evaluates the body until the states that enter it cover those that leave it. The outputs of the body from
  // `first_output` on are the states. `certain`: there is at least one trip if the node runs.
  Status Run(size_t first_output, bool certain);
  // Evaluates the trips one by one if the rank of a state changes and there are few trips. The body is left
  // as Run left it.
  Status RunEachTrip(const Trips& trips);
  // Requires outside what the nodes of the body require in trips that are certainly made.
  Status RequireInTrips(const Trips& trips);

  // ---- Results ----
  RegionInputs initial() const;
  RegionInputs entering() const;  // covers the states before each trip, and after the last one
  RegionInputs leaving() const;
  // Return a state after the last trip.
  Type FinalType(size_t state, const Trips& trips);
  Value FinalContents(size_t state, const Trips& trips);
  // Returns the integers and sizes that each trip changes by the same amount.
  std::vector<LoopCounter> Counters() const;
  // Returns a type of the body as it is seen from outside.
  Type Outside(const Type& type) { return regions_.Outside(type, context_); }
  // Returns a type as seen from outside, for a stacked value with the same sizes in each trip: those of the
  // first trip.
  Type OutsideOfStacked(const Type& type, const Trips& trips);

 private:
  // A size or integer that a trip may change.
  struct Carried {
    size_t state;
    int axis;  // -1: an element of the contents
    LoopNumber number;
  };
  // Evaluates the body for the states that enter it.
  Status RunBody();
  bool Fails() const { return c_.state.FailsIn(regions_.body); }
  // Stores the outputs of the body and widens the states. Returns whether a state changed.
  bool WidenStates();
  void GiveUp();
  void NoteSteps();

  // What the body may assume (loop_bounds.cc). Assume and AssumeBounds return whether the facts changed.
  Clause TripIsWithinLimit() const;
  bool Assume(std::vector<Clause> clauses);
  bool AssumeBounds(int changes_left);
  std::vector<Clause> ProvenBounds() const;
  void AddConditions(std::vector<Clause>* clauses) const;

  std::vector<Carried> AllCarried() const;
  FinalSizes FinalSizesFor(const Trips& trips) {
    return FinalSizes(regions_, context_, steps_, growth_, trip_, trips);
  }
  Type FinalContainer(const CarriedState& s, size_t state, const Trips& trips);
  Shape FinalShapeOfUnknownRank(const CarriedState& s, const Trips& trips);
  std::optional<Condition> InTrip(int64_t trip, const Condition& condition);

  ControlFlowContext& c_;
  InferenceContext* const context_;
  const LoopRegions regions_;
  const InputsOfTrip inputs_of_trip_;
  const LoopSymbols symbols_;
  std::vector<CarriedState> states_;
  Dim trip_, limit_, start_;
  std::vector<ValueId> parts_;
  LoopSteps steps_;
  LoopGrowth growth_;
  size_t first_output_ = 0;
  RegionRuns runs_ = RegionRuns::kMaybe;  // the body
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_CONTROL_LOOP_STATE_H_
