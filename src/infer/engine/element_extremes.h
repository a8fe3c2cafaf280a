// The least and the greatest element of a tensor of integers, where the operators that made it show both:
// positions that are counted (Range), moved by an offset, and added up along different axes. Either is the
// value of an element wherever there are any, as against an ElementRange, between whose ends the elements
// lie: so an index that is too large is one in every run.
#ifndef DIMWISE_INFER_ENGINE_ELEMENT_EXTREMES_H_
#define DIMWISE_INFER_ENGINE_ELEMENT_EXTREMES_H_

#include "infer/engine/engine.h"

namespace dimwise {

// Both are known, or none is.
struct ElementExtremes {
  Dim least, greatest;
  bool is_none() const { return least.is_none() || greatest.is_none(); }
  bool is_single() const { return !is_none() && least == greatest; }
};

ElementExtremes ExtremesOf(const Engine& engine, ValueId value);

// Indices along one axis of data.
struct AxisIndices {
  int axis;
  ElementExtremes extremes;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_ELEMENT_EXTREMES_H_
