// Reads attributes of the node, or their defaults, in the kind that the shape function requires.
#include "dimwise/inference_context.h"
#include "infer/error.h"

namespace dimwise {
namespace {

const AttrMap kEmptyMap;

// Returns whether a value counts as absent: null, or MXNet's text "None" for an attribute that is no string.
bool IsAbsent(const AttrValue& value, const AttrDef* def) {
  if (value.kind() == AttrKind::kNothing) return true;
  return value.kind() == AttrKind::kString && def != nullptr && def->kind != "string" && IsNothing(value);
}

Result<const AttrValue*> Demand(const InferenceContext& c, std::string_view name) {
  if (const AttrValue* value = c.FindAttr(name)) return value;
  return Error(Code::kMissingAttribute, "attribute '{}' is missing", name);
}

Unexpected WrongKind(std::string_view name, std::string_view kind, const AttrValue& value) {
  return Error(Code::kBadAttribute, "attribute '{}' must be {}, not {}", name, kind, ToString(value));
}

template <typename T>
Status Read(const InferenceContext& c, std::string_view name, std::string_view kind,
            std::optional<T> (*as)(const AttrValue&), T* out) {
  DIMWISE_ASSIGN_OR_RETURN(const AttrValue* value, Demand(c, name));
  std::optional<T> read = as(*value);
  if (!read) return WrongKind(name, kind, *value);
  *out = std::move(*read);
  return {};
}

template <typename T>
Status Read(const InferenceContext& c, std::string_view name, std::string_view kind,
            const T* (*as)(const AttrValue&), const T** out) {
  DIMWISE_ASSIGN_OR_RETURN(const AttrValue* value, Demand(c, name));
  *out = as(*value);
  if (*out == nullptr) return WrongKind(name, kind, *value);
  return {};
}

std::optional<std::string> AsOwnString(const AttrValue& value) {
  const std::optional<std::string_view> text = AsString(value);
  return text ? std::optional(std::string(*text)) : std::nullopt;
}

}  // namespace

const AttrMap& InferenceContext::attrs() const { return node_.attrs != nullptr ? *node_.attrs : kEmptyMap; }

const AttrValue* InferenceContext::FindAttr(std::string_view name) const {
  const AttrValue* value = node_.attrs != nullptr ? node_.attrs->Find(name) : nullptr;
  if (value != nullptr && value->kind() != AttrKind::kNothing && value->kind() != AttrKind::kString)
    return value;
  const AttrDef* def = node_.op != nullptr ? dimwise::FindAttr(*node_.op, name) : nullptr;
  if (value != nullptr && !IsAbsent(*value, def)) return value;
  return def != nullptr && def->default_value ? &*def->default_value : nullptr;
}

Status InferenceContext::ReadAttr(std::string_view name, int64_t* out) {
  return Read(*this, name, "an int", AsInt, out);
}
Status InferenceContext::ReadAttr(std::string_view name, double* out) {
  return Read(*this, name, "a float", AsFloat, out);
}
Status InferenceContext::ReadAttr(std::string_view name, bool* out) {
  return Read(*this, name, "a bool", AsBool, out);
}
Status InferenceContext::ReadAttr(std::string_view name, std::string_view* out) {
  return Read(*this, name, "a string", AsString, out);
}
Status InferenceContext::ReadAttr(std::string_view name, std::string* out) {
  return Read(*this, name, "a string", AsOwnString, out);
}
Status InferenceContext::ReadAttr(std::string_view name, ElementType* out) {
  return Read(*this, name, "a type", AsType, out);
}
Status InferenceContext::ReadAttr(std::string_view name, ShapeProto* out) {
  return Read(*this, name, "a shape", AsShape, out);
}
Status InferenceContext::ReadAttr(std::string_view name, const TensorValue** out) {
  return Read(*this, name, "a tensor", AsTensor, out);
}
Status InferenceContext::ReadAttr(std::string_view name, const FunctionValue** out) {
  return Read(*this, name, "a function", AsFunction, out);
}
Status InferenceContext::ReadAttr(std::string_view name, const AttrValue** out) {
  DIMWISE_ASSIGN_OR_RETURN(*out, Demand(*this, name));
  return {};
}

// Returns a view if the attribute is a list of ints. A list converted from a text or a single int is stored
// in the context.
Status InferenceContext::ReadAttr(std::string_view name, std::span<const int64_t>* out) {
  DIMWISE_ASSIGN_OR_RETURN(const AttrValue* value, Demand(*this, name));
  if (const AttrValue::Ints* ints = value->get_if<AttrValue::Ints>()) {
    *out = *ints;
    return {};
  }
  auto converted = std::make_unique<AttrValue::Ints>();
  DIMWISE_RETURN_IF_ERROR(ReadAttr(name, converted.get()));
  *out = *converted_ints_.emplace_back(std::move(converted));
  return {};
}
Status InferenceContext::ReadAttr(std::string_view name, std::vector<int64_t>* out) {
  const AttrDef* def = node_.op != nullptr ? dimwise::FindAttr(*node_.op, name) : nullptr;
  if (def != nullptr && def->or_single)
    return Read(*this, name, "an int or a list of ints", AsIntsOrInt, out);
  return Read<std::vector<int64_t>>(*this, name, "a list of ints", AsInts, out);
}
Status InferenceContext::ReadAttr(std::string_view name, std::vector<double>* out) {
  return Read(*this, name, "a list of floats", AsFloats, out);
}
Status InferenceContext::ReadAttr(std::string_view name, std::vector<bool>* out) {
  return Read(*this, name, "a list of bools", AsBools, out);
}
Status InferenceContext::ReadAttr(std::string_view name, std::vector<std::string>* out) {
  return Read(*this, name, "a list of strings", AsStrings, out);
}
Status InferenceContext::ReadAttr(std::string_view name, std::vector<ElementType>* out) {
  return Read(*this, name, "a list of types", AsTypes, out);
}
Status InferenceContext::ReadAttr(std::string_view name, std::vector<ShapeProto>* out) {
  return Read(*this, name, "a list of shapes", AsShapes, out);
}

}  // namespace dimwise
