#include "core/types/float_format.h"

#include <algorithm>
#include <cmath>

namespace dimwise {

std::optional<FloatFormat> FloatFormatOf(ElementType type) {
  switch (type) {
    case ElementType::kF64:
      return FloatFormat{53, -1022, 1023};
    case ElementType::kF32:
      return FloatFormat{24, -126, 127};
    case ElementType::kBF16:
      return FloatFormat{8, -126, 127};
    case ElementType::kF16:
      return FloatFormat{11, -14, 15};
    default:
      return std::nullopt;
  }
}

double RoundTo(const FloatFormat& format, double x) {
  if (format.bits == 53) return x;
  if (format.bits == 24) return static_cast<double>(static_cast<float>(x));
  if (x == 0 || !std::isfinite(x)) return x;
  const int last = std::max(std::ilogb(x), format.least) - format.bits + 1;
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(x, -last)), last);
  return std::fabs(rounded) >= std::ldexp(1.0, format.most) * 2 ? std::copysign(INFINITY, x) : rounded;
}

}  // namespace dimwise
