// Converts attributes to a required kind, by the table at the head of attr_value.h.
//
// ParseAttrText parses text first, and the result is converted like any other value. So "(3, 3)" and [3, 3]
// always mean the same. Text inside a list is not parsed: a list contains values, not descriptions of values.
#include <array>

#include "dimwise/attr_value.h"

namespace dimwise {
namespace {

// Returns the value that a text describes, or nullopt if `value` is no text or does not parse.
std::optional<AttrValue> ParsedText(const AttrValue& value) {
  const std::string* text = value.get_if<std::string>();
  if (text == nullptr) return std::nullopt;
  std::optional<AttrValue> parsed = ParseAttrText(*text);
  if (parsed && parsed->kind() == AttrKind::kNothing) return std::nullopt;
  return parsed;
}

// Converts a value without parsing text.
template <typename T>
using Meaning = std::optional<T> (*)(const AttrValue&);

std::optional<int64_t> PlainInt(const AttrValue& value) {
  if (const int64_t* number = value.get_if<int64_t>()) return *number;
  if (const bool* flag = value.get_if<bool>()) return *flag ? 1 : 0;
  return std::nullopt;
}

std::optional<double> PlainFloat(const AttrValue& value) {
  if (const double* number = value.get_if<double>()) return *number;
  if (const int64_t* number = value.get_if<int64_t>()) return static_cast<double>(*number);
  return std::nullopt;
}

std::optional<bool> PlainBool(const AttrValue& value) {
  if (const bool* flag = value.get_if<bool>()) return *flag;
  const int64_t* number = value.get_if<int64_t>();
  return number && (*number == 0 || *number == 1) ? std::optional(*number == 1) : std::nullopt;
}

std::optional<std::string> PlainString(const AttrValue& value) {
  const std::string* text = value.get_if<std::string>();
  return text ? std::optional(*text) : std::nullopt;
}

std::optional<std::optional<int64_t>> PlainOptionalInt(const AttrValue& value) {
  if (value.kind() == AttrKind::kNothing) return std::optional<std::optional<int64_t>>(std::in_place);
  const std::optional<int64_t> number = PlainInt(value);
  return number ? std::optional<std::optional<int64_t>>(number) : std::nullopt;
}

template <typename T, typename From>
std::optional<std::vector<T>> EachOf(const std::vector<From>& elements, Meaning<T> meaning) {
  std::vector<T> list;
  list.reserve(elements.size());
  for (const auto& element : elements) {
    auto converted = meaning(AttrValue(static_cast<From>(element)));
    if (!converted) return std::nullopt;
    list.push_back(*std::move(converted));
  }
  return list;
}

// Converts a list whose elements all convert to T.
template <typename T>
std::optional<std::vector<T>> EachAs(const AttrValue& value, Meaning<T> meaning) {
  if constexpr (!std::is_same_v<T, std::optional<int64_t>>) {
    if (const auto* same = value.get_if<std::vector<T>>()) return *same;
  }
  if (const auto* ints = value.get_if<AttrValue::Ints>()) return EachOf<T>(*ints, meaning);
  if (const auto* bools = value.get_if<AttrValue::Bools>()) return EachOf<T>(*bools, meaning);
  if (const auto* strings = value.get_if<AttrValue::Strings>()) return EachOf<T>(*strings, meaning);
  if (const auto* mixed = value.get_if<std::vector<AttrValue>>()) return EachOf<T>(*mixed, meaning);
  if (value.IsEmptyList()) return std::vector<T>();
  return std::nullopt;
}

// Like EachAs, but text may describe the list or its only element.
template <typename T>
std::optional<std::vector<T>> EachAsOrText(const AttrValue& value, Meaning<T> meaning) {
  if (value.kind() != AttrKind::kString) return EachAs(value, meaning);
  const std::optional<AttrValue> parsed = ParsedText(value);
  if (!parsed) return std::nullopt;
  if (parsed->IsList()) return EachAs(*parsed, meaning);
  std::optional<T> one = meaning(*parsed);
  return one ? std::optional(std::vector<T>{*one}) : std::nullopt;
}

// Like EachAs, but text may describe the list.
template <typename T>
std::optional<std::vector<T>> EachAsOrListText(const AttrValue& value, Meaning<T> meaning) {
  if (value.kind() != AttrKind::kString) return EachAs(value, meaning);
  const std::optional<AttrValue> parsed = ParsedText(value);
  return parsed && parsed->IsList() ? EachAs(*parsed, meaning) : std::nullopt;
}

template <typename T>
std::optional<std::span<const T>> Stored(const AttrValue& value) {
  if (const auto* list = value.get_if<std::vector<T>>()) return std::span<const T>(*list);
  if (value.IsEmptyList()) return std::span<const T>();
  return std::nullopt;
}

// Converts [2, null, -1]. Numbers below -1 are rejected. ["*"] is an unknown rank.
std::optional<ShapeProto> ShapeFromList(const AttrValue& list) {
  if (const auto* words = list.get_if<AttrValue::Strings>();
      words && words->size() == 1 && (*words)[0] == "*") {
    return ShapeProto{.unknown_rank = true, .dims = {}};
  }
  const auto sizes = EachAs<std::optional<int64_t>>(list, PlainOptionalInt);
  if (!sizes) return std::nullopt;
  ShapeProto shape;
  shape.dims.reserve(sizes->size());
  for (const std::optional<int64_t>& size : *sizes) {
    if (size.value_or(-1) < -1) return std::nullopt;
    shape.dims.push_back(size.value_or(-1));
  }
  return shape;
}

std::optional<ShapeProto> PlainShape(const AttrValue& value) {
  if (const ShapeProto* shape = value.get_if<ShapeProto>()) return *shape;
  return value.IsList() ? ShapeFromList(value) : std::nullopt;
}

constexpr std::array<std::string_view, 18> kKindNames = {
    "nothing",      "int",        "float",       "bool",         "string",      "type",
    "shape",        "tensor",     "func",        "list(int)",    "list(float)", "list(bool)",
    "list(string)", "list(type)", "list(shape)", "list(tensor)", "list(func)",  "list"};
static_assert(kKindNames.size() == static_cast<size_t>(AttrKind::kList) + 1);

std::optional<AttrValue> Boxed(auto&& converted) {
  return converted ? std::optional<AttrValue>(AttrValue(*std::forward<decltype(converted)>(converted)))
                   : std::nullopt;
}

template <typename T>
std::optional<AttrValue> BoxedList(const std::optional<std::span<const T>>& list) {
  return list ? std::optional<AttrValue>(std::vector<T>(list->begin(), list->end())) : std::nullopt;
}

}  // namespace

bool IsNothing(const AttrValue& value) {
  const std::string* text = value.get_if<std::string>();
  return value.kind() == AttrKind::kNothing || (text != nullptr && *text == "None");
}

std::optional<int64_t> AsInt(const AttrValue& value) {
  const auto parsed = ParsedText(value);
  return PlainInt(parsed ? *parsed : value);
}

std::optional<double> AsFloat(const AttrValue& value) {
  const auto parsed = ParsedText(value);
  return PlainFloat(parsed ? *parsed : value);
}

std::optional<bool> AsBool(const AttrValue& value) {
  const auto parsed = ParsedText(value);
  return PlainBool(parsed ? *parsed : value);
}

std::optional<std::string_view> AsString(const AttrValue& value) {
  const std::string* text = value.get_if<std::string>();
  return text ? std::optional<std::string_view>(*text) : std::nullopt;
}

std::optional<ElementType> AsType(const AttrValue& value) {
  if (const ElementType* type = value.get_if<ElementType>()) return *type;
  const std::string* text = value.get_if<std::string>();
  return text ? ParseElementType(*text) : std::nullopt;
}

std::optional<ShapeProto> AsShape(const AttrValue& value) {
  const auto parsed = ParsedText(value);
  return PlainShape(parsed ? *parsed : value);
}

const TensorValue* AsTensor(const AttrValue& value) { return value.get_if<TensorValue>(); }
const FunctionValue* AsFunction(const AttrValue& value) { return value.get_if<FunctionValue>(); }

std::optional<AttrValue::Ints> AsInts(const AttrValue& value) {
  return EachAsOrText<int64_t>(value, PlainInt);
}
std::optional<AttrValue::Floats> AsFloats(const AttrValue& value) {
  return EachAsOrText<double>(value, PlainFloat);
}
std::optional<AttrValue::Bools> AsBools(const AttrValue& value) {
  return EachAsOrText<bool>(value, PlainBool);
}
std::optional<AttrValue::Types> AsTypes(const AttrValue& value) {
  return EachAsOrText<ElementType>(value, AsType);
}

// A single word is no list of strings; it is rejected to report the mistake.
std::optional<AttrValue::Strings> AsStrings(const AttrValue& value) {
  return EachAsOrListText<std::string>(value, PlainString);
}

std::optional<std::vector<ShapeProto>> AsShapes(const AttrValue& value) {
  return EachAsOrListText<ShapeProto>(value, PlainShape);
}

std::optional<std::span<const TensorValue>> AsTensors(const AttrValue& value) {
  return Stored<TensorValue>(value);
}
std::optional<std::span<const FunctionValue>> AsFunctions(const AttrValue& value) {
  return Stored<FunctionValue>(value);
}

std::optional<std::span<const int64_t>> AsInts(const AttrValue& value, AttrValue::Ints* scratch) {
  if (const auto stored = Stored<int64_t>(value)) return stored;
  auto converted = AsInts(value);
  if (!converted) return std::nullopt;
  *scratch = *std::move(converted);
  return std::span<const int64_t>(*scratch);
}

std::optional<AttrValue::Ints> AsIntsOrInt(const AttrValue& value) {
  if (const int64_t* number = value.get_if<int64_t>()) return AttrValue::Ints{*number};
  return AsInts(value);
}

std::optional<std::vector<std::optional<int64_t>>> AsOptionalInts(const AttrValue& value) {
  return EachAsOrText<std::optional<int64_t>>(value, PlainOptionalInt);
}

std::optional<AttrValue> ConvertTo(AttrKind kind, const AttrValue& value) {
  if (value.IsUnread() && value.kind() == kind) return value;
  switch (kind) {
    case AttrKind::kInt:
      return Boxed(AsInt(value));
    case AttrKind::kFloat:
      return Boxed(AsFloat(value));
    case AttrKind::kBool:
      return Boxed(AsBool(value));
    case AttrKind::kString:
      return Boxed(AsString(value));
    case AttrKind::kType:
      return Boxed(AsType(value));
    case AttrKind::kShape:
      return Boxed(AsShape(value));
    case AttrKind::kTensor:
      return Boxed(AsTensor(value));
    case AttrKind::kFunction:
      return Boxed(AsFunction(value));
    case AttrKind::kInts:
      return Boxed(AsInts(value));
    case AttrKind::kFloats:
      return Boxed(AsFloats(value));
    case AttrKind::kBools:
      return Boxed(AsBools(value));
    case AttrKind::kStrings:
      return Boxed(AsStrings(value));
    case AttrKind::kTypes:
      return Boxed(AsTypes(value));
    case AttrKind::kShapes:
      return Boxed(AsShapes(value));
    case AttrKind::kTensors:
      return BoxedList(AsTensors(value));
    case AttrKind::kFunctions:
      return BoxedList(AsFunctions(value));
    case AttrKind::kNothing:
    case AttrKind::kList:
      break;
  }
  return value.kind() == kind ? std::optional(value) : std::nullopt;
}

std::string_view KindName(AttrKind kind) { return kKindNames[static_cast<size_t>(kind)]; }

std::optional<AttrKind> ParseAttrKind(std::string_view name) {
  for (size_t i = 0; i < kKindNames.size(); ++i) {
    if (kKindNames[i] == name) return static_cast<AttrKind>(i);
  }
  return std::nullopt;
}

}  // namespace dimwise
