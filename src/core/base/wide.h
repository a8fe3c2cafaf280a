// A 128-bit integer for intermediates of 64-bit arithmetic.
#ifndef DIMWISE_CORE_BASE_WIDE_H_
#define DIMWISE_CORE_BASE_WIDE_H_

#include <cstdint>

namespace dimwise {

__extension__ using Wide = __int128;

inline constexpr bool FitsInt64(Wide v) { return v >= INT64_MIN && v <= INT64_MAX; }

// Rounds towards minus infinity. REQUIRES: b != 0.
inline constexpr Wide FloorDiv(Wide a, Wide b) {
  return a / b - ((a % b != 0) && ((a < 0) != (b < 0)) ? 1 : 0);
}

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_WIDE_H_
