// Picking elements by index.
#include "infer/error.h"
#include "infer/functions/contents.h"
#include "infer/functions/onnx_ops.h"

namespace dimwise {
namespace {

// Indices that are numbers must lie in the axis: -size .. size - 1.
Status RequireInRange(InferenceContext* c, Value indices, Dim size, int axis) {
  int64_t least = 0;
  int64_t most = -1;
  for (int64_t i = 0; i < indices.size(); ++i) {
    const std::optional<int64_t> index = indices.ConstantInteger(i);
    if (!index) continue;
    least = std::min(least, *index);
    most = std::max(most, *index);
  }
  if (least == INT64_MIN || most == INT64_MAX) {
    return Error(Code::kOutOfRange, "{} reads index {}, which no tensor has", OpName(c),
                 least == INT64_MIN ? least : most);
  }
  const int64_t needed = std::max(most + 1, -least);
  if (needed == 0 || (size.is_constant() && size.constant() >= needed)) return {};
  return c->Require(
      AtLeast(c->dims(), size, needed),
      [&] {
        return fmt::format("{} reads index {} of axis {} of {}, which has size {}", OpName(c),
                           needed == most + 1 ? most : least, axis, OperandText(c, 0), c->DebugString(size));
      },
      Code::kOutOfRange);
}

void PickContents(InferenceContext* c, Value indices) {
  if (c->input(0).rank() != 1 || indices.is_none() || !MayHaveContents(c->output(0), c->output_type(0)))
    return;
  const Value data = c->input_tensor(0);
  if (data.is_none()) return;
  ElementList elements;
  for (int64_t i = 0; i < indices.size(); ++i) {
    const std::optional<int64_t> index = indices.ConstantInteger(i);
    elements.push_back(index ? ElementOf(data, *index < 0 ? *index + data.size() : *index) : Float());
  }
  SetContents(c, 0, elements);
}

Status Gather(InferenceContext* c) {
  const Shape data = c->input(0);
  const Shape indices = c->input(1);
  DIMWISE_ASSIGN_OR_RETURN(const int64_t given, IntAttr(c, "axis", 0));
  if (data.max_rank() == 0)
    return Error(Code::kRankMismatch, "{} picks along an axis, and data is a scalar", OpName(c));
  if (!data.has_rank() || !indices.has_rank()) {
    if (data.has_rank()) DIMWISE_RETURN_IF_ERROR(ReadAxis(c, given, data.rank()));
    const int min = std::max(data.min_rank(), 1) - 1 + indices.min_rank();
    c->set_output(0, c->UnknownShape(min, std::min(data.max_rank() - 1 + indices.max_rank(), kMaxRank)));
    return {};
  }
  DIMWISE_ASSIGN_OR_RETURN(const int axis, ReadAxis(c, given, data.rank()));
  DimList sizes;
  for (int i = 0; i < axis; ++i) sizes.push_back(data[i]);
  for (const Dim size : indices.dims()) sizes.push_back(size);
  for (int i = axis + 1; i < data.rank(); ++i) sizes.push_back(data[i]);
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->MakeShape(sizes));
  c->set_output(0, shape);

  const Value picked = SmallContents(c, 1);
  if (picked.is_none()) return {};
  DIMWISE_RETURN_IF_ERROR(RequireInRange(c, picked, data[axis], axis));
  PickContents(c, picked);
  return {};
}

// The result has the shape of the indices, which on the other axes must lie inside the data.
Status GatherElements(InferenceContext* c) {
  const Shape data = c->input(0);
  const Shape indices = c->input(1);
  DIMWISE_ASSIGN_OR_RETURN(const int64_t given, IntAttr(c, "axis", 0));
  c->set_output(0, indices);
  if (!data.has_rank() || !indices.has_rank()) {
    if (data.has_rank()) {
      DIMWISE_RETURN_IF_ERROR(ReadAxis(c, given, data.rank()));
      DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->WithRank(indices, data.rank()));
      c->set_output(0, shape);
    }
    return {};
  }
  if (data.rank() != indices.rank()) {
    return Error(Code::kRankMismatch, "{} has {} of rank {} and {} of rank {}; both must have the same rank",
                 OpName(c), OperandText(c, 0), data.rank(), OperandText(c, 1), indices.rank());
  }
  DIMWISE_ASSIGN_OR_RETURN(const int along, ReadAxis(c, given, data.rank()));
  for (int axis = 0; axis < data.rank(); ++axis) {
    if (axis == along || data[axis] == indices[axis]) continue;
    DIMWISE_RETURN_IF_ERROR(c->Require(
        AtMost(c->dims(), indices[axis], data[axis]),
        [&] {
          return fmt::format(
              "{} has {} indices along axis {}, where data has {} elements; there must be no more", OpName(c),
              c->DebugString(indices[axis]), axis, c->DebugString(data[axis]));
        },
        Code::kSizeMismatch));
  }
  return {};
}

}  // namespace

void AddGather(OnnxOps& ops) {
  ops.Add(1, "Gather(data: T, indices: Tind; Tind?: {i32, i64}, axis: int = 0) -> (output: T)", Gather);
  ops.Add(11, "GatherElements(data: T, indices: Tind; Tind?: {i32, i64}, axis: int = 0) -> (output: T)",
          GatherElements);
}

}  // namespace dimwise
