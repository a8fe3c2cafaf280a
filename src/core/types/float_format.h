// The binary formats of floats, for who computes as a machine would.
#ifndef DIMWISE_CORE_TYPES_FLOAT_FORMAT_H_
#define DIMWISE_CORE_TYPES_FLOAT_FORMAT_H_

#include <optional>

#include "dimwise/element_type.h"

namespace dimwise {

// How many bits a number has, and its smallest and largest exponents, where 1 is 0.
struct FloatFormat {
  int bits = 0, least = 0, most = 0;
};

// Nothing for the formats of 8 bits and less, which have rules of their own, and for what is no float.
std::optional<FloatFormat> FloatFormatOf(ElementType type);

// The number of that format that is nearest, the even one of two; below the smallest exponent the last bit
// stays where it is, beyond the largest lies infinity.
double RoundTo(const FloatFormat& format, double x);

}  // namespace dimwise

#endif  // DIMWISE_CORE_TYPES_FLOAT_FORMAT_H_
