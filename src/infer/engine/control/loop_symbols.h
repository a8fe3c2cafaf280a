// LoopSymbols creates the symbols of a loop. They belong to the node of the loop, so each evaluation of the
// node gets the same ones.
#ifndef DIMWISE_INFER_ENGINE_CONTROL_LOOP_SYMBOLS_H_
#define DIMWISE_INFER_ENGINE_CONTROL_LOOP_SYMBOLS_H_

#include "dimwise/inference_context.h"
#include "infer/engine/control/symbol_roles.h"

namespace dimwise {

class LoopSymbols {
 public:
  explicit LoopSymbols(InferenceContext* context) : context_(context) {}

  // A size of a state along an axis; the length of a state that is a sequence.
  Dim Size(size_t state, size_t axis) const;
  Dim Length(size_t state) const;
  // Return an element of the contents of a state; the second one is never less than `least`.
  Dim Element(size_t state, size_t element) const;
  Dim BoundedElement(size_t state, size_t element, int64_t least) const;
  // The number of the trip, and the number of trips.
  Dim Trip() const;
  Dim TripCount() const;

 private:
  Dim Create(uint32_t role, int64_t min) const;

  InferenceContext* context_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_CONTROL_LOOP_SYMBOLS_H_
