// The names of operands in the definition of an operator, and checks of their element types.
#ifndef DIMWISE_INFER_OPERATORS_OPERANDS_H_
#define DIMWISE_INFER_OPERATORS_OPERANDS_H_

#include <string>
#include <string_view>

#include "dimwise/inference_context.h"

namespace dimwise {

// The sizes of a shape under construction; up to sixteen need no heap memory.
using DimList = internal::SmallList<Dim, 16>;

// Returns the name of the operator without its set, for messages.
std::string_view OpName(const InferenceContext* c);
// Returns the name of an operand: "A", or "data_0[2]" if the operand is variadic.
std::string OperandName(const InferenceContext* c, int i);
// Returns the name and the shape of an operand: "A [N, 3]".
std::string OperandText(const InferenceContext* c, int i);

// Returns whether this version of the operator has the attribute; other attributes are ignored.
inline bool DeclaresAttr(const InferenceContext* c, std::string_view name) {
  return c->op() != nullptr && FindAttr(*c->op(), name) != nullptr;
}

// Returns an int attribute, or `otherwise` if the node omits it, without a lookup of the default in the
// definition.
inline Result<int64_t> IntAttr(InferenceContext* c, std::string_view name, int64_t otherwise) {
  if (!c->attrs().Contains(name) || !DeclaresAttr(c, name)) return otherwise;
  return c->GetAttrOr<int64_t>(name, otherwise);
}

// Compares the operands with the definition: required operands are given, operands are tensors unless any
// type is allowed, and operands that share a type variable have one element type. Sets the element types of
// results that follow from the operands. After success, input(i) of a required operand is a shape.
Status CheckOperands(InferenceContext* c);

// Returns the axis counted from the front, or an error if a tensor of this rank does not have it.
Result<int> ReadAxis(const InferenceContext* c, int64_t axis, int rank);

}  // namespace dimwise

#endif  // DIMWISE_INFER_OPERATORS_OPERANDS_H_
