// Sequences of the parts of one tensor that all have the same size along an axis but for the last, which
// takes what is left.
//
// How many there are may be a symbol, so the elements have one type, and a part is as large as its place
// says: max(min(part, whole - place*part), 1), where `place` is new for each element (Container::each). With
// a number in its place this is the size of the first part, or of the last; and all parts make up the whole.
#ifndef DIMWISE_INFER_OPERATORS_EVEN_PARTS_H_
#define DIMWISE_INFER_OPERATORS_EVEN_PARTS_H_

#include <optional>

#include "dimwise/dim.h"
#include "dimwise/type.h"

namespace dimwise {

struct EvenParts {
  int axis = 0;
  Dim whole, part, place;

  Dim SizeAt(DimTable& dims, Dim at) const;
  Dim Count(DimTable& dims) const { return dims.CeilDivide(whole, part); }
};

// What a sequence was cut from; nothing where its type does not say that it is all parts of something, in
// their order.
std::optional<EvenParts> EvenPartsOf(DimTable& dims, const Type& sequence);

}  // namespace dimwise

#endif  // DIMWISE_INFER_OPERATORS_EVEN_PARTS_H_
