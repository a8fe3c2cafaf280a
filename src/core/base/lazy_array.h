// An array that is allocated on the first write, for members that few objects use.
#ifndef DIMWISE_CORE_BASE_LAZY_ARRAY_H_
#define DIMWISE_CORE_BASE_LAZY_ARRAY_H_

#include <array>
#include <cstddef>
#include <memory>

namespace dimwise {

template <typename T, size_t kSize>
class LazyArray {
 public:
  static constexpr size_t size() { return kSize; }
  T& operator[](size_t i) {
    if (items_ == nullptr) items_ = std::make_unique<std::array<T, kSize>>();
    return (*items_)[i];
  }
  void Clear() { items_ = nullptr; }
  // Returns null before the first write.
  const T* Find(size_t i) const { return items_ == nullptr ? nullptr : &(*items_)[i]; }

 private:
  std::unique_ptr<std::array<T, kSize>> items_;
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_LAZY_ARRAY_H_
