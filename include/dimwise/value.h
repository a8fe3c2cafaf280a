// A Value denotes what is known of a tensor's contents: nothing, its bytes, or a small array of elements each
// of which may be symbolic. Of a tensor too large for an array, or of sizes that are not numbers, it may be
// known that every element is the same: that is not contents, and who asks for contents finds none.
//
// Integers are Dims, so shape arithmetic in a program is the same algebra as the dimensions. A boolean is 0,
// 1 or a symbol between, with the condition that it stands for where that is known. A float is an exact
// rational with its format: numerator/denominator where that is exact in the format, else a number that is
// not known.
//
// Bytes are a view: little-endian, row by row, in the element type's own format; whoever makes the Value
// keeps them alive as long as the table. Elements of less than a byte lie without gaps, the first in the
// lowest bits, as in ONNX; a bool takes a byte, tf32 four. Arrays have at most kMaxElements elements; larger
// contents stay bytes.
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
  const Condition* predicate = nullptr;  // what it stands for, where known
  bool operator==(const Boolean&) const = default;
};

struct Float {
  // An exact number is numerator/denominator; a number that these cannot say (1e300, inf, nan, -0) is
  // `special`, with numerator none; an unknown one has numerator none and no special.
  Dim numerator;
  int64_t denominator = 1;  // > 0
  std::optional<double> special;
  // Compares what is stored: nan equals the same nan, and -0 is not 0.
  DIMWISE_API bool operator==(const Float& other) const;

  bool is_unknown() const { return numerator.is_none() && !special; }
  // The number if it is constant, or the double nearest to it (1/3).
  DIMWISE_API std::optional<double> constant() const;
  // The float that a double is: an exact fraction in lowest terms where its parts fit, the denominator a
  // power of two up to 2^62; else special.
  DIMWISE_API static Float Of(double value);
};

// The data behind a Value; read it through Value.
struct ValueData {
  ValueKind kind = ValueKind::kNone;
  ElementType element = ElementType::kUnknown;
  std::span<const int64_t> dims;  // the tensor's sizes: contents are known only together with them
  int64_t count = 0;
  const std::byte* bytes = nullptr;
  const Dim* integers = nullptr;
  const Boolean* booleans = nullptr;
  const Float* floats = nullptr;
  const ValueData* every = nullptr;  // of kind kNone: the scalar that every element is
};

class DIMWISE_API Value {
 public:
  constexpr Value() = default;
  explicit constexpr Value(const ValueData* data) : data_(data) {}

  bool is_none() const { return kind() == ValueKind::kNone; }
  ValueKind kind() const { return data_ == nullptr ? ValueKind::kNone : data_->kind; }
  // Where there are no contents: the scalar that every element is, as far as that is known.
  Value every() const { return data_ == nullptr ? Value() : Value(data_->every); }
  // REQUIRES for all that follows: not none.
  ElementType element() const { return data_->element; }
  std::span<const int64_t> dims() const { return data_->dims; }
  int rank() const { return static_cast<int>(data_->dims.size()); }
  int64_t size() const { return data_->count; }

  // Element i, row by row; none (or unknown) where there is no such element, it is of another class, or it is
  // not known. A boolean is an integer too: 0 or 1. An integer that no Dim can hold, such as a u64 past
  // INT64_MAX, is not known. Those behind quantized and complex types are neither integers nor floats.
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

  // None where the bytes are fewer than the sizes ask for, the sizes overflow or are negative, or the element
  // type has no bytes of its own (a string, a handle, an unknown one).
  Value Bytes(ElementType element, std::span<const int64_t> dims, std::span<const std::byte> bytes);
  // None where the number of elements is not the product of the sizes or passes kMaxElements.
  Value Integers(ElementType element, std::span<const int64_t> dims, std::span<const Dim> elements);
  Value Booleans(std::span<const int64_t> dims, std::span<const Boolean> elements);
  Value Floats(ElementType element, std::span<const int64_t> dims, std::span<const Float> elements);
  // Without contents: every element is that of a scalar; none where the scalar is.
  Value Every(Value scalar);
  // REQUIRES: not none, and the sizes are those of as many elements. The same elements with other sizes.
  Value Reshaped(Value value, std::span<const int64_t> dims);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dimwise

#endif  // DIMWISE_VALUE_H_
