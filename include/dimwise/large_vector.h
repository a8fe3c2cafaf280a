// LargeVector<T> denotes a std::vector whose memory, once it takes some megabytes, lies in large pages where
// the system has them. The tables of a graph of a million nodes are then first touched page by page a few
// dozen times instead of ten thousand times, and are reached at random with few misses of the address cache.
#ifndef DIMWISE_LARGE_VECTOR_H_
#define DIMWISE_LARGE_VECTOR_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "dimwise/export.h"

namespace dimwise {

// Memory for large arrays, of 2 MiB pages where that is possible. Ends the program where there is none.
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
