// Common queries about what is known of a value.
#ifndef DIMWISE_CORE_TYPES_KNOWN_PARTS_H_
#define DIMWISE_CORE_TYPES_KNOWN_PARTS_H_

#include "dimwise/type.h"
#include "dimwise/value.h"

namespace dimwise {

// Returns whether the type is a tensor of known rank.
inline bool IsRanked(const Type& type) {
  return type.is_tensor() && !type.shape.is_none() && type.shape.has_rank();
}

// Returns the integer in a tensor of one element, such as a condition, or none if it is unknown.
inline Dim OnlyInteger(Value v) { return v.is_none() || v.size() != 1 ? Dim() : v.Integer(0); }

}  // namespace dimwise

#endif  // DIMWISE_CORE_TYPES_KNOWN_PARTS_H_
