// Several axes that an operator is told: by an attribute `axes` at older versions, by an operand at newer
// ones.
#ifndef DIMWISE_INFER_FUNCTIONS_AXES_H_
#define DIMWISE_INFER_FUNCTIONS_AXES_H_

#include <bitset>

#include "infer/functions/contents.h"

namespace dimwise {

struct AxisSet {
  bool given = false;
  bool known = false;  // whether `has` and `order` say which
  int64_t count = -1;  // how many were named; -1: not known
  std::bitset<kMaxRank + 1> has;
  internal::SmallList<int, 16> order;  // as they were named, from the front
};

// The axes of a tensor of that rank. Named twice is an error only where `once`.
Status ReadAxes(InferenceContext* c, int input, int rank, bool once, AxisSet* axes);

}  // namespace dimwise

#endif  // DIMWISE_INFER_FUNCTIONS_AXES_H_
