#include "core/values/contents_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "core/base/failure.h"
#include "core/types/element_count.h"

namespace dimwise {
namespace {

template <typename... Args>
Unexpected Refuse(fmt::format_string<Args...> format, Args&&... args) {
  return Failure(Code::kBadRequest, fmt::format(format, std::forward<Args>(args)...));
}

// Returns whether a number fits an integer type. A u64 above INT64_MAX is handled by the caller.
bool Fits(int64_t number, ElementType type) {
  const int bits = BitWidth(type);
  if (IsUnsigned(type)) return number >= 0 && (bits >= 63 || number < (int64_t{1} << bits));
  if (bits >= 64 || bits == 0) return true;
  const int64_t half = int64_t{1} << (bits - 1);
  return number >= -half && number < half;
}

template <typename T>
void AppendBytes(T number, std::vector<std::byte>* bytes) {
  const size_t at = bytes->size();
  bytes->resize(at + sizeof(T));
  std::memcpy(bytes->data() + at, &number, sizeof(T));
}

// Appends the bytes of a number. Returns false if the type's format is not supported.
bool AppendNumber(ElementType type, int64_t integer, double number, std::vector<std::byte>* bytes) {
  switch (type) {
    case ElementType::kBool:
    case ElementType::kI8:
    case ElementType::kU8:
      return AppendBytes(static_cast<int8_t>(integer), bytes), true;
    case ElementType::kI16:
    case ElementType::kU16:
      return AppendBytes(static_cast<int16_t>(integer), bytes), true;
    case ElementType::kI32:
    case ElementType::kU32:
      return AppendBytes(static_cast<int32_t>(integer), bytes), true;
    case ElementType::kI64:
    case ElementType::kU64:
      return AppendBytes(integer, bytes), true;
    case ElementType::kF32:
      return AppendBytes(static_cast<float>(number), bytes), true;
    case ElementType::kF64:
      return AppendBytes(number, bytes), true;
    default:
      return false;
  }
}

}  // namespace

bool ContentsBuilder::Has(Kind kind) const {
  return std::ranges::find(elements_, kind, &Element::kind) != elements_.end();
}

Status ContentsBuilder::CheckKinds(ElementType type) const {
  for (size_t i = 0; i < elements_.size(); ++i) {
    const Element& e = elements_[i];
    const auto refuse = [&](const auto& shown) {
      return Refuse("element {} of the contents is {}, which is no {}", i, shown, ToString(type));
    };
    if (e.kind == Kind::kUnknown) continue;
    if (e.kind == Kind::kText && !IsString(type)) return refuse("a text");
    if (e.kind == Kind::kFloat && (IsInteger(type) || IsBool(type))) return refuse(e.number);
    if (e.kind == Kind::kBool && (IsInteger(type) || IsFloat(type)))
      return refuse(e.integer == Dim(1) ? "true" : "false");
    if (e.kind != Kind::kInteger || !e.integer.is_constant()) continue;
    const int64_t number = e.integer.constant();
    if ((IsBool(type) && number != 0 && number != 1) || (IsInteger(type) && !Fits(number, type)))
      return refuse(number);
  }
  return {};
}

Value ContentsBuilder::BuildIntegers(Analysis& analysis, ElementType type,
                                     std::span<const int64_t> sizes) const {
  std::vector<Dim> integers;
  integers.reserve(elements_.size());
  for (const Element& e : elements_) {
    integers.push_back(e.kind == Kind::kUnknown ? analysis.dims().Fresh(INT64_MIN, INT64_MAX) : e.integer);
  }
  return analysis.values().Integers(type, sizes, integers);
}

Value ContentsBuilder::BuildFloats(Analysis& analysis, ElementType type,
                                   std::span<const int64_t> sizes) const {
  std::vector<Float> floats;
  floats.reserve(elements_.size());
  for (const Element& e : elements_) {
    const bool is_float = e.kind == Kind::kFloat;
    const double number =
        type == ElementType::kF32 ? static_cast<double>(static_cast<float>(e.number)) : e.number;
    floats.push_back(is_float ? Float::Of(number)
                              : Float{.numerator = e.integer, .denominator = 1, .special = {}});
  }
  return analysis.values().Floats(type, sizes, floats);
}

Value ContentsBuilder::BuildBooleans(Analysis& analysis, std::span<const int64_t> sizes) const {
  std::vector<Boolean> booleans;
  booleans.reserve(elements_.size());
  for (const Element& e : elements_) {
    booleans.push_back(
        {.value = e.kind == Kind::kUnknown ? analysis.dims().Fresh(0, 1) : e.integer, .predicate = nullptr});
  }
  return analysis.values().Booleans(sizes, booleans);
}

Value ContentsBuilder::BuildBytes(Analysis& analysis, ElementType type, std::span<const int64_t> sizes,
                                  std::vector<std::byte>* bytes) const {
  bytes->clear();
  for (const Element& e : elements_) {
    const bool is_number = e.kind != Kind::kUnknown && (e.kind == Kind::kFloat || e.integer.is_constant());
    if (!is_number) return Value();
    const bool is_float = e.kind == Kind::kFloat;
    const int64_t integer = is_float ? 0 : e.integer.constant();
    if (!AppendNumber(type, integer, is_float ? e.number : static_cast<double>(integer), bytes))
      return Value();
  }
  return analysis.values().Bytes(type, sizes, *bytes);
}

Result<Value> ContentsBuilder::Build(Analysis& analysis, const Type& type,
                                     std::vector<std::byte>* bytes) const {
  const Shape shape = type.shape;
  if (shape.is_none() || !shape.is_constant()) {
    return Refuse("contents require a constant shape, and {} is not constant",
                  shape.is_none() ? "the shape" : ToString(analysis.dims(), shape));
  }
  std::vector<int64_t> sizes;
  for (const Dim size : shape.dims()) sizes.push_back(size.constant());
  const std::optional<int64_t> count = ElementCount(sizes);
  if (!count || std::cmp_not_equal(*count, elements_.size())) {
    return Refuse("{} elements are given as contents of the shape {}{}", elements_.size(),
                  ToString(analysis.dims(), shape),
                  count ? fmt::format(", which has {}", *count) : std::string());
  }
  const ElementType element = type.element;
  if (element != ElementType::kUnknown) {
    if (Status status = CheckKinds(element); !status) return std::move(status).TakeError();
    const bool has_numbers = IsInteger(element) || IsFloat(element) || IsBool(element);
    if (!has_numbers) return Value();
  } else if (Has(Kind::kText)) {
    return Value();
  }
  if (*count > ValueTable::kMaxElements) return BuildBytes(analysis, element, sizes, bytes);
  const bool unknown = element == ElementType::kUnknown;
  if (IsFloat(element) || (unknown && Has(Kind::kFloat))) return BuildFloats(analysis, element, sizes);
  if (IsBool(element) || (unknown && Has(Kind::kBool))) return BuildBooleans(analysis, sizes);
  return BuildIntegers(analysis, element, sizes);
}

}  // namespace dimwise
