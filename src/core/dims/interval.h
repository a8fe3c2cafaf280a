// An Interval denotes the set of integers from lo to hi. Either end may be infinite; lo > hi is the empty
// set.
//
// The ends are 128-bit integers, and an end that does not fit becomes infinite. Products and sums therefore
// never wrap; clamping only makes the set larger.
#ifndef DIMWISE_CORE_DIMS_INTERVAL_H_
#define DIMWISE_CORE_DIMS_INTERVAL_H_

#include <algorithm>
#include <cstdint>

#include "core/base/wide.h"

namespace dimwise {

struct Interval {
  static constexpr Wide kInfinity = Wide{1} << 100;

  Wide lo = -kInfinity;
  Wide hi = kInfinity;

  static constexpr Interval Of(Wide v) { return {v, v}; }
  static constexpr Interval FromInt64(int64_t min, int64_t max) {
    return {min == INT64_MIN ? -kInfinity : Wide{min}, max == INT64_MAX ? kInfinity : Wide{max}};
  }

  constexpr bool empty() const { return lo > hi; }
  constexpr bool has_lo() const { return lo > -kInfinity; }
  constexpr bool has_hi() const { return hi < kInfinity; }
  constexpr bool is_point() const { return lo == hi; }
  constexpr bool Contains(Wide v) const { return lo <= v && v <= hi; }
  constexpr bool operator==(const Interval&) const = default;

  constexpr Interval Intersect(Interval o) const { return {std::max(lo, o.lo), std::min(hi, o.hi)}; }
  constexpr Interval Hull(Interval o) const { return {std::min(lo, o.lo), std::max(hi, o.hi)}; }
};

constexpr Wide ClampEnd(Wide v) { return std::clamp(v, -Interval::kInfinity, Interval::kInfinity); }

constexpr Interval operator+(Interval a, Interval b) {
  return {a.has_lo() && b.has_lo() ? ClampEnd(a.lo + b.lo) : -Interval::kInfinity,
          a.has_hi() && b.has_hi() ? ClampEnd(a.hi + b.hi) : Interval::kInfinity};
}

constexpr Interval operator-(Interval a) { return {-a.hi, -a.lo}; }

// Multiplies two ends; infinity times 0 is 0.
constexpr Wide MultiplyEnds(Wide a, Wide b) {
  if (a == 0 || b == 0) return 0;
  const bool negative = (a < 0) != (b < 0);
  const Wide x = a < 0 ? -a : a, y = b < 0 ? -b : b;
  constexpr Wide kSmall = Wide{1} << 50;  // most sizes are smaller; their product needs no overflow test
  if (x < kSmall && y < kSmall) return negative ? -(x * y) : x * y;
  const bool infinite = x >= Interval::kInfinity || y >= Interval::kInfinity || x > Interval::kInfinity / y;
  const Wide p = infinite ? Interval::kInfinity : x * y;
  return negative ? -p : p;
}

constexpr Interval operator*(Interval a, Interval b) {
  if (a.is_point()) {  // multiplication by a coefficient
    if (a.lo == 1) return b;
    const Interval scaled{MultiplyEnds(a.lo, b.lo), MultiplyEnds(a.lo, b.hi)};
    return a.lo < 0 ? Interval{scaled.hi, scaled.lo} : scaled;
  }
  const Wide p[] = {MultiplyEnds(a.lo, b.lo), MultiplyEnds(a.lo, b.hi), MultiplyEnds(a.hi, b.lo),
                    MultiplyEnds(a.hi, b.hi)};
  return {*std::min_element(p, p + 4), *std::max_element(p, p + 4)};
}

// Returns an interval that contains all floor(x / y). Returns everything if y may have either sign. A divisor
// of 0 has no quotient, so 0 counts as 1. This keeps the operation monotone: a subset gives a subset of the
// result, even if only 0 is left.
constexpr Interval FloorDivide(Interval a, Interval b) {
  if (a.empty() || b.empty()) return {};
  if (b.lo < 0 && b.hi < 0) return FloorDivide(-a, -b);
  if (b.lo < 0) return {};
  b = {std::max<Wide>(b.lo, 1), std::max<Wide>(b.hi, 1)};
  auto divide = [](Wide x, Wide y) -> Wide {
    if (x >= Interval::kInfinity || x <= -Interval::kInfinity)
      return y >= Interval::kInfinity ? (x < 0 ? -Interval::kInfinity : 0) : x;
    if (y >= Interval::kInfinity) return x < 0 ? -1 : 0;
    if (FitsInt64(x) && FitsInt64(y)) {
      const auto dividend = static_cast<int64_t>(x), divisor = static_cast<int64_t>(y);
      return dividend / divisor - (dividend % divisor != 0 && dividend < 0 ? 1 : 0);
    }
    return x / y - (x % y != 0 && x < 0 ? 1 : 0);
  };
  // The quotient is decreasing in y where x >= 0, and increasing in y where x < 0. An infinite x over an
  // unbounded y can have any value of its sign; `divide` with the smaller y covers this.
  return {a.lo >= 0 ? (a.lo >= Interval::kInfinity ? 0 : divide(a.lo, b.hi)) : divide(a.lo, b.lo),
          a.hi >= 0 ? divide(a.hi, b.lo) : divide(a.hi, b.hi)};
}

constexpr Interval MaxZero(Interval a) { return {std::max<Wide>(0, a.lo), std::max<Wide>(0, a.hi)}; }

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_INTERVAL_H_
