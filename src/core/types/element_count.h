// Computes the number of elements of a tensor of known sizes.
#ifndef DIMWISE_CORE_TYPES_ELEMENT_COUNT_H_
#define DIMWISE_CORE_TYPES_ELEMENT_COUNT_H_

#include <cstdint>
#include <optional>
#include <span>

namespace dimwise {

// Returns the product of the sizes, or nullopt if a size is negative or the product overflows. If a size is 0
// the product is 0, however large the others are.
inline std::optional<int64_t> ElementCount(std::span<const int64_t> sizes) {
  int64_t count = 1;
  bool is_negative = false, is_empty = false, overflows = false;
  for (const int64_t size : sizes) {
    is_negative |= size < 0;
    is_empty |= size == 0;
    overflows |= __builtin_mul_overflow(count, size, &count);
  }
  if (is_empty && !is_negative) return 0;
  if (is_negative || overflows) return std::nullopt;
  return count;
}

}  // namespace dimwise

#endif  // DIMWISE_CORE_TYPES_ELEMENT_COUNT_H_
