// StateWidening replaces the parts of a state of a loop that the body changes by symbols.
#ifndef DIMWISE_INFER_ENGINE_CONTROL_LOOP_WIDENING_H_
#define DIMWISE_INFER_ENGINE_CONTROL_LOOP_WIDENING_H_

#include <optional>

#include "infer/engine/control/loop_regions.h"
#include "infer/engine/control/loop_symbols.h"

namespace dimwise {

// A value that each trip passes to the next trip: before the first trip, and before and after any trip.
struct CarriedState {
  Type initial, entering, leaving;
  Value initial_contents, entering_contents, leaving_contents;
  bool is_given_up = false;   // only the element type is kept
  std::optional<Type> final;  // after the last trip, if all trips were evaluated
};

class StateWidening {
 public:
  // `index`: of the state among the states of the loop.
  StateWidening(const LoopRegions& regions, InferenceContext* context, size_t index, CarriedState& state)
      : regions_(regions), context_(context), symbols_(context), index_(index), state_(state) {}

  // Makes the types that enter the body cover the types that leave it. Returns whether the former changed.
  bool Widen();

 private:
  bool WidenContainer();
  bool WidenShape();
  bool WidenContents();
  Dim WidenedElement(size_t element, Dim entering, Dim leaving) const;
  Type WithOwnElementSizes(const Type& type) const;
  Type WithOwnLength(const Type& type) const;

  const LoopRegions& regions_;
  InferenceContext* const context_;
  const LoopSymbols symbols_;
  const size_t index_;
  CarriedState& state_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_CONTROL_LOOP_WIDENING_H_
