// LargeVector<T> denotes a std::vector that uses large memory pages, where available, once it has some
// megabytes. A graph with a million nodes then has a few dozen page faults instead of ten thousand, and
// random access has few TLB misses.
#ifndef DIMWISE_LARGE_VECTOR_H_
#define DIMWISE_LARGE_VECTOR_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "dimwise/export.h"

namespace dimwise {

// Allocates memory for large arrays, in pages of 2 MiB where possible. Terminates the program if no memory is
// left.
DIMWISE_API void* AllocateLargePages(size_t bytes);
DIMWISE_API void FreeLargePages(void* memory);

template <typename T>
class LargePages {
 public:
  using value_type = T;

  LargePages() = default;
  template <typename U>
  LargePages(const LargePages<U>&) {}

  T* allocate(size_t count) {
    return IsLarge(count) ? static_cast<T*>(AllocateLargePages(count * sizeof(T)))
                          : std::allocator<T>().allocate(count);
  }
  void deallocate(T* memory, size_t count) {
    IsLarge(count) ? FreeLargePages(memory) : std::allocator<T>().deallocate(memory, count);
  }
  bool operator==(const LargePages&) const { return true; }

 private:
  static bool IsLarge(size_t count) { return count >= (size_t{1} << 21) / sizeof(T); }
};

template <typename T>
using LargeVector = std::vector<T, LargePages<T>>;

}  // namespace dimwise

#endif  // DIMWISE_LARGE_VECTOR_H_
