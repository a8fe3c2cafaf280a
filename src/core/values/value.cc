#include "dimwise/value.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory_resource>
#include <type_traits>
#include <vector>

#include "core/base/hash_index.h"
#include "core/base/hash_mix.h"
#include "core/base/wide.h"
#include "core/types/element_count.h"
#include "core/values/contents_limit.h"
#include "core/values/value_bytes.h"

namespace dimwise {

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
  const auto bits = std::bit_cast<uint64_t>(value);
  const auto biased = static_cast<int>(bits >> 52 & 0x7ff);
  if (biased == 0) return special;  // far below 2^-62
  int exponent = biased - 1075;
  auto mantissa = static_cast<int64_t>((bits & ((uint64_t{1} << 52) - 1)) | uint64_t{1} << 52);
  if (value < 0) mantissa = -mantissa;
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

namespace {

constexpr size_t kMaxSharedBytes = 512;
constexpr int64_t kMaxSharedFloats = 4;

// Returns whether values with these bytes are interned: only small ones, as shapes are computed from. The
// bytes of weights are never read.
bool IsShared(const ValueData& v, size_t size) {
  const bool counts = IsInteger(v.element) || v.element == ElementType::kBool || v.count <= kMaxSharedFloats;
  return counts && size <= kMaxSharedBytes;
}

size_t BytesOf(const ValueData& v) { return static_cast<size_t>(ByteSize(v.element, v.count).value_or(0)); }

// Random seeds; hashed data that differs from them in a few bits only is unlikely.
constexpr uint64_t kSeed1 = 0x8a5cd789635d2dff, kSeed2 = 0x121fd2155c472f96;

uint32_t HashOf(const ValueData& v) {
  const auto kinds = static_cast<uint64_t>(v.kind) << 8 | static_cast<uint64_t>(v.element);
  uint64_t h = Fold(kinds ^ kSeed1, v.dims.size() ^ kSeed2);
  const auto mix = [&](uint64_t a, uint64_t b) { h = h * kSeed2 + Fold(a ^ kSeed1, b ^ kSeed2); };
  for (const int64_t d : v.dims) mix(static_cast<uint64_t>(d), h);
  if (v.every != nullptr) mix(std::bit_cast<uintptr_t>(v.every), h);
  switch (v.kind) {
    case ValueKind::kNone:
      break;
    case ValueKind::kBytes: {
      const size_t size = BytesOf(v);
      const auto* text = reinterpret_cast<const char*>(v.bytes);
      if (IsShared(v, size)) {
        h ^= HashBytes(std::string_view(text, size), kSeed1, h);
        break;
      }
      mix(std::bit_cast<uintptr_t>(v.bytes), h);
      break;
    }
    case ValueKind::kIntegers:
      for (int64_t i = 0; i < v.count; ++i) mix(static_cast<uint64_t>(v.integers[i].bits()), h);
      break;
    case ValueKind::kBooleans:
      for (int64_t i = 0; i < v.count; ++i) mix(static_cast<uint64_t>(v.booleans[i].value.bits()), h);
      break;
    case ValueKind::kFloats:
      for (int64_t i = 0; i < v.count; ++i) {
        mix(static_cast<uint64_t>(v.floats[i].numerator.bits()),
            static_cast<uint64_t>(v.floats[i].denominator));
      }
      break;
  }
  return static_cast<uint32_t>(h ^ h >> 32);
}

bool AreEqual(const ValueData& a, const ValueData& b) {
  if (a.kind != b.kind || a.element != b.element || !std::ranges::equal(a.dims, b.dims)) return false;
  switch (a.kind) {
    case ValueKind::kNone:
      return a.every == b.every;
    case ValueKind::kBytes: {
      if (a.bytes == b.bytes) return true;
      const size_t size = BytesOf(a);
      return IsShared(a, size) && std::equal(a.bytes, a.bytes + size, b.bytes);
    }
    case ValueKind::kIntegers:
      return std::equal(a.integers, a.integers + a.count, b.integers);
    case ValueKind::kBooleans:
      return std::equal(a.booleans, a.booleans + a.count, b.booleans);
    case ValueKind::kFloats:
      return std::equal(a.floats, a.floats + a.count, b.floats);
  }
  return false;
}

}  // namespace

// Interns values, so that repeated computations give the same handle. Large bytes are not interned.
struct ValueTable::Impl {
  std::pmr::monotonic_buffer_resource arena{4096};
  std::vector<const ValueData*> shared;
  HashIndex index;  // hash index of values

  // Objects in the arena are never destroyed: their types are trivial.
  template <typename T>
  const T* Copy(const T* items, size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (items == nullptr) return nullptr;
    T* copies = static_cast<T*>(arena.allocate(count * sizeof(T), alignof(T)));
    std::uninitialized_copy(items, items + count, copies);
    return copies;
  }

  // Copies v into the arena; its bytes are not copied.
  const ValueData* Store(const ValueData& v) {
    const auto count = static_cast<size_t>(v.count);
    ValueData kept = v;
    kept.dims = {Copy(v.dims.data(), v.dims.size()), v.dims.size()};
    kept.integers = Copy(v.integers, count);
    kept.booleans = Copy(v.booleans, count);
    kept.floats = Copy(v.floats, count);
    return Copy(&kept, 1);
  }

  Value Share(const ValueData& v) {
    index.Reserve(1);
    const uint32_t hash = HashOf(v);
    const size_t place = index.Probe(hash, [&](uint32_t i) { return AreEqual(*shared[i], v); });
    if (const uint32_t known = index.at(place); known != HashIndex::kNone) return Value(shared[known]);
    index.Fill(place, hash, static_cast<uint32_t>(shared.size()));
    shared.push_back(Store(v));
    return Value(shared.back());
  }

  // Returns none if the number of elements does not match the sizes or exceeds the limit.
  Value Array(ValueData v, size_t elements) {
    const std::optional<int64_t> count = ElementCount(v.dims);
    if (count != static_cast<int64_t>(elements) || *count > ContentsLimit::current()) return Value();
    v.count = *count;
    return Share(v);
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
  const ValueData v{
      .kind = ValueKind::kBytes, .element = element, .dims = dims, .count = *count, .bytes = bytes.data()};
  return IsShared(v, static_cast<size_t>(*size)) ? impl_->Share(v) : Value(impl_->Store(v));
}

Value ValueTable::Integers(ElementType element, std::span<const int64_t> dims,
                           std::span<const Dim> elements) {
  return impl_->Array(
      {.kind = ValueKind::kIntegers, .element = element, .dims = dims, .integers = elements.data()},
      elements.size());
}

Value ValueTable::Booleans(std::span<const int64_t> dims, std::span<const Boolean> elements) {
  return impl_->Array({.kind = ValueKind::kBooleans,
                       .element = ElementType::kBool,
                       .dims = dims,
                       .booleans = elements.data()},
                      elements.size());
}

Value ValueTable::Floats(ElementType element, std::span<const int64_t> dims,
                         std::span<const Float> elements) {
  return impl_->Array(
      {.kind = ValueKind::kFloats, .element = element, .dims = dims, .floats = elements.data()},
      elements.size());
}

Value ValueTable::Every(Value scalar) {
  if (scalar.is_none()) return Value();
  return impl_->Share({.element = scalar.element(), .dims = {}, .every = scalar.data_});
}

Value ValueTable::Reshaped(Value value, std::span<const int64_t> dims) {
  ValueData other = *value.data_;
  other.dims = dims;
  return impl_->Share(other);
}

}  // namespace dimwise
