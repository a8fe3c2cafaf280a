// Relu and Add: the result has the shape of the operand, or the broadcast shape of the operands.
#include "bench/functions/elementwise.h"

#include <algorithm>
#include <optional>

#include "bench/functions/broadcast.h"
#include "bench/functions/functions.h"
#include "infer/error.h"

namespace dimwise {

BroadcastIndex::BroadcastIndex(Shape result, Value operand) {
  int64_t stride = 1;
  for (int axis = 0; axis < std::min(result.rank(), 4); ++axis) {
    const auto at = static_cast<size_t>(axis);
    sizes_[at] = std::max<int64_t>(result[result.rank() - 1 - axis].constant(), 1);
    if (axis >= operand.rank()) continue;
    const int64_t size = operand.dims()[static_cast<size_t>(operand.rank() - 1 - axis)];
    if (size != 1) strides_[at] = stride;
    stride *= size;
  }
}

int64_t BroadcastIndex::operator()(int64_t element) const {
  int64_t index = 0;
  for (size_t axis = 0; axis < sizes_.size(); ++axis) {
    index += element % sizes_[axis] * strides_[axis];
    element /= sizes_[axis];
  }
  return index;
}

namespace {

Status SameAsFirst(InferenceContext* c) {
  c->set_output(0, c->input(0));
  return {};
}

Float AddElements(InferenceContext* c, ElementType type, const Float& a, const Float& b) {
  if (!IsKnown(a) || !IsKnown(b)) return {};
  if (!IsFloat(type)) return IntegerElement(c->dims().Add(a.numerator, b.numerator));
  const std::optional<double> x = a.constant(), y = b.constant();
  if (!x || !y) return {};
  if (type == ElementType::kF64) return Float::Of(*x + *y);
  if (type != ElementType::kF32) return {};
  return Float::Of(static_cast<double>(static_cast<float>(*x) + static_cast<float>(*y)));
}

Status AddBoth(InferenceContext* c) {
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, BroadcastInputs(c));
  c->set_output(0, shape);
  const ElementType type = c->input_type(0);
  CombineContents<2>(c, 0, [&](const auto& x) { return AddElements(c, type, x[0], x[1]); });
  return {};
}

}  // namespace

void AddElementwise(OnnxOps& ops) {
  ops.Add(6, "Relu(X: T) -> (Y: T)", /*doc=*/"", SameAsFirst);
  ops.Add(7, "Add(A: T, B: T) -> (C: T)", /*doc=*/"", AddBoth);
}

}  // namespace dimwise
