// ElementType denotes the type of one element of a tensor: f32, i8, bool, a string, or a handle.
//
// The list is the union of the types of ONNX, TensorFlow, MXNet and StableHLO. Each type has one spelling
// that Dimwise prints (`f32`, `u8`, `f8e4m3fn`). The spellings of the frameworks (`FLOAT`, `DT_FLOAT`,
// `float32`, `ui8`) are also parsed. Parameters that do not fit one byte are not represented: the scale of a
// quantized type, the shapes behind a handle.
//
// Invariants:
// 1. The enumerators are ordered by class, so that a class is a range, and within a class by width.
// 2. kUnknown means "not known yet". It belongs to no class and is never an error by itself.
// 3. There are fewer than 64 element types, so that a set is one word.
//
// Thread safety: values and constant tables.
#ifndef DIMWISE_ELEMENT_TYPE_H_
#define DIMWISE_ELEMENT_TYPE_H_

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dimwise/export.h"

namespace dimwise {

// clang-format off
enum class ElementType : uint8_t {
  kUnknown,
  // Floats. fn: finite, with NaN; uz: unsigned zero; b11: exponent bias 11; e8m0: a power of two, without a sign.
  kF4E2M1FN, kF6E2M3FN, kF6E3M2FN,
  kF8E3M4, kF8E4M3, kF8E4M3FN, kF8E4M3FNUZ, kF8E4M3B11FNUZ, kF8E5M2, kF8E5M2FNUZ, kF8E8M0FNU,
  kF16, kBF16, kTF32, kF32, kF64,
  // Signed integers. i48 is TOSA's accumulator; index is MLIR's integer of the machine's width.
  kI2, kI4, kI8, kI16, kI32, kI48, kI64, kIndex,
  kU2, kU4, kU8, kU16, kU32, kU64,
  kC64, kC128,
  kBool,
  // Integers that represent real numbers by a scale that is stored elsewhere.
  kQI2, kQI4, kQI8, kQI16, kQI32, kQU2, kQU4, kQU8, kQU16, kQU32,
  kString,
  kResource, kVariant,
  kToken,  // orders side effects; has no elements
};
// clang-format on

inline constexpr int kElementTypeCount = static_cast<int>(ElementType::kToken) + 1;

// A set of element types, such as the types that a type variable of a rule allows. Intersection combines two
// requirements.
class ElementTypeSet {
 public:
  constexpr ElementTypeSet() = default;
  constexpr explicit ElementTypeSet(ElementType type) : bits_(uint64_t{1} << static_cast<int>(type)) {}
  static constexpr ElementTypeSet Range(ElementType first, ElementType last) {
    return FromBits((uint64_t{2} << static_cast<int>(last)) - (uint64_t{1} << static_cast<int>(first)));
  }
  static constexpr ElementTypeSet FromBits(uint64_t bits) {
    ElementTypeSet set;
    set.bits_ = bits;
    return set;
  }

  constexpr bool Contains(ElementType type) const { return (bits_ >> static_cast<int>(type) & 1) != 0; }
  // Returns whether a value of this type, which may be unknown, is acceptable for this set.
  constexpr bool Allows(ElementType type) const { return type == ElementType::kUnknown || Contains(type); }
  // Returns the only member, or kUnknown if there are none or several.
  constexpr ElementType Single() const {
    return size() == 1 ? static_cast<ElementType>(std::countr_zero(bits_)) : ElementType::kUnknown;
  }
  constexpr int size() const { return std::popcount(bits_); }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr uint64_t bits() const { return bits_; }

  constexpr ElementTypeSet operator|(ElementTypeSet other) const { return FromBits(bits_ | other.bits_); }
  constexpr ElementTypeSet operator&(ElementTypeSet other) const { return FromBits(bits_ & other.bits_); }
  constexpr ElementTypeSet operator-(ElementTypeSet other) const { return FromBits(bits_ & ~other.bits_); }
  constexpr bool operator==(const ElementTypeSet&) const = default;

 private:
  uint64_t bits_ = 0;
};

inline constexpr auto kFloatTypes = ElementTypeSet::Range(ElementType::kF4E2M1FN, ElementType::kF64);
inline constexpr auto kSignedTypes = ElementTypeSet::Range(ElementType::kI2, ElementType::kIndex);
inline constexpr auto kUnsignedTypes = ElementTypeSet::Range(ElementType::kU2, ElementType::kU64);
inline constexpr auto kIntegerTypes = kSignedTypes | kUnsignedTypes;
inline constexpr auto kComplexTypes = ElementTypeSet::Range(ElementType::kC64, ElementType::kC128);
inline constexpr auto kRealTypes = kFloatTypes | kIntegerTypes;
inline constexpr auto kNumericTypes = kRealTypes | kComplexTypes;
inline constexpr auto kBoolTypes = ElementTypeSet(ElementType::kBool);
inline constexpr auto kQuantizedTypes = ElementTypeSet::Range(ElementType::kQI2, ElementType::kQU32);
inline constexpr auto kStringTypes = ElementTypeSet(ElementType::kString);
inline constexpr auto kHandleTypes = ElementTypeSet::Range(ElementType::kResource, ElementType::kVariant);
inline constexpr auto kAnyType = ElementTypeSet::Range(ElementType::kF4E2M1FN, ElementType::kToken);

constexpr bool IsFloat(ElementType type) { return kFloatTypes.Contains(type); }
constexpr bool IsInteger(ElementType type) { return kIntegerTypes.Contains(type); }
// Integers only: a float is neither signed nor unsigned, as in TensorFlow.
constexpr bool IsSigned(ElementType type) { return kSignedTypes.Contains(type); }
constexpr bool IsUnsigned(ElementType type) { return kUnsignedTypes.Contains(type); }
constexpr bool IsComplex(ElementType type) { return kComplexTypes.Contains(type); }
constexpr bool IsBool(ElementType type) { return type == ElementType::kBool; }
constexpr bool IsQuantized(ElementType type) { return kQuantizedTypes.Contains(type); }
constexpr bool IsString(ElementType type) { return type == ElementType::kString; }
constexpr bool IsHandle(ElementType type) { return kHandleTypes.Contains(type); }

// Parses the class names of the rule language: any, numeric, real, float, int, signed, unsigned, complex,
// bool, quantized, string, handle. As a class, `float` contains all floats; as an element type it is f32.
DIMWISE_API std::optional<ElementTypeSet> ParseElementTypeSet(std::string_view name);
// Returns the names of the classes that the set contains entirely, then its other members: "float, i32".
DIMWISE_API std::string ToString(ElementTypeSet set);

// Returns the width of one packed element in bits, or 0 if it has none (unknown, string, handles, token).
DIMWISE_API int BitWidth(ElementType type);

// The systems whose names and numbers of element types are supported.
enum class TypeSystem : uint8_t { kDimwise, kOnnx, kTensorFlow, kMxnet, kStableHlo };

// Returns our spelling: "f32"; "?" for kUnknown.
DIMWISE_API std::string_view ToString(ElementType type);
// Returns the spelling of a framework, or empty if it has no such type: "FLOAT", "DT_FLOAT", "float32",
// "f32".
DIMWISE_API std::string_view Spelling(ElementType type, TypeSystem system);
// Parses any spelling of any framework; case matters. A reference type of TensorFlow (`DT_FLOAT_REF`,
// `float_ref`) is parsed as its base type.
DIMWISE_API std::optional<ElementType> ParseElementType(std::string_view spelling);

// The number used in files: TensorProto.DataType, tensorflow.DataType, mshadow's type flag.
DIMWISE_API std::optional<int> NumberOf(ElementType type, TypeSystem system);
DIMWISE_API std::optional<ElementType> ElementTypeOf(int64_t number, TypeSystem system);

// Returns whether this is a TensorFlow reference type such as DT_FLOAT_REF = DT_FLOAT + 100: a mutable
// buffer.
constexpr bool IsTensorFlowRef(int64_t number) { return number > 100 && number < 200; }
DIMWISE_API bool IsTensorFlowRef(std::string_view spelling);

// RealOf maps c64 to f32, c128 to f64 and real types to themselves; ComplexOf is the inverse.
DIMWISE_API std::optional<ElementType> RealOf(ElementType type);
DIMWISE_API std::optional<ElementType> ComplexOf(ElementType real);
// IntegerBehind maps qi8 to i8; QuantizedOver is the inverse.
DIMWISE_API std::optional<ElementType> IntegerBehind(ElementType quantized);
DIMWISE_API std::optional<ElementType> QuantizedOver(ElementType integer);

// Returns the smallest type that can represent both, as numpy.promote_types does: i8 and u8 give i16, i32 and
// f32 give f64, f16 and bf16 give f32. i64 and u64 give f64: numpy prefers range to exactness. Returns
// nullopt if there is none (a string and a number), and kUnknown if either is unknown.
DIMWISE_API std::optional<ElementType> Promote(ElementType a, ElementType b);

}  // namespace dimwise

#endif  // DIMWISE_ELEMENT_TYPE_H_
