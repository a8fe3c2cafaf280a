// Infers between which numbers the elements of a tensor of integers or booleans lie. The declarations of the
// operators that computed the tensor are followed backward, so its contents need not be known.
//
// An interval contains every element, but its ends may be no elements: an index from ArgMax, a sum of
// comparisons, clamped lengths. The extremes of a tensor are elements if it has any: positions that are
// counted, moved by an offset, and added along different axes. If the greatest extreme is too large for an
// axis, then every run has an index that is too large.
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
