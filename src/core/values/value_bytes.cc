#include "core/values/value_bytes.h"

#include <bit>
#include <cmath>
#include <limits>

namespace dimwise {
namespace {

// Returns the bits that an element takes in memory, if this differs from its width.
int StoredBits(ElementType element) {
  if (element == ElementType::kBool) return 8;
  if (element == ElementType::kTF32) return 32;
  return BitWidth(element);
}

// Reads a number of whole bytes; compilers turn this into one load.
template <int kBytes>
uint64_t ReadBytes(const std::byte* p) {
  uint64_t bits = 0;
  for (int k = 0; k < kBytes; ++k) bits |= std::to_integer<uint64_t>(p[k]) << (k * 8);
  return bits;
}

// Reads element i of `width` bits, lowest bit first. It reads byte by byte, so alignment and byte order of
// the machine do not matter. REQUIRES: width divides 8, is a multiple of 8, or is 6.
uint64_t ReadBits(const std::byte* bytes, int64_t i, int width) {
  if (width == 64) return ReadBytes<8>(bytes + i * 8);
  if (width == 32) return ReadBytes<4>(bytes + i * 4);
  const int64_t first = i * width;
  const int shift = static_cast<int>(first % 8);
  const std::byte* p = bytes + first / 8;
  uint64_t bits = 0;
  for (int k = 0; k * 8 < shift + width; ++k) bits |= std::to_integer<uint64_t>(p[k]) << (k * 8);
  bits >>= shift;
  return width == 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}

// Encodings of non-finite values in floats below 32 bits.
enum class NotFinite {
  kIeee,       // the highest exponent: infinity if the mantissa is 0, else nan
  kAllOnes,    // all bits except the sign set: nan; no infinity
  kMinusZero,  // the encoding of -0 is nan; no infinity
  kNever,      // every encoding is a number
};

struct FloatEncoding {
  int exponent_bits, mantissa_bits, bias;
  NotFinite not_finite;
};

std::optional<FloatEncoding> EncodingOf(ElementType element) {
  switch (element) {
    case ElementType::kF4E2M1FN:
      return FloatEncoding{2, 1, 1, NotFinite::kNever};
    case ElementType::kF6E2M3FN:
      return FloatEncoding{2, 3, 1, NotFinite::kNever};
    case ElementType::kF6E3M2FN:
      return FloatEncoding{3, 2, 3, NotFinite::kNever};
    case ElementType::kF8E3M4:
      return FloatEncoding{3, 4, 3, NotFinite::kIeee};
    case ElementType::kF8E4M3:
      return FloatEncoding{4, 3, 7, NotFinite::kIeee};
    case ElementType::kF8E4M3FN:
      return FloatEncoding{4, 3, 7, NotFinite::kAllOnes};
    case ElementType::kF8E4M3FNUZ:
      return FloatEncoding{4, 3, 8, NotFinite::kMinusZero};
    case ElementType::kF8E4M3B11FNUZ:
      return FloatEncoding{4, 3, 11, NotFinite::kMinusZero};
    case ElementType::kF8E5M2:
      return FloatEncoding{5, 2, 15, NotFinite::kIeee};
    case ElementType::kF8E5M2FNUZ:
      return FloatEncoding{5, 2, 16, NotFinite::kMinusZero};
    case ElementType::kF16:
      return FloatEncoding{5, 10, 15, NotFinite::kIeee};
    case ElementType::kBF16:
      return FloatEncoding{8, 7, 127, NotFinite::kIeee};
    default:
      return std::nullopt;
  }
}

double Decode(const FloatEncoding& encoding, uint64_t bits) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const uint64_t ones_of_mantissa = (uint64_t{1} << encoding.mantissa_bits) - 1;
  const uint64_t ones_of_exponent = (uint64_t{1} << encoding.exponent_bits) - 1;
  const uint64_t mantissa = bits & ones_of_mantissa;
  const uint64_t exponent = bits >> encoding.mantissa_bits & ones_of_exponent;
  const bool negative = (bits >> (encoding.mantissa_bits + encoding.exponent_bits) & 1) != 0;

  switch (encoding.not_finite) {
    case NotFinite::kIeee:
      if (exponent != ones_of_exponent) break;
      if (mantissa != 0) return kNan;
      return negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    case NotFinite::kAllOnes:
      if (exponent == ones_of_exponent && mantissa == ones_of_mantissa) return kNan;
      break;
    case NotFinite::kMinusZero:
      if (negative && exponent == 0 && mantissa == 0) return kNan;
      break;
    case NotFinite::kNever:
      break;
  }
  // An exponent of 0 (subnormal) has no hidden bit and the scale of exponent 1.
  const uint64_t hidden = exponent == 0 ? 0 : ones_of_mantissa + 1;
  const int scale = static_cast<int>(exponent == 0 ? 1 : exponent) - encoding.bias - encoding.mantissa_bits;
  const double magnitude = std::ldexp(static_cast<double>(hidden | mantissa), scale);
  return negative ? -magnitude : magnitude;
}

}  // namespace

std::optional<int64_t> ByteSize(ElementType element, int64_t count) {
  const int width = StoredBits(element);
  int64_t bits = 0;
  if (width == 0 || __builtin_mul_overflow(count, width, &bits)) return std::nullopt;
  return bits / 8 + (bits % 8 != 0 ? 1 : 0);
}

std::optional<int64_t> ReadInteger(ElementType element, const std::byte* bytes, int64_t i) {
  if (!IsInteger(element) && !IsBool(element)) return std::nullopt;
  const int width = StoredBits(element);
  const uint64_t bits = ReadBits(bytes, i, width);
  if (IsBool(element)) return bits != 0;
  if (IsSigned(element)) return static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
  if (bits > static_cast<uint64_t>(INT64_MAX)) return std::nullopt;
  return static_cast<int64_t>(bits);
}

std::optional<double> ReadFloat(ElementType element, const std::byte* bytes, int64_t i) {
  if (!IsFloat(element)) return std::nullopt;
  const uint64_t bits = ReadBits(bytes, i, StoredBits(element));
  if (element == ElementType::kF64) return std::bit_cast<double>(bits);
  if (element == ElementType::kF32 || element == ElementType::kTF32) {
    return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  }
  if (element == ElementType::kF8E8M0FNU) {
    // A power of two without sign or zero.
    if (bits == 0xff) return std::numeric_limits<double>::quiet_NaN();
    return std::ldexp(1.0, static_cast<int>(bits) - 127);
  }
  const std::optional<FloatEncoding> encoding = EncodingOf(element);
  if (!encoding) return std::nullopt;
  return Decode(*encoding, bits);
}

}  // namespace dimwise
