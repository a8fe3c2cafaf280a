// A window that moves over the spatial axes, as in convolution and pooling.
//
// For an axis of size x with total padding p, a kernel of size k with dilation d, and stride s, there are
// there are
//     floor((x + p - ((k - 1)*d + 1)) / s) + 1
// positions. With ceil_mode the quotient is rounded up, and a window that would begin in the trailing padding
// is dropped. With auto_pad SAME_UPPER or SAME_LOWER there are ceil(x / s) positions for any kernel.
#ifndef DIMWISE_BENCH_FUNCTIONS_WINDOW_H_
#define DIMWISE_BENCH_FUNCTIONS_WINDOW_H_

#include <span>

#include "infer/operators/operands.h"

namespace dimwise {

class Window {
 public:
  // Reads the attributes kernel_shape, strides, dilations, pads, auto_pad and ceil_mode that the definition
  // has.
  static Result<Window> Read(InferenceContext* c);

  // Returns the number of spatial axes according to the attributes; -1 if they do not determine it.
  int spatial_rank() const { return spatial_rank_; }
  bool has_kernel() const { return has_kernel_; }
  // REQUIRES: has_kernel(), axis < spatial_rank().
  int64_t kernel(int axis) const { return kernel_[static_cast<size_t>(axis)]; }

  // Checks that the attributes match a tensor with that many spatial axes.
  Status CheckSpatialRank(const InferenceContext* c, int rank) const;
  // Returns the number of positions along a spatial axis. A `kernel` of none is unknown. With `has_to_fit`
  // the window must fit into the padded axis. Otherwise the quotient of constants is truncated towards zero,
  // as in runtimes.
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
