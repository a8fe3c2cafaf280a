#include "dimwise/value.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory_resource>
#include <new>
#include <type_traits>

#include "core/value_bytes.h"
#include "core/wide.h"

namespace dimwise {
namespace {

// The number of elements; nullopt where a size is negative or the product overflows. A size of 0 wins over
// the others, however large.
std::optional<int64_t> ElementCount(std::span<const int64_t> dims) {
  if (std::ranges::any_of(dims, [](int64_t size) { return size < 0; })) return std::nullopt;
  if (std::ranges::find(dims, 0) != dims.end()) return 0;
  Wide count = 1;
  for (int64_t size : dims) {
    count *= size;
    if (!FitsInt64(count)) return std::nullopt;
  }
  return static_cast<int64_t>(count);
}

}  // namespace

bool Float::operator==(const Float& other) const {
  if (numerator != other.numerator || denominator != other.denominator) return false;
  if (special.has_value() != other.special.has_value()) return false;
  return !special || std::bit_cast<uint64_t>(*special) == std::bit_cast<uint64_t>(*other.special);
}

std::optional<double> Float::constant() const {
  if (special) return special;
  if (!numerator.is_constant()) return std::nullopt;
  return static_cast<double>(numerator.constant()) / static_cast<double>(denominator);
}

Float Float::Of(double value) {
  const Float special{.numerator = {}, .denominator = 1, .special = value};
  if (!std::isfinite(value) || (value == 0 && std::signbit(value))) return special;
  if (value == 0) return {.numerator = 0, .denominator = 1, .special = {}};
  // value = mantissa * 2^exponent with an odd mantissa.
  int exponent = 0;
  auto mantissa = static_cast<int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  exponent -= 53;
  const int zeros = std::countr_zero(static_cast<uint64_t>(mantissa));
  mantissa >>= zeros;
  exponent += zeros;

  if (exponent < -62 || exponent > 63) return special;
  const Wide numerator = Wide{mantissa} * (Wide{1} << std::max(exponent, 0));
  if (!FitsInt64(numerator)) return special;
  const Dim dim(static_cast<int64_t>(numerator));
  if (dim.is_none()) return special;
  return {.numerator = dim, .denominator = int64_t{1} << std::max(-exponent, 0), .special = {}};
}

Dim Value::Integer(int64_t i) const {
  if (i < 0 || i >= size()) return Dim();
  switch (kind()) {
    case ValueKind::kBytes: {
      const std::optional<int64_t> number = ReadInteger(data_->element, data_->bytes, i);
      return number ? Dim(*number) : Dim();
    }
    case ValueKind::kIntegers:
      return data_->integers[i];
    case ValueKind::kBooleans:
      return data_->booleans[i].value;
    case ValueKind::kNone:
    case ValueKind::kFloats:
      break;
  }
  return Dim();
}

std::optional<int64_t> Value::ConstantInteger(int64_t i) const {
  const Dim d = Integer(i);
  if (!d.is_constant()) return std::nullopt;
  return d.constant();
}

Float Value::FloatingPoint(int64_t i) const {
  if (i < 0 || i >= size()) return {};
  if (kind() == ValueKind::kFloats) return data_->floats[i];
  if (kind() != ValueKind::kBytes) return {};
  const std::optional<double> number = ReadFloat(data_->element, data_->bytes, i);
  return number ? Float::Of(*number) : Float();
}

Boolean Value::Bool(int64_t i) const {
  if (kind() == ValueKind::kBooleans && i >= 0 && i < size()) return data_->booleans[i];
  if (!IsBool(element())) return {};
  return {.value = Integer(i), .predicate = nullptr};
}

struct ValueTable::Impl {
  std::pmr::monotonic_buffer_resource arena{4096};

  // Never destroyed: all that lies in the arena is trivial.
  template <typename T>
  T* Allocate(size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    return static_cast<T*>(arena.allocate(count * sizeof(T), alignof(T)));
  }
  template <typename T>
  const T* Copy(std::span<const T> items) {
    T* copies = Allocate<T>(items.size());
    std::uninitialized_copy(items.begin(), items.end(), copies);
    return copies;
  }

  ValueData* New(ValueKind kind, ElementType element, std::span<const int64_t> dims, int64_t count) {
    auto* data = new (Allocate<ValueData>(1)) ValueData;
    data->kind = kind;
    data->element = element;
    data->dims = {Copy(dims), dims.size()};
    data->count = count;
    return data;
  }

  // Null where the elements are not as many as the sizes say, or too many.
  ValueData* NewArray(ValueKind kind, ElementType element, std::span<const int64_t> dims, size_t elements) {
    const std::optional<int64_t> count = ElementCount(dims);
    if (count != static_cast<int64_t>(elements) || *count > kMaxElements) return nullptr;
    return New(kind, element, dims, *count);
  }
};

ValueTable::ValueTable() : impl_(std::make_unique<Impl>()) {}
ValueTable::~ValueTable() = default;

Value ValueTable::Bytes(ElementType element, std::span<const int64_t> dims,
                        std::span<const std::byte> bytes) {
  const std::optional<int64_t> count = ElementCount(dims);
  if (!count) return Value();
  const std::optional<int64_t> size = ByteSize(element, *count);
  if (!size || static_cast<uint64_t>(*size) > bytes.size()) return Value();
  ValueData* data = impl_->New(ValueKind::kBytes, element, dims, *count);
  data->bytes = bytes.data();
  return Value(data);
}

Value ValueTable::Integers(ElementType element, std::span<const int64_t> dims,
                           std::span<const Dim> elements) {
  ValueData* data = impl_->NewArray(ValueKind::kIntegers, element, dims, elements.size());
  if (data != nullptr) data->integers = impl_->Copy(elements);
  return Value(data);
}

Value ValueTable::Booleans(std::span<const int64_t> dims, std::span<const Boolean> elements) {
  ValueData* data = impl_->NewArray(ValueKind::kBooleans, ElementType::kBool, dims, elements.size());
  if (data != nullptr) data->booleans = impl_->Copy(elements);
  return Value(data);
}

Value ValueTable::Floats(ElementType element, std::span<const int64_t> dims,
                         std::span<const Float> elements) {
  ValueData* data = impl_->NewArray(ValueKind::kFloats, element, dims, elements.size());
  if (data != nullptr) data->floats = impl_->Copy(elements);
  return Value(data);
}

}  // namespace dimwise
