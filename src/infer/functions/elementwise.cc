// Operators that work element by element: results have the shape of the operand, or the shape to which the
// operands broadcast.
#include "infer/functions/elementwise.h"

#include <algorithm>

#include "infer/error.h"
#include "infer/functions/broadcast.h"
#include "infer/functions/element_arithmetic.h"
#include "infer/functions/onnx_ops.h"

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

template <UnaryOp kOp>
Status Unary(InferenceContext* c) {
  c->set_output(0, c->input(0));
  const ElementType type = c->input_type(0);
  CombineContents<1>(c, 0, [&](const auto& x) { return Apply(c, kOp, type, x[0]); });
  return {};
}

// Passes on what it is given, whatever that is.
Status Identity(InferenceContext* c) {
  c->set_full_output_type(0, c->full_input_type(0));
  if (MayHaveContents(c->input(0), c->input_type(0))) c->set_output_value(0, c->input_tensor(0));
  return {};
}

Status Dropout(InferenceContext* c) {
  for (int i = 0; i < c->num_outputs(); ++i) c->set_output(i, c->input(0));
  return {};
}

// Softmax and its like: one axis is special, and must be there.
Status AlongAxis(InferenceContext* c) {
  DIMWISE_ASSIGN_OR_RETURN(const int64_t axis, c->GetAttr<int64_t>("axis"));
  if (c->input(0).has_rank()) DIMWISE_RETURN_IF_ERROR(ReadAxis(c, axis, c->input(0).rank()));
  c->set_output(0, c->input(0));
  return {};
}

Status Broadcasts(InferenceContext* c) {
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, BroadcastInputs(c));
  c->set_output(0, shape);
  return {};
}

template <BinaryOp kOp>
Status Binary(InferenceContext* c) {
  DIMWISE_RETURN_IF_ERROR(Broadcasts(c));
  const ElementType type = c->input_type(0);
  CombineContents<2>(c, 0, [&](const auto& x) { return Combine(c, kOp, type, x[0], x[1]); });
  return {};
}

// a > b is b < a.
template <BinaryOp kOp>
Status BinaryReversed(InferenceContext* c) {
  DIMWISE_RETURN_IF_ERROR(Broadcasts(c));
  const ElementType type = c->input_type(0);
  CombineContents<2>(c, 0, [&](const auto& x) { return Combine(c, kOp, type, x[1], x[0]); });
  return {};
}

Status Mod(InferenceContext* c) {
  DIMWISE_ASSIGN_OR_RETURN(const int64_t fmod, IntAttr(c, "fmod", 0));
  return fmod == 0 ? Binary<BinaryOp::kFloorMod>(c) : Binary<BinaryOp::kTruncatedMod>(c);
}

// Max, Min and Sum of any number of operands; contents for up to two, which is how sizes are compared.
template <BinaryOp kOp>
Status Variadic(InferenceContext* c) {
  if (c->num_inputs() == 2) return Binary<kOp>(c);
  if (c->num_inputs() == 1) return Unary<UnaryOp::kIdentity>(c);
  return Broadcasts(c);
}

}  // namespace

void AddElementwise(OnnxOps& ops) {
  // Unary, and since which version in this form.
  struct Line {
    int since;
    const char* signature;
  };
  static constexpr Line kUnary[] = {
      {7, "Acos(input: T) -> (output: T)"},
      {9, "Acosh(input: T) -> (output: T)"},
      {7, "Asin(input: T) -> (output: T)"},
      {9, "Asinh(input: T) -> (output: T)"},
      {7, "Atan(input: T) -> (output: T)"},
      {9, "Atanh(input: T) -> (output: T)"},
      {18, "BitwiseNot(X: T) -> (Y: T)"},
      {12, "Celu(X: T; alpha: float = 1.0) -> (Y: T)"},
      {6, "Clip(input: T; min?: float, max?: float) -> (output: T)"},
      {11, "Clip(input: T, min?: T, max?: T) -> (output: T)"},
      {7, "Cos(input: T) -> (output: T)"},
      {9, "Cosh(input: T) -> (output: T)"},
      {6, "Elu(X: T; alpha: float = 1.0) -> (Y: T)"},
      {9, "Erf(input: T) -> (output: T)"},
      {6, "Exp(input: T) -> (output: T)"},
      {20, "Gelu(X: T; approximate: string = 'none') -> (Y: T)"},
      {6, "HardSigmoid(X: T; alpha: float = 0.2, beta: float = 0.5) -> (Y: T)"},
      {14, "HardSwish(X: T) -> (Y: T)"},
      {10, "IsInf(X: T1; detect_negative: int = 1, detect_positive: int = 1) -> (Y: bool)"},
      {9, "IsNaN(X: T1) -> (Y: bool)"},
      {6, "LeakyRelu(X: T; alpha: float = 0.01) -> (Y: T)"},
      {6, "Log(input: T) -> (output: T)"},
      {18, "Mish(X: T) -> (Y: T)"},
      {6, "Reciprocal(X: T) -> (Y: T)"},
      {6, "Relu(X: T) -> (Y: T)"},
      {11, "Round(X: T) -> (Y: T)"},
      {6, "Selu(X: T; alpha: float = 1.67326, gamma: float = 1.0507) -> (Y: T)"},
      {9, "Shrink(input: T; bias: float = 0.0, lambd: float = 0.5) -> (output: T)"},
      {6, "Sigmoid(X: T) -> (Y: T)"},
      {9, "Sign(input: T) -> (output: T)"},
      {7, "Sin(input: T) -> (output: T)"},
      {9, "Sinh(input: T) -> (output: T)"},
      {1, "Softplus(X: T) -> (Y: T)"},
      {1, "Softsign(input: T) -> (output: T)"},
      {6, "Sqrt(X: T) -> (Y: T)"},
      {24, "Swish(X: T; alpha: float = 1.0) -> (Y: T)"},
      {7, "Tan(input: T) -> (output: T)"},
      {6, "Tanh(input: T) -> (output: T)"},
      {10, "ThresholdedRelu(X: T; alpha: float = 1.0) -> (Y: T)"},
  };
  for (const Line& line : kUnary) ops.Add(line.since, line.signature, SameAsFirst);
  ops.Add(6, "Abs(X: T) -> (Y: T)", Unary<UnaryOp::kAbs>);
  ops.Add(6, "Ceil(X: T) -> (Y: T)", Unary<UnaryOp::kCeil>);
  ops.Add(6, "Floor(X: T) -> (Y: T)", Unary<UnaryOp::kFloor>);
  ops.Add(6, "Neg(X: T) -> (Y: T)", Unary<UnaryOp::kNegate>);
  ops.Add(1, "Not(X: bool) -> (Y: bool)", Unary<UnaryOp::kNot>);
  ops.Add(1, "Identity(input: any) -> (output: any)", Identity);
  ops.Add(7, "Dropout(data: T; ratio: float = 0.5) -> (output: T, mask?: T)", Dropout);
  ops.Add(10, "Dropout(data: T; ratio: float = 0.5) -> (output: T, mask?: bool)", Dropout);
  ops.Add(12, "Dropout(data: T, ratio?: T1, training_mode?: bool; seed?: int) -> (output: T, mask?: bool)",
          Dropout);

  // Up to version 12 these see a matrix, cut before the axis; the axis must be there all the same.
  ops.Add(1, "Softmax(input: T; axis: int = 1) -> (output: T)", AlongAxis);
  ops.Add(13, "Softmax(input: T; axis: int = -1) -> (output: T)", AlongAxis);
  ops.Add(1, "LogSoftmax(input: T; axis: int = 1) -> (output: T)", AlongAxis);
  ops.Add(13, "LogSoftmax(input: T; axis: int = -1) -> (output: T)", AlongAxis);
  ops.Add(1, "Hardmax(input: T; axis: int = 1) -> (output: T)", AlongAxis);
  ops.Add(13, "Hardmax(input: T; axis: int = -1) -> (output: T)", AlongAxis);

  // Before version 7 an attribute `axis` told where the smaller operand begins.
  ops.Add(7, "Add(A: T, B: T) -> (C: T)", Binary<BinaryOp::kAdd>);
  ops.Add(7, "Sub(A: T, B: T) -> (C: T)", Binary<BinaryOp::kSubtract>);
  ops.Add(7, "Mul(A: T, B: T) -> (C: T)", Binary<BinaryOp::kMultiply>);
  ops.Add(7, "Div(A: T, B: T) -> (C: T)", Binary<BinaryOp::kDivide>);
  ops.Add(10, "Mod(A: T, B: T; fmod: int = 0) -> (C: T)", Mod);
  ops.Add(7, "Pow(X: T, Y: T) -> (Z: T)", Broadcasts);
  ops.Add(12, "Pow(X: T, Y: T1) -> (Z: T)", Broadcasts);
  ops.Add(7, "PRelu(X: T, slope: T) -> (Y: T)", Broadcasts);
  ops.Add(11, "BitShift(X: T, Y: T; direction: {'LEFT', 'RIGHT'}) -> (Z: T)", Broadcasts);
  ops.Add(18, "BitwiseAnd(A: T, B: T) -> (C: T)", Broadcasts);
  ops.Add(18, "BitwiseOr(A: T, B: T) -> (C: T)", Broadcasts);
  ops.Add(18, "BitwiseXor(A: T, B: T) -> (C: T)", Broadcasts);
  ops.Add(7, "And(A: bool, B: bool) -> (C: bool)", Binary<BinaryOp::kAnd>);
  ops.Add(7, "Or(A: bool, B: bool) -> (C: bool)", Binary<BinaryOp::kOr>);
  ops.Add(7, "Xor(A: bool, B: bool) -> (C: bool)", Binary<BinaryOp::kXor>);
  ops.Add(7, "Equal(A: T, B: T) -> (C: bool)", Binary<BinaryOp::kEqual>);
  ops.Add(7, "Less(A: T, B: T) -> (C: bool)", Binary<BinaryOp::kLess>);
  ops.Add(7, "Greater(A: T, B: T) -> (C: bool)", BinaryReversed<BinaryOp::kLess>);
  ops.Add(12, "LessOrEqual(A: T, B: T) -> (C: bool)", Binary<BinaryOp::kLessOrEqual>);
  ops.Add(12, "GreaterOrEqual(A: T, B: T) -> (C: bool)", BinaryReversed<BinaryOp::kLessOrEqual>);

  ops.Add(8, "Max(data_0+: T) -> (max: T)", Variadic<BinaryOp::kMax>);
  ops.Add(8, "Min(data_0+: T) -> (min: T)", Variadic<BinaryOp::kMin>);
  ops.Add(8, "Sum(data_0+: T) -> (sum: T)", Variadic<BinaryOp::kAdd>);
  ops.Add(8, "Mean(data_0+: T) -> (mean: T)", Broadcasts);
}

}  // namespace dimwise
