// A window that moves over the spatial axes: what convolutions and pooling share.
//
// Of an axis of size x, with a kernel of k that is dilated by d, moved by s, and with x padded by p in all,
// there are
//     floor((x + p - ((k - 1)*d + 1)) / s) + 1
// places; with ceil_mode the quotient is rounded up, and a window that would begin in the padding at the end
// is left out. With auto_pad SAME_UPPER or SAME_LOWER there are ceil(x / s), whatever the kernel.
#ifndef DIMWISE_BENCH_FUNCTIONS_WINDOW_H_
#define DIMWISE_BENCH_FUNCTIONS_WINDOW_H_

#include <span>

#include "infer/operators/functions/operands.h"

namespace dimwise {

class Window {
 public:
  // Reads kernel_shape, strides, dilations, pads, auto_pad and ceil_mode, as far as the definition has them.
  static Result<Window> Read(InferenceContext* c);

  // The number of spatial axes that the attributes tell; -1 where they are silent.
  int spatial_rank() const { return spatial_rank_; }
  bool has_kernel() const { return has_kernel_; }
  // REQUIRES: has_kernel(), axis < spatial_rank().
  int64_t kernel(int axis) const { return kernel_[static_cast<size_t>(axis)]; }

  // Whether the attributes fit a tensor with so many spatial axes.
  Status CheckSpatialRank(const InferenceContext* c, int rank) const;
  // The number of places along a spatial axis. `kernel` none: it is not known. The window has to fit into the
  // padded axis; but of numbers, where it does not have to, the quotient is cut towards zero, as runtimes do
  // it.
  Result<Dim> Places(InferenceContext* c, int axis, Dim size, Dim kernel, bool has_to_fit) const;

 private:
  Status ReadAutoPad(InferenceContext* c);
  int64_t At(std::span<const int64_t> list, int axis, int64_t otherwise) const {
    return list.empty() ? otherwise : list[static_cast<size_t>(axis)];
  }

  std::span<const int64_t> kernel_, strides_, dilations_, pads_;
  int spatial_rank_ = -1;
  bool has_kernel_ = false;
  bool same_ = false;
  bool valid_ = false;
  bool ceil_ = false;
};

}  // namespace dimwise

#endif  // DIMWISE_BENCH_FUNCTIONS_WINDOW_H_
