// Questions about what is known of a value that many ask.
#ifndef DIMWISE_CORE_TYPES_KNOWN_PARTS_H_
#define DIMWISE_CORE_TYPES_KNOWN_PARTS_H_

#include "dimwise/type.h"
#include "dimwise/value.h"

namespace dimwise {

// Whether it is a tensor of a known rank.
inline bool IsRanked(const Type& type) {
  return type.is_tensor() && !type.shape.is_none() && type.shape.has_rank();
}

// The integer that a tensor of one element holds, such as a condition; none where it is not known.
inline Dim OnlyInteger(Value v) { return v.is_none() || v.size() != 1 ? Dim() : v.Integer(0); }

}  // namespace dimwise

#endif  // DIMWISE_CORE_TYPES_KNOWN_PARTS_H_
