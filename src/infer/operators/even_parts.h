// Sequences of all parts of a tensor along an axis. All parts have one size, except a smaller last one.
//
// The number of parts may be a symbol, so all elements have one type. Part number `index` has the size
// max(min(part, whole - index*part), 1), where `index` is the each-dimension of the sequence
// (Container::each).
#ifndef DIMWISE_INFER_OPERATORS_EVEN_PARTS_H_
#define DIMWISE_INFER_OPERATORS_EVEN_PARTS_H_

#include <optional>

#include "dimwise/dim.h"
#include "dimwise/type.h"

namespace dimwise {

struct EvenParts {
  int axis = 0;
  Dim whole, part, index;

  Dim SizeAt(DimTable& dims, Dim at) const;
  Dim Count(DimTable& dims) const { return dims.CeilDivide(whole, part); }
};

// Returns the tensor that was split into a sequence, or nullopt unless the sequence contains all its parts in
// order.
std::optional<EvenParts> EvenPartsOf(DimTable& dims, const Type& sequence);

}  // namespace dimwise

#endif  // DIMWISE_INFER_OPERATORS_EVEN_PARTS_H_
