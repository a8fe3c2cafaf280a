// How many elements a tensor of known sizes has.
#ifndef DIMWISE_CORE_TYPES_ELEMENT_COUNT_H_
#define DIMWISE_CORE_TYPES_ELEMENT_COUNT_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

namespace dimwise {

// Nothing where a size is negative or the product overflows. A size of 0 wins over the others, however large.
inline std::optional<int64_t> ElementCount(std::span<const int64_t> sizes) {
  if (std::ranges::any_of(sizes, [](int64_t size) { return size < 0; })) return std::nullopt;
  if (std::ranges::find(sizes, 0) != sizes.end()) return 0;
  int64_t count = 1;
  for (const int64_t size : sizes) {
    if (__builtin_mul_overflow(count, size, &count)) return std::nullopt;
  }
  return count;
}

}  // namespace dimwise

#endif  // DIMWISE_CORE_TYPES_ELEMENT_COUNT_H_
