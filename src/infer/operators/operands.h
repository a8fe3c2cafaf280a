// The operands of an operator as its definition names them, and the element types that they share.
#ifndef DIMWISE_INFER_OPERATORS_OPERANDS_H_
#define DIMWISE_INFER_OPERATORS_OPERANDS_H_

#include <string>
#include <string_view>

#include "dimwise/inference_context.h"

namespace dimwise {

// Sizes of a shape that is being put together; up to sixteen need no heap.
using DimList = internal::SmallList<Dim, 16>;

// Returns the name of the operator without its set, for messages.
std::string_view OpName(const InferenceContext* c);
// Returns the name of an operand: "A", or "data_0[2]" if the operand is variadic.
std::string OperandName(const InferenceContext* c, int i);
// Returns the name and the shape of an operand: "A [N, 3]".
std::string OperandText(const InferenceContext* c, int i);

// Whether this version of the operator has the attribute; one that it does not have is ignored.
inline bool DeclaresAttr(const InferenceContext* c, std::string_view name) {
  return c->op() != nullptr && FindAttr(*c->op(), name) != nullptr;
}

// An int with its default, which spares a look into the definition where the node is silent.
inline Result<int64_t> IntAttr(InferenceContext* c, std::string_view name, int64_t otherwise) {
  if (!c->attrs().Contains(name) || !DeclaresAttr(c, name)) return otherwise;
  return c->GetAttrOr<int64_t>(name, otherwise);
}

// Holds the operands to the definition: each that is not optional is given, each is a tensor (but where any
// value is taken), and those that share a type variable share their element type. Sets the element types of
// the results that follow. After it, input(i) of an operand that is not optional is a shape.
Status CheckOperands(InferenceContext* c);

// The axis of a tensor of that rank, counted from the front; an error where there is none.
Result<int> ReadAxis(const InferenceContext* c, int64_t axis, int rank);

}  // namespace dimwise

#endif  // DIMWISE_INFER_OPERATORS_OPERANDS_H_
