// Shapes as contents, and contents as shapes: Shape, Size, ConstantOfShape, Range.
#include <cmath>

#include "infer/error.h"
#include "infer/functions/contents.h"
#include "infer/functions/onnx_ops.h"
#include "infer/functions/sizes.h"

namespace dimwise {
namespace {

// The axes start .. end, each moved into 0 .. rank.
struct AxisRange {
  int64_t start = 0;
  int64_t end = INT64_MAX;

  int First(int rank) const { return Clamp(start, rank); }
  int Count(int rank) const { return std::max(Clamp(end, rank) - First(rank), 0); }

 private:
  static int Clamp(int64_t axis, int rank) {
    return static_cast<int>(std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank));
  }
};

Status ShapeOf(InferenceContext* c) {
  const Shape data = c->input(0);
  AxisRange range;
  DIMWISE_ASSIGN_OR_RETURN(range.start, IntAttr(c, "start", 0));
  DIMWISE_ASSIGN_OR_RETURN(range.end, IntAttr(c, "end", INT64_MAX));
  if (!data.has_rank()) {
    // Counting both ends from one side, more axes give a longer list.
    const bool grows = (range.start >= 0) == (range.end >= 0) || range.start >= 0 || range.end == INT64_MAX;
    const int64_t min = grows ? range.Count(data.min_rank()) : 0;
    const int64_t max = grows ? range.Count(data.max_rank()) : data.max_rank();
    DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->Vector(min == max ? Dim(min) : c->UnknownDim(min, max)));
    c->set_output(0, shape);
    return {};
  }
  const int first = range.First(data.rank());
  const int count = range.Count(data.rank());
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->Vector(count));
  c->set_output(0, shape);
  ElementList elements;
  for (int axis = first; axis < first + count; ++axis) elements.push_back(IntegerElement(data[axis]));
  SetContents(c, 0, elements);
  return {};
}

Status SizeOf(InferenceContext* c) {
  c->set_output(0, c->Scalar());
  const Shape data = c->input(0);
  const Float count = IntegerElement(data.has_rank() ? Product(c->dims(), data.dims()) : c->UnknownDim());
  SetContents(c, 0, std::span<const Float>(&count, 1));
  return {};
}

// The number that fills a ConstantOfShape: f32 0 unless an attribute says otherwise.
struct Filling {
  ElementType type = ElementType::kF32;
  Float element = IntegerElement(0);
};

Result<Filling> ReadFilling(InferenceContext* c) {
  Filling filling;
  if (c->FindAttr("value") == nullptr) return filling;
  DIMWISE_ASSIGN_OR_RETURN(const TensorValue* value, c->GetAttr<const TensorValue*>("value"));
  if (value->ElementCount().value_or(1) != 1) {
    return Error(Code::kBadAttribute, "{} fills with one number; value has {}", OpName(c),
                 *value->ElementCount());
  }
  filling.type = value->type;
  filling.element = {};
  if (const std::optional<int64_t> integer = value->IntAt(0); integer && !IsFloat(value->type)) {
    filling.element = IntegerElement(*integer);
  } else if (const std::optional<double> number = value->FloatAt(0)) {
    filling.element = Float::Of(*number);
  }
  return filling;
}

Status ConstantOfShape(InferenceContext* c) {
  DIMWISE_ASSIGN_OR_RETURN(const Filling filling, ReadFilling(c));
  c->set_output_type(0, filling.type);
  IntegerList list;
  DIMWISE_RETURN_IF_ERROR(ReadIntegers(c, 0, "input", &list));
  if (!list.known) {
    DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->MakeShapeFromShapeTensor(0));
    c->set_output(0, shape);
    return {};
  }
  DimList sizes;
  DIMWISE_RETURN_IF_ERROR(SizesOf(c, list, "input", &sizes));
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->MakeShape(sizes));
  c->set_output(0, shape);
  if (!MayHaveContents(shape, filling.type)) return {};
  ElementList elements;
  for (int64_t i = 0; i < *SmallCount(shape); ++i) elements.push_back(filling.element);
  SetContents(c, 0, elements);
  return {};
}

// ---- Range ------------------------------------------------------------------------------------------------

Float ScalarOf(InferenceContext* c, int input) {
  const Shape shape = c->input(input);
  if (shape.has_rank() && SmallCount(shape) != 1) return {};
  return ElementOf(c->input_tensor(input), 0);
}

// The number of integers from start on by delta before limit; none where the direction is not known.
Dim CountIntegers(InferenceContext* c, Dim start, Dim limit, Dim delta) {
  DimTable& dims = c->dims();
  if (start.is_none() || limit.is_none() || delta.is_none()) return Dim();
  if (c->AtLeast(delta, 1) == Truth::kYes) {
    return AtLeastZero(dims, dims.CeilDivide(dims.Subtract(limit, start), delta));
  }
  if (c->AtLeast(-1, delta) == Truth::kYes) {
    return AtLeastZero(dims, dims.CeilDivide(dims.Subtract(start, limit), dims.Negate(delta)));
  }
  return Dim();
}

// The number of floats. Runtimes differ in whether an f32 difference is rounded before it is divided; where
// that matters the size is one of the two.
Dim CountFloats(InferenceContext* c, ElementType type, double start, double limit, double delta) {
  const double rounded = static_cast<double>(static_cast<float>(limit - start));
  const double counts[] = {std::ceil((limit - start) / delta),
                           std::ceil((type == ElementType::kF32 ? rounded : limit - start) / delta)};
  int64_t sizes[2];
  for (int i = 0; i < 2; ++i) {
    if (!(counts[i] < 0x1p53)) return Dim();  // nor is NaN a size
    sizes[i] = counts[i] > 0 ? static_cast<int64_t>(counts[i]) : 0;
  }
  return sizes[0] == sizes[1] ? Dim(sizes[0])
                              : c->UnknownDim(std::min(sizes[0], sizes[1]), std::max(sizes[0], sizes[1]));
}

Status Range(InferenceContext* c) {
  for (int i = 0; i < 3; ++i) {
    if (c->input(i).min_rank() <= 1) continue;
    return Error(Code::kRankMismatch, "{} takes three scalars; {} has rank {}", OpName(c), OperandText(c, i),
                 c->input(i).min_rank());
  }
  const Float start = ScalarOf(c, 0), limit = ScalarOf(c, 1), delta = ScalarOf(c, 2);
  const ElementType type = c->output_type(0);
  if (delta.constant() == 0.0)
    return Error(Code::kContents, "{} has a delta of 0, which goes nowhere", OpName(c));
  Dim count;
  const bool whole = start.denominator == 1 && limit.denominator == 1 && delta.denominator == 1;
  if (IsInteger(type) || (whole && IsFloat(type))) {
    count = CountIntegers(c, start.numerator, limit.numerator, delta.numerator);
  } else if (type == ElementType::kF32 || type == ElementType::kF64) {
    const std::optional<double> s = start.constant(), l = limit.constant(), d = delta.constant();
    if (s && l && d) count = CountFloats(c, type, *s, *l, *d);
  }
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->Vector(count.is_none() ? c->UnknownDim() : count));
  c->set_output(0, shape);
  if (!IsInteger(type) || start.numerator.is_none() || !MayHaveContents(shape, type)) return {};
  ElementList elements;
  for (int64_t i = 0; i < shape[0].constant(); ++i) {
    elements.push_back(
        IntegerElement(c->dims().Add(start.numerator, c->dims().Multiply(delta.numerator, i))));
  }
  SetContents(c, 0, elements);
  return {};
}

}  // namespace

void AddShape(OnnxOps& ops) {
  ops.Add(1, "Shape(data: T) -> (shape: i64)", ShapeOf);
  ops.Add(15, "Shape(data: T; start: int = 0, end?: int) -> (shape: i64)", ShapeOf);
  ops.Add(1, "Size(data: T) -> (size: i64)", SizeOf);
  ops.Add(9, "ConstantOfShape(input: i64; value?: tensor) -> (output: any)", ConstantOfShape);
  ops.Add(11, "Range(start: T, limit: T, delta: T) -> (output: T)", Range);
  ops.Add(27, "Range(start: T, limit: T, delta: T; stash_type: int = 1) -> (output: T)", Range);
}

}  // namespace dimwise
