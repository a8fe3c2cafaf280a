#include "bench/functions/contents.h"

#include <algorithm>
#include <optional>

#include "infer/error.h"

namespace dimwise {
namespace {

// Longer lists are an error: operators read at most two elements per axis.
constexpr int64_t kMaxListLength = 2 * kMaxRank;

// Returns whether an integer type can represent the number; otherwise the number would wrap.
bool Holds(ElementType type, int64_t number) {
  const int bits = BitWidth(type);
  if (IsBool(type)) return number == 0 || number == 1;
  if (IsUnsigned(type)) return number >= 0 && (bits >= 63 || number < int64_t{1} << bits);
  if (bits == 0 || bits >= 64) return true;
  return number >= -(int64_t{1} << (bits - 1)) && number < int64_t{1} << (bits - 1);
}

Dim AsInteger(InferenceContext* c, ElementType type, const Float& element) {
  const Dim number = element.numerator;
  const bool holds = !number.is_constant() || Holds(type, number.constant());
  if (!number.is_none() && element.denominator == 1 && holds) return number;
  if (IsBool(type)) return c->UnknownDim(0, 1);
  return c->UnknownDim(IsUnsigned(type) ? 0 : INT64_MIN, INT64_MAX);
}

}  // namespace

std::optional<int64_t> SmallCount(Shape shape) {
  if (shape.is_none() || !shape.is_constant()) return std::nullopt;
  int64_t count = 1;
  bool empty = false;
  for (const Dim size : shape.dims()) {
    empty |= size == Dim(0);
    if (count <= ValueTable::kMaxElements)
      count *= std::min<int64_t>(size.constant(), ValueTable::kMaxElements + 1);
  }
  if (empty) return 0;
  return count <= ValueTable::kMaxElements ? std::optional(count) : std::nullopt;
}

bool MayHaveContents(Shape shape, ElementType type) {
  if (shape.is_none() || shape.rank() > 4) return false;
  const bool is_number = IsInteger(type) || IsBool(type) || type == ElementType::kUnknown;
  // Floats matter if sizes are computed from them, which does not happen with matrices.
  if (!is_number && !(IsFloat(type) && shape.rank() <= 1)) return false;
  return SmallCount(shape).has_value();
}

Value SmallContents(InferenceContext* c, int input) {
  return MayHaveContents(c->input(input), c->input_type(input)) ? c->input_tensor(input) : Value();
}

Float ElementOf(Value contents, int64_t i) {
  if (contents.is_none()) return {};
  const Dim integer = contents.Integer(i);
  return integer.is_none() ? contents.FloatingPoint(i) : IntegerElement(integer);
}

void SetContents(InferenceContext* c, int output, std::span<const Float> elements) {
  if (std::none_of(elements.begin(), elements.end(), IsKnown) && !elements.empty()) return;
  const Shape shape = c->output(output);
  if (SmallCount(shape) != static_cast<int64_t>(elements.size())) return;
  internal::SmallList<int64_t, 8> sizes;
  for (const Dim size : shape.dims()) sizes.push_back(size.constant());
  const ElementType type = c->output_type(output);
  ValueTable& values = c->analysis().values();
  if (IsFloat(type)) {
    c->set_output_value(output, values.Floats(type, sizes, elements));
  } else if (IsBool(type)) {
    internal::SmallList<Boolean, 16> booleans;
    for (const Float& e : elements)
      booleans.push_back({.value = AsInteger(c, type, e), .predicate = nullptr});
    c->set_output_value(output, values.Booleans(sizes, booleans));
  } else if (IsInteger(type) || type == ElementType::kUnknown) {
    DimList integers;
    for (const Float& e : elements) integers.push_back(AsInteger(c, type, e));
    c->set_output_value(output, values.Integers(type, sizes, integers));
  }
}

void StoreContents(InferenceContext* c, int input, int output) {
  if (!MayHaveContents(c->output(output), c->output_type(output))) return;
  const Value contents = c->input_tensor(input);
  if (contents.is_none() || SmallCount(c->output(output)) != contents.size()) return;
  ElementList elements;
  for (int64_t i = 0; i < contents.size(); ++i) elements.push_back(ElementOf(contents, i));
  SetContents(c, output, elements);
}

Status ReadIntegers(InferenceContext* c, int input, std::string_view name, IntegerList* list) {
  if (DeclaresAttr(c, name)) {
    if (c->FindAttr(name) == nullptr) return {};
    DIMWISE_ASSIGN_OR_RETURN(const std::span<const int64_t> values,
                             c->GetAttr<std::span<const int64_t>>(name));
    list->given = list->known = true;
    list->length = static_cast<int64_t>(values.size());
    for (const int64_t v : values) list->elements.push_back(v);
    return {};
  }
  if (!c->has_input(input)) return {};
  list->given = true;
  const Shape shape = c->input(input);
  if (shape.min_rank() > 1) {
    return Error(Code::kRankMismatch, "{} reads {} as a list, so it must have rank 1; it is {}", OpName(c),
                 name, c->DebugString(shape));
  }
  if (shape.rank() == 0) list->length = 1;
  if (shape.rank() == 1 && shape[0].is_constant()) list->length = shape[0].constant();
  const Value contents = c->input_tensor(input);
  if (!contents.is_none()) list->length = contents.size();
  if (list->length > kMaxListLength) {
    return Error(Code::kContents, "{} has {} elements in {}, more than a tensor can have axes", OpName(c),
                 list->length, name);
  }
  if (contents.is_none() && list->length != 0) return {};
  list->known = true;
  for (int64_t i = 0; i < list->length; ++i) list->elements.push_back(contents.Integer(i));
  return {};
}

std::string ToText(const InferenceContext* c, const IntegerList& list) {
  std::string text = "[";
  for (const Dim d : list.elements) {
    if (text.size() > 1) text += ", ";
    text += d.is_none() ? "?" : c->DebugString(d);
  }
  return text + "]";
}

}  // namespace dimwise
