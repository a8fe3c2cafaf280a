#include "core/base/unused_name.h"

#include <fmt/format.h>

#include <cstdint>

namespace dimwise {

// From this number on the search is linear, because doubling would overflow.
constexpr uint64_t kFar = uint64_t{1} << 62;

std::string UnusedName(std::string_view name, FunctionRef<bool(std::string_view)> is_taken) {
  if (!is_taken(name)) return std::string(name);
  const auto numbered = [&](uint64_t number) { return fmt::format("{}_{}", name, number); };
  // Invariant: `taken` is used, `free` is a candidate; 1 is the name without a number.
  uint64_t taken = 1, free = 2;
  while (is_taken(numbered(free))) {
    taken = free;
    free = free < kFar ? 2 * free : free + 1;
  }
  while (free - taken > 1) {
    const uint64_t middle = taken + (free - taken) / 2;
    (is_taken(numbered(middle)) ? taken : free) = middle;
  }
  return numbered(free);
}

}  // namespace dimwise
