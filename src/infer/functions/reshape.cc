// Other shapes for the same elements: Reshape, Flatten, Squeeze, Unsqueeze.
#include "infer/error.h"
#include "infer/functions/axes.h"
#include "infer/functions/onnx_ops.h"
#include "infer/functions/reshape_sizes.h"
#include "infer/functions/sizes.h"

namespace dimwise {
namespace {

Status Reshape(InferenceContext* c) {
  const Shape data = c->input(0);
  DIMWISE_ASSIGN_OR_RETURN(const int64_t allow_zero, IntAttr(c, "allowzero", 0));
  IntegerList sizes;
  DIMWISE_RETURN_IF_ERROR(ReadIntegers(c, 1, "shape", &sizes));
  if (!sizes.known) {
    DIMWISE_ASSIGN_OR_RETURN(const Shape shape, ReshapeByUnknownSizes(c, data, allow_zero != 0));
    c->set_output(0, shape);
    return {};
  }
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, ReshapeBySizes(c, data, sizes, allow_zero != 0));
  c->set_output(0, shape);
  KeepContents(c, 0, 0);
  return {};
}

Status Flatten(InferenceContext* c) {
  const Shape input = c->input(0);
  DIMWISE_ASSIGN_OR_RETURN(const int64_t given, IntAttr(c, "axis", 1));
  if (!input.has_rank()) {
    DIMWISE_ASSIGN_OR_RETURN(const Shape shape,
                             c->Matrix(given == 0 ? Dim(1) : c->UnknownDim(), c->UnknownDim()));
    c->set_output(0, shape);
    return {};
  }
  const int rank = input.rank();
  if (given < -rank || given > rank) {
    return Error(Code::kOutOfRange, "{} has axis {}, but a tensor of rank {} is cut at {} .. {}", OpName(c),
                 given, rank, -rank, rank);
  }
  const auto axis = static_cast<size_t>(given < 0 ? given + rank : given);
  const Dim before = Product(c->dims(), input.dims().first(axis));
  const Dim after = Product(c->dims(), input.dims().subspan(axis));
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->Matrix(before, after));
  c->set_output(0, shape);
  KeepContents(c, 0, 0);
  return {};
}

// The ranks that may be left where so many axes are named (-1: not known how many). An axis may be named
// twice.
Shape SqueezeUnknownAxes(InferenceContext* c, Shape data, int64_t count) {
  if (count == 0) return data;
  const int64_t most = count < 0 ? data.min_rank() : count;
  const int min = static_cast<int>(std::max<int64_t>(data.min_rank() - most, 0));
  const int max = count < 0 ? data.max_rank() : std::max(data.max_rank() - 1, 0);
  return data.has_rank() && min == max ? c->UnknownShapeOfRank(min).value() : c->UnknownShape(min, max);
}

// Without axes, every axis of size 1 goes; an assumption about a size must not decide a rank.
Result<Shape> SqueezeOnes(InferenceContext* c, Shape data) {
  DimList kept;
  int open = 0;
  for (const Dim size : data.dims()) {
    const Truth is_one = c->facts().Equal(size, 1, c->scope(), Trust::kWithoutAssumed);
    if (is_one == Truth::kYes) continue;
    if (is_one == Truth::kMaybe) ++open;
    kept.push_back(size);
  }
  if (open == 0) return c->MakeShape(kept);
  const int rank = static_cast<int>(kept.size());
  return c->UnknownShape(rank - open, rank);
}

Status Squeeze(InferenceContext* c) {
  const Shape data = c->input(0);
  AxisSet axes;
  if (!data.has_rank()) {
    IntegerList list;
    DIMWISE_RETURN_IF_ERROR(ReadIntegers(c, 1, "axes", &list));
    c->set_output(0, SqueezeUnknownAxes(c, data, list.given ? list.length : -1));
    return {};
  }
  DIMWISE_RETURN_IF_ERROR(ReadAxes(c, 1, data.rank(), false, &axes));
  if (!axes.given) {
    DIMWISE_ASSIGN_OR_RETURN(const Shape shape, SqueezeOnes(c, data));
    c->set_output(0, shape);
  } else if (!axes.known) {
    c->set_output(0, SqueezeUnknownAxes(c, data, axes.count));
  } else {
    DimList kept;
    for (int axis = 0; axis < data.rank(); ++axis) {
      if (!axes.has[static_cast<size_t>(axis)]) {
        kept.push_back(data[axis]);
      } else if (data[axis] != Dim(1)) {
        DIMWISE_RETURN_IF_ERROR(c->Require(
            Equal(c->dims(), data[axis], 1),
            [&] {
              return fmt::format(
                  "{} takes away axis {} of {}, which has size {}; only an axis of size 1 can go", OpName(c),
                  axis, OperandText(c, 0), c->DebugString(data[axis]));
            },
            Code::kSizeMismatch));
      }
    }
    DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->MakeShape(kept));
    c->set_output(0, shape);
  }
  KeepContents(c, 0, 0);
  return {};
}

Status Unsqueeze(InferenceContext* c) {
  const Shape data = c->input(0);
  IntegerList list;
  DIMWISE_RETURN_IF_ERROR(ReadIntegers(c, 1, "axes", &list));
  if (!list.given) return Error(Code::kMissingAttribute, "{} has no axes", OpName(c));
  if (!data.has_rank() || list.length < 0) {
    const int more = static_cast<int>(std::max<int64_t>(list.length, 0));
    c->set_output(
        0, c->UnknownShape(data.min_rank() + more, list.length < 0 ? kMaxRank : data.max_rank() + more));
    return {};
  }
  const auto rank = data.rank() + static_cast<int>(list.length);
  if (rank > kMaxRank || !list.AllConstant()) {
    DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->UnknownShapeOfRank(rank));
    c->set_output(0, shape);
    KeepContents(c, 0, 0);
    return {};
  }
  AxisSet axes;
  DIMWISE_RETURN_IF_ERROR(ReadAxes(c, 1, rank, true, &axes));
  DimList sizes;
  for (int axis = 0, from = 0; axis < rank; ++axis) {
    sizes.push_back(axes.has[static_cast<size_t>(axis)] ? Dim(1) : data[from++]);
  }
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->MakeShape(sizes));
  c->set_output(0, shape);
  KeepContents(c, 0, 0);
  return {};
}

}  // namespace

void AddReshape(OnnxOps& ops) {
  ops.Add(5, "Reshape(data: T, shape: i64) -> (reshaped: T)", Reshape);
  ops.Add(14, "Reshape(data: T, shape: i64; allowzero: int = 0) -> (reshaped: T)", Reshape);
  ops.Add(1, "Flatten(input: T; axis: int = 1) -> (output: T)", Flatten);
  ops.Add(1, "Squeeze(data: T; axes?: list(int)) -> (squeezed: T)", Squeeze);
  ops.Add(13, "Squeeze(data: T, axes?: i64) -> (squeezed: T)", Squeeze);
  ops.Add(1, "Unsqueeze(data: T; axes: list(int)) -> (expanded: T)", Unsqueeze);
  ops.Add(13, "Unsqueeze(data: T, axes: i64) -> (expanded: T)", Unsqueeze);
}

}  // namespace dimwise
