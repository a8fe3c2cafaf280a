// Pooling over windows, and over all of the spatial axes.
#include "infer/error.h"
#include "infer/functions/onnx_ops.h"
#include "infer/functions/operands.h"
#include "infer/functions/window.h"

namespace dimwise {
namespace {

constexpr int kBatchAndChannels = 2;

Status Pool(InferenceContext* c) {
  DIMWISE_RETURN_IF_ERROR(c->GetAttr<std::span<const int64_t>>("kernel_shape"));
  DIMWISE_ASSIGN_OR_RETURN(const Window window, Window::Read(c));
  if (!window.has_kernel()) return Error(Code::kBadAttribute, "{} has an empty kernel_shape", OpName(c));
  const Shape x = c->input(0);
  const int rank = window.spatial_rank() + kBatchAndChannels;
  if (rank < x.min_rank() || rank > x.max_rank()) {
    return Error(Code::kRankMismatch, "{} has a window of {} axes, so X must have rank {}; it is {}",
                 OpName(c), window.spatial_rank(), rank, c->DebugString(x));
  }
  DimList sizes;
  for (int axis = 0; axis < rank; ++axis) {
    const int spatial = axis - kBatchAndChannels;
    if (!x.has_rank()) {
      sizes.push_back(c->UnknownDim());
    } else if (spatial < 0) {
      sizes.push_back(x[axis]);
    } else {
      DIMWISE_ASSIGN_OR_RETURN(const Dim places,
                               window.Places(c, spatial, x[axis], window.kernel(spatial), false));
      sizes.push_back(places);
    }
  }
  DIMWISE_ASSIGN_OR_RETURN(const Shape y, c->MakeShape(sizes));
  for (int i = 0; i < c->num_outputs(); ++i) c->set_output(i, y);
  return {};
}

// Leaves one place of each spatial axis.
Status GlobalPool(InferenceContext* c) {
  const Shape x = c->input(0);
  if (x.max_rank() < kBatchAndChannels) {
    return Error(Code::kRankMismatch, "{} needs a batch axis and a channel axis; X {} has rank {}", OpName(c),
                 c->DebugString(x), x.max_rank());
  }
  if (!x.has_rank()) {
    c->set_output(0, c->UnknownShape(std::max(x.min_rank(), kBatchAndChannels), x.max_rank()));
    return {};
  }
  DimList sizes;
  for (int axis = 0; axis < x.rank(); ++axis) sizes.push_back(axis < kBatchAndChannels ? x[axis] : Dim(1));
  DIMWISE_ASSIGN_OR_RETURN(const Shape y, c->MakeShape(sizes));
  c->set_output(0, y);
  return {};
}

}  // namespace

void AddPooling(OnnxOps& ops) {
  ops.Add(1,
          "MaxPool(X: T; kernel_shape: list(int), strides?: list(int), pads?: list(int), auto_pad: string = "
          "'NOTSET') -> (Y: T)",
          Pool);
  ops.Add(8,
          "MaxPool(X: T; kernel_shape: list(int), strides?: list(int), pads?: list(int), auto_pad: string = "
          "'NOTSET', "
          "storage_order: int = 0) -> (Y: T, Indices?: i64)",
          Pool);
  ops.Add(
      10,
      "MaxPool(X: T; kernel_shape: list(int), strides?: list(int), dilations?: list(int), pads?: list(int), "
      "auto_pad: string = 'NOTSET', ceil_mode: int = 0, storage_order: int = 0) -> (Y: T, Indices?: i64)",
      Pool);
  ops.Add(7,
          "AveragePool(X: T; kernel_shape: list(int), strides?: list(int), pads?: list(int), auto_pad: "
          "string = 'NOTSET', "
          "count_include_pad: int = 0) -> (Y: T)",
          Pool);
  ops.Add(10,
          "AveragePool(X: T; kernel_shape: list(int), strides?: list(int), pads?: list(int), auto_pad: "
          "string = 'NOTSET', "
          "ceil_mode: int = 0, count_include_pad: int = 0) -> (Y: T)",
          Pool);
  ops.Add(19,
          "AveragePool(X: T; kernel_shape: list(int), strides?: list(int), dilations?: list(int), pads?: "
          "list(int), "
          "auto_pad: string = 'NOTSET', ceil_mode: int = 0, count_include_pad: int = 0) -> (Y: T)",
          Pool);
  ops.Add(2,
          "LpPool(X: T; kernel_shape: list(int), strides?: list(int), pads?: list(int), auto_pad: string = "
          "'NOTSET', "
          "p: int = 2) -> (Y: T)",
          Pool);
  ops.Add(
      18,
      "LpPool(X: T; kernel_shape: list(int), strides?: list(int), dilations?: list(int), pads?: list(int), "
      "auto_pad: string = 'NOTSET', ceil_mode: int = 0, p: int = 2) -> (Y: T)",
      Pool);
  ops.Add(1, "GlobalAveragePool(X: T) -> (Y: T)", GlobalPool);
  ops.Add(1, "GlobalMaxPool(X: T) -> (Y: T)", GlobalPool);
  ops.Add(2, "GlobalLpPool(X: T; p: int = 2) -> (Y: T)", GlobalPool);
}

}  // namespace dimwise
