#include "infer/error.h"
#include "infer/functions/axes.h"
#include "infer/functions/onnx_ops.h"

namespace dimwise {
namespace {

// Adds elements at both ends of some axes, or takes them away where a pad is negative.
Status Pad(InferenceContext* c) {
  const Shape data = c->input(0);
  IntegerList pads;
  DIMWISE_RETURN_IF_ERROR(ReadIntegers(c, 1, "pads", &pads));
  if (!pads.given) return Error(Code::kMissingAttribute, "{} has no pads", OpName(c));
  if (pads.length > 0 && pads.length % 2 != 0) {
    return Error(Code::kContents, "{} has {} pads; there are two for each axis", OpName(c), pads.length);
  }
  const bool has_axes = c->has_input(3);
  if (!data.has_rank()) {
    const bool tells_rank = pads.length >= 0 && !has_axes;
    const int64_t rank = pads.length / 2;
    if (tells_rank && (rank < data.min_rank() || rank > data.max_rank())) {
      return Error(Code::kRankMismatch, "{} has {} pads, for a tensor of rank {}; {} has another rank",
                   OpName(c), pads.length, rank, OperandText(c, 0));
    }
    if (tells_rank) {
      DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->UnknownShapeOfRank(rank));
      c->set_output(0, shape);
    } else {
      c->set_output(0, c->UnknownShape(data.min_rank(), data.max_rank()));
    }
    return {};
  }
  AxisSet axes;
  if (has_axes) DIMWISE_RETURN_IF_ERROR(ReadAxes(c, 3, data.rank(), true, &axes));
  const int64_t padded = has_axes ? axes.count : data.rank();
  if (padded >= 0 && pads.length >= 0 && pads.length != 2 * padded) {
    return Error(Code::kContents, "{} has {} pads for {} axes; there must be {}", OpName(c), pads.length,
                 padded, 2 * padded);
  }
  if (!pads.known || (has_axes && !axes.known)) {
    DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->UnknownShapeOfRank(data.rank()));
    c->set_output(0, shape);
    return {};
  }
  DimTable& dims = c->dims();
  DimList sizes;
  for (const Dim size : data.dims()) sizes.push_back(size);
  for (int64_t i = 0; i < padded; ++i) {
    const int axis = has_axes ? axes.order[i] : static_cast<int>(i);
    const Dim before = pads.elements[i];
    const Dim after = pads.elements[padded + i];
    if (before.is_none() || after.is_none()) {
      sizes[axis] = c->UnknownDim();
      continue;
    }
    sizes[axis] = dims.Add(dims.Add(data[axis], before), after);
    DIMWISE_RETURN_IF_ERROR(c->Require(
        AtLeast(dims, sizes[axis], 0),
        [&] {
          return fmt::format("{} adds {} and {} elements at the ends of axis {} of {}, which leaves {}",
                             OpName(c), c->DebugString(before), c->DebugString(after), axis,
                             OperandText(c, 0), c->DebugString(sizes[axis]));
        },
        Code::kNegativeSize));
  }
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->MakeShape(sizes));
  c->set_output(0, shape);
  return {};
}

}  // namespace

void AddPad(OnnxOps& ops) {
  ops.Add(2, "Pad(data: T; pads: list(int), mode: string = 'constant', value: float = 0.0) -> (output: T)",
          Pad);
  ops.Add(11, "Pad(data: T, pads: i64, constant_value?: T; mode: string = 'constant') -> (output: T)", Pad);
  ops.Add(18,
          "Pad(data: T, pads: i64, constant_value?: T, axes?: Tind; Tind?: {i32, i64}, mode: string = "
          "'constant') -> (output: T)",
          Pad);
}

}  // namespace dimwise
