// Promotion: the smallest type that can represent every value of both types.
//
// For integers this compares widths. A float format is a precision (with the hidden bit) and a number of
// exponent bits. One format contains another if it has at least as many of both. The floats below 16 bits
// also differ in their infinities, NaNs and zeros, so none of them contains another. Two of them promote to
// f16 or a wider format.
#include <utility>

#include "dimwise/element_type.h"

namespace dimwise {
namespace {

using enum ElementType;

struct Format {
  int precision;
  int exponent_bits;
};

Format FormatOf(ElementType type) {
  switch (type) {
    case kF4E2M1FN:
      return {2, 2};
    case kF6E2M3FN:
      return {4, 2};
    case kF6E3M2FN:
      return {3, 3};
    case kF8E3M4:
      return {5, 3};
    case kF8E4M3:
    case kF8E4M3FN:
    case kF8E4M3FNUZ:
    case kF8E4M3B11FNUZ:
      return {4, 4};
    case kF8E5M2:
    case kF8E5M2FNUZ:
      return {3, 5};
    case kF8E8M0FNU:
      return {1, 8};
    case kF16:
      return {11, 5};
    case kBF16:
      return {8, 8};
    case kTF32:
      return {11, 8};
    case kF32:
      return {24, 8};
    default:
      return {53, 11};
  }
}

bool Holds(ElementType wide, ElementType narrow) {
  if (wide == narrow) return true;
  if (BitWidth(wide) < 16) return false;
  const Format a = FormatOf(wide);
  const Format b = FormatOf(narrow);
  return a.precision >= b.precision && a.exponent_bits >= b.exponent_bits;
}

ElementType PromoteFloats(ElementType a, ElementType b) {
  if (Holds(a, b)) return a;
  if (Holds(b, a)) return b;
  for (ElementType type : {kF16, kBF16, kF32}) {
    if (Holds(type, a) && Holds(type, b)) return type;
  }
  return kF64;
}

ElementType PromoteIntegers(ElementType a, ElementType b) {
  if (IsSigned(a) == IsSigned(b)) return BitWidth(a) >= BitWidth(b) ? a : b;
  if (IsUnsigned(a)) std::swap(a, b);
  if (BitWidth(a) > BitWidth(b)) return a;
  for (ElementType type : {kI4, kI8, kI16, kI32, kI64}) {
    if (BitWidth(type) > BitWidth(b)) return type;
  }
  return kF64;  // i64 and u64
}

// Returns a float of 16 bits or more that also represents the integer; f64 for all wider integers.
ElementType PromoteIntegerAndFloat(ElementType integer, ElementType number) {
  const int magnitude = BitWidth(integer) - (IsSigned(integer) ? 1 : 0);
  for (ElementType type : {number, kF16, kBF16, kF32}) {
    if (BitWidth(type) >= 16 && Holds(type, number) && FormatOf(type).precision >= magnitude) return type;
  }
  return kF64;
}

}  // namespace

std::optional<ElementType> RealOf(ElementType type) {
  if (type == kC64) return kF32;
  if (type == kC128) return kF64;
  if (kRealTypes.Contains(type)) return type;
  return std::nullopt;
}

std::optional<ElementType> ComplexOf(ElementType real) {
  if (real == kF32) return kC64;
  if (real == kF64) return kC128;
  return std::nullopt;
}

std::optional<ElementType> Promote(ElementType a, ElementType b) {
  if (a == kUnknown || b == kUnknown) return kUnknown;
  if (a == b) return a;
  if (!(kNumericTypes | kBoolTypes).Contains(a) || !(kNumericTypes | kBoolTypes).Contains(b))
    return std::nullopt;
  if (a == kIndex || b == kIndex) return std::nullopt;  // MLIR casts it explicitly
  if (IsBool(a)) return b;
  if (IsBool(b)) return a;
  if (IsComplex(a) || IsComplex(b)) {
    const auto real = Promote(*RealOf(a), *RealOf(b));
    return PromoteFloats(kF32, *real) == kF32 ? kC64 : kC128;
  }
  if (IsFloat(a) && IsFloat(b)) return PromoteFloats(a, b);
  if (IsFloat(a)) return PromoteIntegerAndFloat(b, a);
  if (IsFloat(b)) return PromoteIntegerAndFloat(a, b);
  return PromoteIntegers(a, b);
}

}  // namespace dimwise
