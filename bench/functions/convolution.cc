// Conv: X [N, C, ...x] with W [M, C/group, ...k].
#include <algorithm>

#include "bench/functions/functions.h"
#include "bench/functions/sizes.h"
#include "bench/functions/window.h"
#include "infer/error.h"
#include "infer/operators/operands.h"

namespace dimwise {
namespace {

constexpr int kBatchAndChannels = 2;

// Returns an error for a rank that is too small, or for two known ranks that differ.
Status CheckRanks(InferenceContext* c, Shape x, Shape w, const Window& window) {
  for (const int i : {0, 1}) {
    if (c->input(i).max_rank() > kBatchAndChannels) continue;
    return Error(Code::kRankMismatch,
                 "{} needs a batch axis, a channel axis and spatial axes; {} has rank {}", OpName(c),
                 OperandText(c, i), c->input(i).rank());
  }
  if (x.has_rank() && w.has_rank() && x.rank() != w.rank()) {
    return Error(Code::kRankMismatch, "{} has {} of rank {} and {} of rank {}; both must have the same rank",
                 OpName(c), OperandText(c, 0), x.rank(), OperandText(c, 1), w.rank());
  }
  for (const Shape s : {x, w}) {
    if (s.has_rank()) DIMWISE_RETURN_IF_ERROR(window.CheckSpatialRank(c, s.rank() - kBatchAndChannels));
  }
  return {};
}

Status CheckChannels(InferenceContext* c, Shape x, Shape w, int64_t group) {
  DimTable& dims = c->dims();
  if (x.has_rank() && w.has_rank()) {
    const Dim taken = Times(dims, w[1], group);
    if (x[1] != taken) {
      DIMWISE_RETURN_IF_ERROR(c->Require(Normalize(dims, Equal(dims, x[1], taken)), [&] {
        return fmt::format("{} has {} channels in X; W takes {} in each of {} group{}", OpName(c),
                           c->DebugString(x[1]), c->DebugString(w[1]), group, group == 1 ? "" : "s");
      }));
    }
  }
  if (!w.has_rank()) return {};
  if (group > 1) {
    DIMWISE_RETURN_IF_ERROR(c->Require(Equal(dims, dims.Mod(w[0], group), 0), [&] {
      return fmt::format("{} makes {} channels in {} groups; the groups must be equal", OpName(c),
                         c->DebugString(w[0]), group);
    }));
  }
  const Shape bias = c->input(2);
  if (bias.is_none()) return {};
  if (bias.min_rank() > 1 || bias.max_rank() < 1) {
    return Error(Code::kRankMismatch, "{} adds one number for each channel, so B must have rank 1; it is {}",
                 OpName(c), c->DebugString(bias));
  }
  if (!bias.has_rank() || bias[0] == w[0]) return {};
  return c->Require(
      Equal(dims, bias[0], w[0]),
      [&] {
        return fmt::format("{} makes {} channels and has {} numbers in B", OpName(c), c->DebugString(w[0]),
                           c->DebugString(bias[0]));
      },
      Code::kSizeMismatch);
}

// Returns the size of the window along an axis: that of the attribute, which W must have too, or that of W.
Result<Dim> KernelOf(InferenceContext* c, Shape w, const Window& window, int axis) {
  if (!w.has_rank()) return window.has_kernel() ? Dim(window.kernel(axis)) : Dim();
  const Dim size = w[kBatchAndChannels + axis];
  if (window.has_kernel()) {
    const int64_t kernel = window.kernel(axis);
    if (size == Dim(kernel)) return size;
    DIMWISE_RETURN_IF_ERROR(c->Require(
        Equal(c->dims(), size, kernel),
        [&] {
          return fmt::format("{} has kernel_shape {} along spatial axis {}, and W has {}", OpName(c), kernel,
                             axis, c->DebugString(size));
        },
        Code::kSizeMismatch));
    return Dim(kernel);
  }
  if (size.is_constant() && size.constant() >= 1) return size;
  DIMWISE_RETURN_IF_ERROR(c->Require(AtLeast(c->dims(), size, 1), [&] {
    return fmt::format(
        "{} has a window of size {} along spatial axis {} in {}; there must be something in it", OpName(c),
        c->DebugString(size), axis, OperandText(c, 1));
  }));
  return size;
}

Status Conv(InferenceContext* c) {
  const Shape x = c->input(0);
  const Shape w = c->input(1);
  DIMWISE_ASSIGN_OR_RETURN(const Window window, Window::Read(c));
  DIMWISE_ASSIGN_OR_RETURN(const int64_t group, IntAttr(c, "group", 1));
  if (group < 1)
    return Error(Code::kBadAttribute, "{} has group {}; there must be at least 1", OpName(c), group);
  DIMWISE_RETURN_IF_ERROR(CheckRanks(c, x, w, window));
  DIMWISE_RETURN_IF_ERROR(CheckChannels(c, x, w, group));

  const int rank = x.has_rank()                 ? x.rank()
                   : w.has_rank()               ? w.rank()
                   : window.spatial_rank() >= 0 ? window.spatial_rank() + kBatchAndChannels
                                                : -1;
  if (rank < 0) {
    c->set_output(0, c->UnknownShape(std::max({x.min_rank(), w.min_rank(), kBatchAndChannels + 1}),
                                     std::min(x.max_rank(), w.max_rank())));
    return {};
  }
  DimList sizes;
  sizes.push_back(x.has_rank() ? x[0] : c->UnknownDim());
  sizes.push_back(w.has_rank() ? w[0] : c->UnknownDim());
  for (int axis = 0; axis < rank - kBatchAndChannels; ++axis) {
    DIMWISE_ASSIGN_OR_RETURN(const Dim kernel, KernelOf(c, w, window, axis));
    if (x.has_rank()) {
      DIMWISE_ASSIGN_OR_RETURN(const Dim places,
                               window.Places(c, axis, x[kBatchAndChannels + axis], kernel, true));
      sizes.push_back(places);
    } else {
      sizes.push_back(c->UnknownDim());
    }
  }
  DIMWISE_ASSIGN_OR_RETURN(const Shape y, c->MakeShape(sizes));
  c->set_output(0, y);
  return {};
}

}  // namespace

void AddConvolution(OnnxOps& ops) {
  ops.Add(1,
          "Conv(X: T, W: T, B?: T; group: int = 1, kernel_shape?: list(int), strides?: list(int), "
          "dilations?: list(int), "
          "pads?: list(int), auto_pad: string = 'NOTSET') -> (Y: T)",
          /*doc=*/"", Conv);
}

}  // namespace dimwise
