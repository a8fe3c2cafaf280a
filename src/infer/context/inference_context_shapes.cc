// Reads shapes, creates them, and derives shapes from each other.
#include <algorithm>

#include "dimwise/inference_context.h"
#include "infer/context/missing_handle.h"
#include "infer/context/unknown_key.h"
#include "infer/error.h"

namespace dimwise {
namespace {

using DimList = internal::SmallList<Dim, 16>;

// Returns "rank 2, whose axes are -2 .. 1"; a scalar has no axes.
std::string AxesText(int rank) {
  return rank == 0 ? "rank 0, which has no axes"
                   : fmt::format("rank {}, whose axes are {} .. {}", rank, -rank, rank - 1);
}

struct RankRange {
  int min = 0;
  int max = kMaxRank;
};

// Returns the possible ranks of a subshape of an unknown shape, if both ends are counted from one side.
RankRange SubshapeRanks(Shape shape, int64_t start, int64_t end, int64_t stride) {
  if (stride != 1 || (start < 0 && end >= 0 && end < kMaxRank)) return {};
  const auto count = [&](int64_t rank) {
    const int64_t first = start < 0 ? start + rank : std::min(start, rank);
    const int64_t last = end < 0 ? end + rank : std::min(end, rank);
    return static_cast<int>(std::clamp<int64_t>(last < first ? 0 : last - first, 0, kMaxRank));
  };
  return {count(shape.min_rank()), count(shape.max_rank())};
}

}  // namespace

Result<DimensionHandle> InferenceContext::Dim(Shape shape, int64_t axis) {
  if (shape.is_none()) return NoShape();
  if (!shape.has_rank()) {
    // The axis is out of range for every possible rank.
    if (axis >= shape.max_rank() || axis < -shape.max_rank()) {
      return Error(Code::kOutOfRange, "axis {} of a shape of rank {} or less", axis, shape.max_rank());
    }
    return UnknownDim();
  }
  if (axis >= shape.rank() || axis < -shape.rank()) {
    return Error(Code::kOutOfRange, "axis {} of {}, which has {}", axis, DebugString(shape),
                 AxesText(shape.rank()));
  }
  return shape[static_cast<int>(axis < 0 ? axis + shape.rank() : axis)];
}

Result<DimensionHandle> InferenceContext::NumElements(Shape shape) {
  if (shape.is_none()) return NoShape();
  if (!shape.has_rank()) return UnknownDim();
  // A size of 0 makes the product 0, even if the product of the others overflows.
  if (std::ranges::find(shape.dims(), DimensionHandle(0)) != shape.dims().end()) return 0;
  int64_t constant = 1;
  DimensionHandle rest = 1;
  for (const DimensionHandle size : shape.dims()) {
    if (!size.is_constant()) {
      rest = dims().Multiply(rest, size);
    } else if (__builtin_mul_overflow(constant, size.constant(), &constant)) {
      return Error(Code::kOverflow, "{} has more elements than a 64-bit integer can hold",
                   DebugString(shape));
    }
  }
  return rest.is_constant() ? DimensionHandle(constant) : dims().Multiply(rest, constant);
}

// ---- Shapes derived from shapes ----

Result<Shape> InferenceContext::Subshape(Shape shape, int64_t start, int64_t end, int64_t stride) {
  if (shape.is_none()) return NoShape();
  if (stride == 0) return Error(Code::kOutOfRange, "a stride must not be 0");
  if (start == 0 && stride == 1 && end >= shape.max_rank()) return shape;
  if (!shape.has_rank()) {
    const RankRange ranks = SubshapeRanks(shape, start, end, stride);
    return UnknownShape(ranks.min, ranks.max);
  }
  const int64_t rank = shape.rank();
  int64_t first = start < 0 ? start + rank : std::min(start, rank);
  const int64_t last = end < 0 ? end + rank : std::min(end, rank);
  if (first < 0 || last < 0) {
    return Error(Code::kOutOfRange, "axes {} {} of {}, which has {}", first < 0 ? "from" : "up to",
                 first < 0 ? start : end, DebugString(shape), AxesText(shape.rank()));
  }
  if (stride < 0 && first == rank) --first;  // a scalar has no first axis
  if (first >= 0 && (stride > 0 ? first > last : first < last)) {
    return Error(Code::kOutOfRange, "axes from {} {} to {} of {}: the end is before the start", start,
                 stride > 0 ? "up" : "down", end, DebugString(shape));
  }
  DimList sizes;
  const int64_t step = std::clamp<int64_t>(stride, -rank - 1, rank + 1);
  for (int64_t i = first; stride > 0 ? i < last : i > last; i += step)
    sizes.push_back(shape[static_cast<int>(i)]);
  return analysis_->shapes().Make(sizes);
}

Result<Shape> InferenceContext::Concatenate(Shape first, Shape second) {
  if (first.is_none() || second.is_none()) return NoShape();
  const int min = first.min_rank() + second.min_rank();
  if (min > kMaxRank) {
    return Error(Code::kOutOfRange, "{} and {} together have a rank above {}", DebugString(first),
                 DebugString(second), kMaxRank);
  }
  if (first.rank() == 0) return second;
  if (second.rank() == 0) return first;
  if (!first.has_rank() || !second.has_rank()) {
    return UnknownShape(min, std::min(first.max_rank() + second.max_rank(), kMaxRank));
  }
  DimList sizes;
  for (const DimensionHandle size : first.dims()) sizes.push_back(size);
  for (const DimensionHandle size : second.dims()) sizes.push_back(size);
  return analysis_->shapes().Make(sizes);
}

Result<Shape> InferenceContext::ReplaceDim(Shape shape, int64_t axis, DimensionOrConstant dim) {
  DIMWISE_ASSIGN_OR_RETURN(const DimensionHandle size, MakeDim(dim));
  DIMWISE_ASSIGN_OR_RETURN(const DimensionHandle old, Dim(shape, axis));
  if (!shape.has_rank()) return UnknownShape(shape.min_rank(), shape.max_rank());
  if (old == size) return shape;
  DimList sizes;
  for (const DimensionHandle d : shape.dims()) sizes.push_back(d);
  sizes[axis < 0 ? axis + shape.rank() : axis] = size;
  return analysis_->shapes().Make(sizes);
}

// ---- New shapes and sizes ----

Result<Shape> InferenceContext::MakeShape(std::span<const DimensionOrConstant> sizes) {
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i].is_none()) return Error(Code::kBadHandle, "axis {} of a new shape has no size", i);
    if (sizes[i].is_constant() && sizes[i].constant() < 0) {
      return Error(Code::kNegativeSize, "axis {} would have the negative size {}", i, sizes[i].constant());
    }
  }
  const Shape shape = analysis_->shapes().Make(sizes);
  if (shape.is_none()) return Error(Code::kOutOfRange, "a rank is 0 .. {}, not {}", kMaxRank, sizes.size());
  return shape;
}

Result<DimensionHandle> InferenceContext::MakeDim(DimensionOrConstant size) {
  if (size.is_none()) return NoDim();
  if (size.is_constant() && size.constant() < 0) {
    return Error(Code::kNegativeSize, "a size cannot be {}", size.constant());
  }
  return size;
}

SymbolKey InferenceContext::NextKey(int64_t min, int64_t max) {
  return KeyOfUnknown(node_, kFreshRole | next_role_++, min, max);
}

namespace {

// Builds the origin on the stack: names are usually short, so looking up an existing unknown allocates
// nothing.
std::string_view OriginIn(fmt::memory_buffer* buffer, const NodeDescription& node) {
  if (!node.origin.empty()) return node.origin;
  const std::string_view op = node.op == nullptr ? node.op_name : std::string_view(node.op->name);
  if (!node.name.empty()) {
    fmt::format_to(std::back_inserter(*buffer), "node {} ({})", node.name, op);
  } else if (node.index >= 0) {
    fmt::format_to(std::back_inserter(*buffer), "node #{} ({})", node.index, op);
  }
  return {buffer->data(), buffer->size()};
}

}  // namespace

std::string InferenceContext::Origin() const {
  fmt::memory_buffer buffer;
  return std::string(OriginIn(&buffer, node_));
}

DimensionHandle InferenceContext::UnknownDim(int64_t min, int64_t max) {
  if (max < min) max = min;
  if (node_.owner == 0) return dims().Fresh(min, max);
  fmt::memory_buffer buffer;
  return dims().Fresh(NextKey(min, max), min, max, OriginIn(&buffer, node_));
}

Shape InferenceContext::UnknownShape(int min_rank, int max_rank) {
  if (node_.owner == 0) return analysis_->shapes().Unknown(min_rank, max_rank);
  const bool any = min_rank <= 0 && max_rank >= kMaxRank;
  return analysis_->shapes().Unknown(any ? NextKey(0, INT64_MAX) : NextKey(min_rank, max_rank), min_rank,
                                     max_rank);
}

Result<Shape> InferenceContext::UnknownShapeOfRank(int64_t rank) {
  if (rank < 0 || rank > kMaxRank)
    return Error(Code::kOutOfRange, "a rank is 0 .. {}, not {}", kMaxRank, rank);
  DimList sizes;
  for (int64_t i = 0; i < rank; ++i) sizes.push_back(UnknownDim());
  return analysis_->shapes().Make(sizes);
}

Shape InferenceContext::Scalar() { return analysis_->shapes().Scalar(); }

// ---- Conversion from and to integers ----

Result<Shape> InferenceContext::MakeShapeFromPartialTensorShape(const PartialTensorShape& shape) {
  if (shape.unknown_rank()) return UnknownShape();
  DimList sizes;
  for (const int64_t size : shape.dim_sizes())
    sizes.push_back(size < 0 ? UnknownDim() : DimensionHandle(size));
  return MakeShape(sizes);
}

Result<Shape> InferenceContext::MakeShapeFromTensorShape(const TensorShape& shape) {
  DimList sizes;
  for (const int64_t size : shape.dim_sizes()) sizes.push_back(size);
  return MakeShape(sizes);
}

Result<Shape> InferenceContext::MakeShapeFromShapeProto(const ShapeProto& proto) {
  DIMWISE_ASSIGN_OR_RETURN(const PartialTensorShape shape,
                           PartialTensorShape::BuildPartialTensorShape(proto));
  return MakeShapeFromPartialTensorShape(shape);
}

ShapeProto InferenceContext::ShapeHandleToProto(Shape shape) const {
  ShapeProto proto;
  proto.unknown_rank = !RankKnown(shape);
  if (proto.unknown_rank) return proto;
  for (const DimensionHandle size : shape.dims()) proto.dims.push_back(Value(size).value_or(-1));
  return proto;
}

}  // namespace dimwise
