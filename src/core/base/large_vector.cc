#include "dimwise/large_vector.h"

#include <cstdint>
#include <cstdlib>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace dimwise {
namespace {

constexpr size_t kPage = size_t{1} << 21;

}  // namespace

void* AllocateLargePages(size_t bytes) {
  if (bytes > SIZE_MAX - kPage) std::abort();
  const size_t whole = (bytes + kPage - 1) / kPage * kPage;
  void* memory = std::aligned_alloc(kPage, whole);
  if (memory == nullptr) std::abort();
#ifdef __linux__
  madvise(memory, whole, MADV_HUGEPAGE);  // a hint: without it the pages are small
#endif
  return memory;
}

void FreeLargePages(void* memory) { std::free(memory); }

}  // namespace dimwise
