// Compares two short texts for equality, eight bytes at a time and inline. Names with equal hashes are
// compared with it; for a dozen bytes a call of memcmp takes three times as long.
#ifndef DIMWISE_CORE_BASE_SAME_BYTES_H_
#define DIMWISE_CORE_BASE_SAME_BYTES_H_

#include <cstdint>
#include <cstring>
#include <string_view>

namespace dimwise {

inline bool SameBytes(std::string_view a, std::string_view b) {
  const size_t size = a.size();
  if (size != b.size()) return false;
  const auto same = [&]<typename T>(size_t at, T x) {
    T y;
    std::memcpy(&x, a.data() + at, sizeof x);
    std::memcpy(&y, b.data() + at, sizeof y);
    return x == y;
  };
  if (size >= 8) {
    for (size_t at = 0; at + 8 < size; at += 8) {
      if (!same(at, uint64_t{})) return false;
    }
    return same(size - 8, uint64_t{});  // the last bytes; some are compared twice
  }
  if (size >= 4) return same(0, uint32_t{}) && same(size - 4, uint32_t{});
  for (size_t at = 0; at < size; ++at) {
    if (a[at] != b[at]) return false;
  }
  return true;
}

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_SAME_BYTES_H_
