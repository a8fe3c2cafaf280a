// Infers bounds of the elements of an integer or Boolean tensor. The search follows the declarations of the
// operators that computed the tensor backward, so its contents need not be known.
//
// An ElementInterval contains every element, but its ends need not be elements: indices from ArgMax, sums of
// comparisons, clamped lengths. ElementExtremes are the least and the greatest element of a tensor that is
// not empty: counted positions, also with an offset, or added along different axes. If the greatest element
// is too large for an axis, every run has an index that is too large.
#ifndef DIMWISE_INFER_ENGINE_ANALYSES_ELEMENT_INTERVALS_H_
#define DIMWISE_INFER_ENGINE_ANALYSES_ELEMENT_INTERVALS_H_

#include "infer/engine/state/program_state.h"

namespace dimwise {

// An end is none if it is unknown.
struct ElementInterval {
  Dim low, high;
};
// Returns the interval of the elements of a value. If the analysis is off, only the element type is used.
ElementInterval IntervalOfElements(const ProgramState& state, ValueId value);

// The least and the greatest element. Both are known, or none is.
struct ElementExtremes {
  Dim least, greatest;
  bool is_none() const { return least.is_none() || greatest.is_none(); }
  bool is_single() const { return !is_none() && least == greatest; }
};
// Returns the extremes of a tensor of i32 or i64; none if they are unknown, or if the analysis is off.
ElementExtremes ExtremesOfElements(const ProgramState& state, ValueId value);

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_ANALYSES_ELEMENT_INTERVALS_H_
