// Shapes and sizes that an operator reads from the contents of its operands.
//
// An element that is an expression becomes the size itself. This is how computed shapes become dimensions. An
// element that may be negative becomes an unknown size, because -1 may mean "any size" to the operator.
#include <algorithm>

#include "dimwise/inference_context.h"
#include "infer/context/certain_size.h"
#include "infer/error.h"

namespace dimwise {
namespace {

using DimList = internal::SmallList<Dim, 16>;

bool IsIndexType(ElementType type) {
  return type == ElementType::kI32 || type == ElementType::kI64 || type == ElementType::kUnknown;
}

}  // namespace

Result<Shape> InferenceContext::MakeShapeFromTensor(dimwise::Value contents, Shape shape_of_tensor) {
  if (contents.is_none()) {
    if (shape_of_tensor.is_none())
      return Error(Code::kBadHandle, "neither the contents nor their number is known");
    if (!shape_of_tensor.has_rank() || shape_of_tensor.rank() == 0) return UnknownShape();
    const DimensionHandle length = shape_of_tensor[0];
    if (length.is_constant()) return UnknownShapeOfRank(length.constant());
    const SizeBounds ranks = facts().Bounds(length, scope(), FactFilter::kWithoutAssumed);
    if (ranks.min.value_or(0) > kMaxRank) {
      return Error(Code::kOutOfRange, "a rank is 0 .. {}, not {}", kMaxRank, *ranks.min);
    }
    return UnknownShape(static_cast<int>(std::max<int64_t>(ranks.min.value_or(0), 0)),
                        static_cast<int>(std::clamp<int64_t>(ranks.max.value_or(kMaxRank), 0, kMaxRank)));
  }
  if (!IsIndexType(contents.element())) {
    return Error(Code::kElementType, "a shape is read from a tensor of i32 or i64, not {}",
                 ToString(contents.element()));
  }
  if (contents.rank() == 0) {
    const DimensionHandle only = contents.Integer(0);
    if (only.is_constant() && only.constant() != -1) {
      return Error(Code::kContents,
                   "a shape is read from a list of sizes, or from the scalar -1, not from {}",
                   only.constant());
    }
    return UnknownShape();
  }
  if (contents.rank() != 1) {
    return Error(Code::kRankMismatch, "a shape is read from a tensor of rank 1, not {}", contents.rank());
  }
  if (contents.size() > kMaxRank)
    return Error(Code::kOutOfRange, "a rank is 0 .. {}, not {}", kMaxRank, contents.size());
  DimList sizes;
  for (int64_t i = 0; i < contents.size(); ++i) {
    const DimensionHandle size = contents.Integer(i);
    if (size.is_constant() && size.constant() < -1) {
      return Error(Code::kContents, "element {} of a shape is {}; it is a size, or -1 for an unknown one", i,
                   size.constant());
    }
    const bool is_size = IsCertainlySize(dims(), size) || AtLeast(size, 0) == Truth::kYes;
    sizes.push_back(is_size ? size : UnknownDim());
  }
  return MakeShape(sizes);
}

Result<Shape> InferenceContext::ShapeFromInput(int64_t input, Shape shape_of_tensor) {
  InputSlot& slot = inputs_[input];
  slot.requested_as_shape = true;
  if (RankKnown(slot.as_shape)) return slot.as_shape;
  const dimwise::Value contents = input_tensor(input);
  if (contents.is_none() && !slot.as_shape.is_none() && !FullyDefined(shape_of_tensor)) return slot.as_shape;
  return MakeShapeFromTensor(contents, shape_of_tensor);
}

Result<Shape> InferenceContext::MakeShapeFromShapeTensor(int64_t input) {
  if (!has_input(input))
    return Error(Code::kBadHandle, "a shape is read from input {}, which is not given", input);
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape_of_tensor, WithRank(this->input(input), 1));
  return ShapeFromInput(input, shape_of_tensor);
}

Result<Shape> InferenceContext::MakeShapeFromShapeTensorTreatScalarAsUnknownShape(int64_t input) {
  if (!has_input(input))
    return Error(Code::kBadHandle, "a shape is read from input {}, which is not given", input);
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape_of_tensor, WithRankAtMost(this->input(input), 1));
  return ShapeFromInput(input, shape_of_tensor);
}

Result<DimensionHandle> InferenceContext::GetScalarFromTensor(dimwise::Value contents) {
  if (contents.is_none()) return Error(Code::kBadHandle, "a number is read from unknown contents");
  if (contents.rank() != 0) {
    return Error(Code::kRankMismatch, "a number is read from a scalar, not from a tensor of rank {}",
                 contents.rank());
  }
  if (!IsIndexType(contents.element())) {
    return Error(Code::kElementType, "a number is read from a tensor of i32 or i64, not {}",
                 ToString(contents.element()));
  }
  const DimensionHandle number = contents.Integer(0);
  return number.is_none() ? UnknownDim(INT64_MIN) : number;
}

Result<DimensionHandle> InferenceContext::MakeDimForScalarInput(int64_t input) {
  if (!has_input(input))
    return Error(Code::kBadHandle, "a size is read from input {}, which is not given", input);
  const dimwise::Value contents = input_tensor(input);
  if (contents.is_none()) return UnknownDim();
  DIMWISE_ASSIGN_OR_RETURN(const DimensionHandle size, GetScalarFromTensor(contents));
  const auto words = [&] {
    return fmt::format("the size in input {} is {}; it must not be negative", input, DebugString(size));
  };
  DIMWISE_RETURN_IF_ERROR(Require(dimwise::AtLeast(dims(), size, 0), words, Code::kNegativeSize));
  return size;
}

Result<DimensionHandle> InferenceContext::MakeDimForScalarInputWithNegativeIndexing(int64_t input, int rank) {
  if (!has_input(input))
    return Error(Code::kBadHandle, "an axis is read from input {}, which is not given", input);
  const dimwise::Value contents = input_tensor(input);
  if (contents.is_none()) return UnknownDim();
  DIMWISE_ASSIGN_OR_RETURN(const DimensionHandle axis, GetScalarFromTensor(contents));
  if (!axis.is_constant()) return UnknownDim();
  if (rank < 0) return axis.constant() < 0 ? UnknownDim() : axis;
  if (rank == 0) {
    return Error(Code::kOutOfRange, "the axis in input {} is {}; a tensor of rank 0 has no axes", input,
                 axis.constant());
  }
  if (axis.constant() < -int64_t{rank} || axis.constant() >= rank) {
    return Error(Code::kOutOfRange, "the axis in input {} is {}; for rank {} it must be in {} .. {}", input,
                 axis.constant(), rank, -rank, rank - 1);
  }
  return axis.constant() < 0 ? DimensionHandle(axis.constant() + rank) : axis;
}

}  // namespace dimwise
