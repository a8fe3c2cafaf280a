// The binary formats of floats, for computations that round as a machine does.
#ifndef DIMWISE_CORE_TYPES_FLOAT_FORMAT_H_
#define DIMWISE_CORE_TYPES_FLOAT_FORMAT_H_

#include <optional>

#include "dimwise/element_type.h"

namespace dimwise {

// The precision in bits, and the smallest and largest exponents, where the exponent of 1 is 0.
struct FloatFormat {
  int bits = 0, least = 0, most = 0;
};

// Returns nullopt for types that are no floats, and for formats of at most 8 bits, which have special rules.
std::optional<FloatFormat> FloatFormatOf(ElementType type);

// Rounds to the nearest number of the format, ties to even. Below the smallest exponent the last bit is fixed
// (subnormal numbers); above the largest one the result is infinity.
double RoundTo(const FloatFormat& format, double x);

}  // namespace dimwise

#endif  // DIMWISE_CORE_TYPES_FLOAT_FORMAT_H_
