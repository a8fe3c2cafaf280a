// LoopRegions holds the regions of a loop: the body, and the region that computes the condition if there is
// one. It answers which expressions are equal in all trips.
#ifndef DIMWISE_INFER_ENGINE_CONTROL_LOOP_REGIONS_H_
#define DIMWISE_INFER_ENGINE_CONTROL_LOOP_REGIONS_H_

#include "infer/engine/control/region_rule.h"

namespace dimwise {

struct LoopRegions {
  const ProgramState& state;
  RegionId body = kNoRegion;
  RegionId condition = kNoRegion;

  ScopeId scope() const { return state.scope(body); }
  // Returns whether all symbols of an expression come from outside the loop.
  bool IsInvariant(Dim d) const {
    return state.IsInvariant(d, body) && (condition == kNoRegion || state.IsInvariant(d, condition));
  }
  // Returns a type as it is seen from outside: sizes that depend on the trip become unknown.
  Type Outside(const Type& type, InferenceContext* context) const {
    const Type seen = SeenFromOutside(state, body, type, context);
    return condition == kNoRegion ? seen : SeenFromOutside(state, condition, seen, context);
  }
};

// The number of trips of a loop.
struct Trips {
  Dim count;             // the number of trips, or a symbol for it
  bool certain = false;  // the program determines `count`; otherwise it is an unknown within bounds
  Dim most;              // none: no bound
  int64_t least = 0;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_CONTROL_LOOP_REGIONS_H_
