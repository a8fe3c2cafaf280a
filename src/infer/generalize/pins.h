// The constants of a program that sizes come from.
#ifndef DIMWISE_INFER_GENERALIZE_PINS_H_
#define DIMWISE_INFER_GENERALIZE_PINS_H_

#include <vector>

#include "infer/generalize/attempt.h"

namespace dimwise {

// A place where numbers stand that sizes of results come from.
struct Pin {
  enum class Kind : uint8_t {
    kContents,  // an operand that holds sizes: the shape of an Expand, the ends of a Slice
    kSizes,     // an operand that is a constant: its own sizes
    kInput,     // an input of the program: its sizes
  };
  Kind kind = Kind::kContents;
  NodeId node = kNoNode;  // that uses it
  uint32_t operand = 0;
  ValueId value = kNoValue;
  int rank = 1;               // kContents
  std::vector<Dim> elements;  // the contents, or the sizes
  bool repeats = false;       // kSizes: it may be repeated along an axis of size 1
};

// Those on the ways to the operands of a node, the nearest first. The sizes of a Reshape are left out: its
// operand says what they mean.
std::vector<Pin> FindPins(const Attempt& attempt, NodeId node, size_t limit);

// Whether it is an initializer or the result of a Constant.
bool IsConstant(const Graph& graph, ValueId value);

}  // namespace dimwise

#endif  // DIMWISE_INFER_GENERALIZE_PINS_H_
