// Finds the constants of a program from which sizes are computed.
#ifndef DIMWISE_INFER_GENERALIZE_PINS_H_
#define DIMWISE_INFER_GENERALIZE_PINS_H_

#include <vector>

#include "infer/generalize/attempt.h"

namespace dimwise {

// A constant, or an input, from which sizes of results are computed.
struct Pin {
  enum class Kind : uint8_t {
    kContents,  // an operand that contains sizes: the shape of an Expand, the ends of a Slice
    kSizes,     // a constant operand: its own sizes
    kInput,     // an input of the program: its sizes
  };
  Kind kind = Kind::kContents;
  NodeId node = kNoNode;  // the user of the value
  uint32_t operand = 0;
  ValueId value = kNoValue;
  int rank = 1;               // kContents
  std::vector<Dim> elements;  // the contents, or the sizes
  bool repeats = false;       // for kSizes: it may be repeated along an axis of size 1
};

// Returns the pins on the paths to the operands of a node, nearest first. The sizes of a Reshape are
// excluded, because its operand determines them.
std::vector<Pin> FindPins(const Attempt& attempt, NodeId node, size_t limit);

// Returns whether the value is an initializer or the result of a Constant.
bool IsConstant(const Attempt& attempt, ValueId value);

}  // namespace dimwise

#endif  // DIMWISE_INFER_GENERALIZE_PINS_H_
