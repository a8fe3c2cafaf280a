// A Value denotes what is known of a tensor's contents: nothing, its bytes, or a small array of elements that
// may be symbolic. A third form covers tensors that are too large for an array or have symbolic sizes: every
// element equals one scalar. This form does not count as contents.
//
// Integers are Dims, so computed sizes use the same algebra as dimensions. A boolean is 0, 1 or a symbol in
// 0..1, with the condition that it represents, if known. A float is an exact rational in its format, a
// rounded computation, or unknown.
//
// Bytes are a view: little-endian, row-major, in the format of the element type. The creator of the Value
// keeps them alive as long as the table. Elements smaller than a byte are packed, the first in the lowest
// bits, as in ONNX; a bool takes a byte, tf32 four. Arrays have at most kMaxElements elements, or
// as many as the node that computes them has operands; larger contents stay bytes.
//
// Thread safety: Value is a value. A ValueTable is owned by one analysis and used by one thread at a time.
#ifndef DIMWISE_VALUE_H_
#define DIMWISE_VALUE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "dimwise/condition.h"
#include "dimwise/element_type.h"

namespace dimwise {

enum class ValueKind : uint8_t { kNone, kBytes, kIntegers, kBooleans, kFloats };

struct Boolean {
  Dim value;                             // 0, 1 or a symbol in 0..1
  const Condition* predicate = nullptr;  // the condition that it represents, if known
  bool operator==(const Boolean&) const = default;
};

struct Float {
  // An exact number is numerator/denominator. A number without this form (1e300, inf, nan, -0) is `special`,
  // with numerator none. An unknown number has numerator none and no special.
  Dim numerator;
  int64_t denominator = 1;  // > 0; or 0: the numerator is a rounded computation (a float step)
  std::optional<double> special;
  // Compares the representation: nan equals the same nan, and -0 is not 0.
  DIMWISE_API bool operator==(const Float& other) const;

  bool is_unknown() const { return numerator.is_none() && !special; }
  // Returns the number if it is constant, or the nearest double (1/3).
  DIMWISE_API std::optional<double> constant() const;
  // Converts a double: to an exact fraction in lowest terms if its parts fit (the denominator is a power of
  // two up to 2^62), else to `special`.
  DIMWISE_API static Float Of(double value);
};

// The data of a Value; access it through Value.
struct ValueData {
  ValueKind kind = ValueKind::kNone;
  ElementType element = ElementType::kUnknown;
  std::span<const int64_t> dims;  // the sizes of the tensor; contents are known only if all sizes are
  int64_t count = 0;
  const std::byte* bytes = nullptr;
  const Dim* integers = nullptr;
  const Boolean* booleans = nullptr;
  const Float* floats = nullptr;
  const ValueData* every = nullptr;  // for kNone: the scalar that every element equals
};

class DIMWISE_API Value {
 public:
  constexpr Value() = default;
  explicit constexpr Value(const ValueData* data) : data_(data) {}

  bool is_none() const { return kind() == ValueKind::kNone; }
  ValueKind kind() const { return data_ == nullptr ? ValueKind::kNone : data_->kind; }
  // For kNone: returns the scalar that every element equals, if it is known.
  Value every() const { return data_ == nullptr ? Value() : Value(data_->every); }
  // REQUIRES below: not none.
  ElementType element() const { return data_->element; }
  std::span<const int64_t> dims() const { return data_->dims; }
  int rank() const { return static_cast<int>(data_->dims.size()); }
  int64_t size() const { return data_->count; }

  // Returns element i in row-major order. Returns none (or unknown) if there is no such element, it has
  // another class, or it is unknown. A boolean is also an integer, 0 or 1. An integer that no Dim can hold,
  // such as a u64 above INT64_MAX, is unknown. Elements of quantized and complex types are neither integers
  // nor floats.
  Dim Integer(int64_t i) const;
  std::optional<int64_t> ConstantInteger(int64_t i) const;
  Float FloatingPoint(int64_t i) const;
  Boolean Bool(int64_t i) const;

  constexpr bool operator==(const Value&) const = default;

 private:
  friend class ValueTable;
  const ValueData* data_ = nullptr;
};

class DIMWISE_API ValueTable {
 public:
  static constexpr int64_t kMaxElements = 64;

  ValueTable();
  ~ValueTable();
  ValueTable(const ValueTable&) = delete;
  ValueTable& operator=(const ValueTable&) = delete;

  // Returns none if there are too few bytes, the sizes overflow or are negative, or the element type has no
  // byte format (a string, a handle, an unknown type).
  Value Bytes(ElementType element, std::span<const int64_t> dims, std::span<const std::byte> bytes);
  // Returns none if the number of elements is not the product of the sizes or exceeds the limit.
  Value Integers(ElementType element, std::span<const int64_t> dims, std::span<const Dim> elements);
  Value Booleans(std::span<const int64_t> dims, std::span<const Boolean> elements);
  Value Floats(ElementType element, std::span<const int64_t> dims, std::span<const Float> elements);
  // Returns a Value without contents whose elements all equal the scalar; none if the scalar is none.
  Value Every(Value scalar);
  // Returns the same elements with other sizes. REQUIRES: not none, and the number of elements is unchanged.
  Value Reshaped(Value value, std::span<const int64_t> dims);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dimwise

#endif  // DIMWISE_VALUE_H_
