#include "infer/functions/broadcast.h"
#include "infer/functions/elementwise.h"
#include "infer/functions/onnx_ops.h"

namespace dimwise {
namespace {

// The element that a condition chooses. One that is open chooses nothing, unless both are the same.
Float Choose(InferenceContext* c, const Float& condition, const Float& x, const Float& y) {
  if (condition.numerator == Dim(0)) return y;
  if (condition.numerator.is_constant()) return x;
  if (x == y) return x;
  if (!IsKnown(x) || !IsKnown(y) || x.denominator != 1 || y.denominator != 1 || condition.numerator.is_none())
    return {};
  if (x.numerator.is_none() || y.numerator.is_none()) return {};
  // Either: a computation of its own, which the algebra knows by its bounds.
  const SizeBounds p = c->facts().Bounds(x.numerator, c->scope(), Trust::kWithoutAssumed);
  const SizeBounds q = c->facts().Bounds(y.numerator, c->scope(), Trust::kWithoutAssumed);
  const int64_t min = p.min && q.min ? std::min(*p.min, *q.min) : INT64_MIN;
  const int64_t max = p.max && q.max ? std::max(*p.max, *q.max) : INT64_MAX;
  const Dim operands[] = {condition.numerator, x.numerator, y.numerator};
  return IntegerElement(c->dims().Defined({Operation::kSelect, 0, operands}, min, max));
}

Status Where(InferenceContext* c) {
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, BroadcastInputs(c));
  c->set_output(0, shape);
  CombineContents<3>(c, 0, [&](const auto& e) { return Choose(c, e[0], e[1], e[2]); });
  return {};
}

}  // namespace

void AddWhere(OnnxOps& ops) { ops.Add(9, "Where(condition: bool, X: T, Y: T) -> (output: T)", Where); }

}  // namespace dimwise
