#include "cli/attr_json.h"

#include <utility>
#include <vector>

#include "dimwise/inference_context.h"

namespace dimwise {
namespace {

namespace dom = simdjson::dom;

constexpr Code kCode = Code::kBadAttribute;
constexpr int kMaxDepth = 16;
constexpr std::string_view kObjects =
    "an attribute that is an object is {\"dtype\": ...}, {\"shape\": ...}, {\"tensor\": ...} or {\"func\": "
    "...}";
constexpr std::string_view kShapeProto = "a shape is a list of sizes, null for an unknown size, or null";
constexpr std::string_view kTensor = "a tensor is {\"dtype\": ..., \"shape\": [...], \"values\": [...]}";
constexpr std::string_view kValues =
    "a tensor's values are a flat list of numbers, booleans or strings of one kind";

Result<ElementType> ReadDtypeOrNull(const JsonPath& path, dom::element json) {
  if (json.is_null()) return ElementType::kUnknown;
  return ReadDtype(path, json, kCode);
}

Result<ShapeProto> ReadShapeProto(const JsonPath& path, dom::element json) {
  ShapeProto shape;
  if (json.is_null()) {
    shape.unknown_rank = true;
    return shape;
  }
  DIMWISE_ASSIGN_OR_RETURN(const dom::array sizes, ReadList(path, json, kShapeProto, kCode));
  size_t i = 0;
  for (const dom::element size : sizes) {
    int64_t number = -1;
    const bool is_size =
        size.is_null() || (size.is_int64() && size.get(number) == simdjson::SUCCESS && number >= -1);
    if (!is_size) return WrongValue(path.Element(i), size, kShapeProto, kCode);
    shape.dims.push_back(number);
    ++i;
  }
  return shape;
}

// Reads a list, or a value as a list of one element. If one element is a float, all become floats.
Result<TensorValue::Contents> ReadTensorValues(const JsonPath& path, dom::element json) {
  std::vector<dom::element> elements;
  dom::array list;
  if (json.get(list) == simdjson::SUCCESS) {
    for (const dom::element element : list) elements.push_back(element);
  } else {
    elements.push_back(json);
  }
  std::vector<int64_t> ints;
  std::vector<double> floats;
  std::vector<std::string> texts;
  for (size_t i = 0; i < elements.size(); ++i) {
    int64_t integer = 0;
    double number = 0;
    bool truth = false;
    std::string_view text;
    if (elements[i].get(text) == simdjson::SUCCESS) {
      texts.emplace_back(text);
    } else if (elements[i].get(truth) == simdjson::SUCCESS) {
      ints.push_back(truth ? 1 : 0);
      floats.push_back(truth ? 1 : 0);
    } else if (elements[i].get(number) == simdjson::SUCCESS) {
      floats.push_back(number);
      if (elements[i].get(integer) == simdjson::SUCCESS) ints.push_back(integer);
    } else {
      return WrongValue(path.Element(i), elements[i], kValues, kCode);
    }
  }
  if (!texts.empty() && !floats.empty()) return WrongValue(path, json, kValues, kCode);
  if (!texts.empty()) return TensorValue::Contents(std::move(texts));
  if (ints.size() == elements.size()) return TensorValue::Contents(std::move(ints));
  return TensorValue::Contents(std::move(floats));
}

Result<TensorValue> ReadTensor(const JsonPath& path, dom::element json) {
  DIMWISE_ASSIGN_OR_RETURN(const dom::object fields, ReadObject(path, json, kTensor, kCode));
  TensorValue tensor;
  tensor.shape.unknown_rank = true;
  for (const auto field : fields) {
    const JsonPath inside = path.Field(field.key);
    if (field.key == "dtype") {
      DIMWISE_ASSIGN_OR_RETURN(tensor.type, ReadDtypeOrNull(inside, field.value));
    } else if (field.key == "shape") {
      DIMWISE_ASSIGN_OR_RETURN(tensor.shape, ReadShapeProto(inside, field.value));
    } else if ((field.key == "values" || field.key == "value") && !field.value.is_null()) {
      DIMWISE_ASSIGN_OR_RETURN(tensor.contents, ReadTensorValues(inside, field.value));
    }
  }
  return tensor;
}

Result<AttrValue> ReadTagged(const JsonPath& path, dom::element json, dom::object object) {
  for (const auto field : object) {
    const JsonPath inside = path.Field(field.key);
    if (field.key == "dtype" && object.size() == 1) {
      DIMWISE_ASSIGN_OR_RETURN(const ElementType type, ReadDtypeOrNull(inside, field.value));
      return type == ElementType::kUnknown ? AttrValue() : AttrValue(type);
    }
    if (field.key == "shape" && object.size() == 1) {
      DIMWISE_ASSIGN_OR_RETURN(ShapeProto shape, ReadShapeProto(inside, field.value));
      return AttrValue(std::move(shape));
    }
    if (field.key == "tensor") {
      DIMWISE_ASSIGN_OR_RETURN(TensorValue tensor, ReadTensor(inside, field.value));
      return AttrValue(std::move(tensor));
    }
    if (field.key == "func") {
      DIMWISE_ASSIGN_OR_RETURN(const std::string_view name,
                               ReadText(inside, field.value, "the name of a function is a string", kCode));
      return AttrValue(FunctionValue{std::string(name), {}});
    }
  }
  return WrongValue(path, json, kObjects, kCode);
}

Result<AttrValue> Read(const JsonPath& path, dom::element json, int depth) {
  switch (json.type()) {
    case dom::element_type::NULL_VALUE:
      return AttrValue();
    case dom::element_type::BOOL:
      return AttrValue(bool{json.get_bool().value_unsafe()});
    case dom::element_type::INT64:
      return AttrValue(int64_t{json.get_int64().value_unsafe()});
    case dom::element_type::UINT64:
      return WrongValue(path, json, "an integer in an attribute has 64 bits, one of them for the sign",
                        kCode);
    case dom::element_type::DOUBLE:
      return AttrValue(double{json.get_double().value_unsafe()});
    case dom::element_type::STRING:
      return AttrValue(std::string_view{json.get_string().value_unsafe()});
    case dom::element_type::OBJECT:
      return ReadTagged(path, json, json.get_object().value_unsafe());
    case dom::element_type::ARRAY:
      break;
  }
  if (depth == kMaxDepth) return WrongValue(path, json, "lists in an attribute are at most 16 deep", kCode);
  const dom::array list = json.get_array().value_unsafe();
  std::vector<AttrValue> elements;
  for (const dom::element element : list) {
    DIMWISE_ASSIGN_OR_RETURN(AttrValue value, Read(path.Element(elements.size()), element, depth + 1));
    elements.push_back(std::move(value));
  }
  return AttrValue::List(std::move(elements));
}

}  // namespace

Result<AttrValue> ReadAttrJson(const JsonPath& path, dom::element json) { return Read(path, json, 0); }

}  // namespace dimwise
