// A list of trivial values that stores the first N on the stack, for lists that are usually short.
#ifndef DIMWISE_CORE_BASE_GROWING_ARRAY_H_
#define DIMWISE_CORE_BASE_GROWING_ARRAY_H_

#include <span>
#include <vector>

#include "core/base/scratch_array.h"

namespace dimwise {

template <typename T, size_t N>
class GrowingArray {
 public:
  void push_back(const T& value) {
    if (size_ < N) {
      few_[size_] = value;
    } else {
      if (size_ == N) many_.assign(few_.data(), few_.data() + N);
      many_.push_back(value);
    }
    ++size_;
  }
  size_t size() const { return size_; }
  std::span<const T> view() const {
    return size_ <= N ? std::span<const T>(few_.data(), size_) : std::span<const T>(many_);
  }
  std::span<T> view() { return size_ <= N ? std::span<T>(few_.data(), size_) : std::span<T>(many_); }

 private:
  size_t size_ = 0;
  ScratchArray<T, N> few_;
  std::vector<T> many_;  // all values, once there are more than N
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_GROWING_ARRAY_H_
