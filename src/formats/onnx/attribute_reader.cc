#include "formats/onnx/attribute_reader.h"

#include <fmt/format.h>

#include "formats/onnx/attribute_lists.h"
#include "formats/onnx/onnx_fields.h"

namespace dimwise {
namespace {

using Kind = onnx_fields::AttributeType;

// The greatest length of a string attribute, and the greatest number of tensors in one attribute. Beyond them
// the attribute is not read: its copy in memory would take several times the size of the file.
constexpr size_t kMaxText = size_t{1} << 24;
constexpr size_t kMaxTensors = size_t{1} << 22;

// The fields in any order. The type of the attribute selects one of them.
struct Fields {
  Kind seen = Kind::kUndefined;  // the kind of the last value; the first IR versions have no field for it
  uint64_t type = 0;             // the declared kind; 0: none
  float f = 0;
  int64_t i = 0;
  std::string_view s, t, sparse, type_proto;
  AttributeLists lists;
  std::vector<std::string_view> tensors, sparse_tensors;
};

bool ReadTensors(ModelSource& source, const std::vector<std::string_view>& tensors, bool sparse,
                 std::vector<TensorValue>* values) {
  TensorReader reader(source);
  for (const std::string_view bytes : tensors) {
    if (!(sparse ? reader.ReadSparse(bytes) : reader.Read(bytes))) return false;
    values->push_back(reader.ToAttribute());
  }
  return true;
}

// Reads a type. Only its element type is kept.
bool ReadTypeProto(ModelSource& source, std::string_view bytes, AttrValue* value) {
  Type type;
  TypeReader reader(source);
  if (!reader.ReadClaim(
          bytes, "an attribute", [] { return std::string(); }, &type))
    return false;
  while (type.container != nullptr && !type.container->elements.empty()) type = type.container->elements[0];
  *value = type.element;
  return true;
}

bool IsTooLong(Kind kind, const Fields& fields) {
  if (kind == Kind::kString) return fields.s.size() > kMaxText;
  return fields.tensors.size() > kMaxTensors || fields.sparse_tensors.size() > kMaxTensors;
}

bool SetValue(ModelSource& source, Kind kind, std::string_view bytes, Fields& fields, AttrValue* value) {
  switch (kind) {
    case Kind::kFloat:
      *value = fields.f;
      return true;
    case Kind::kInt:
      *value = fields.i;
      return true;
    case Kind::kString:
      *value = fields.s;
      return true;
    case Kind::kFloats:
    case Kind::kInts:
    case Kind::kStrings:
      *value = fields.lists.ToValue(kind, bytes);
      return true;
    case Kind::kTensor:
    case Kind::kSparseTensor: {
      const bool sparse = kind == Kind::kSparseTensor;
      TensorReader tensor(source);
      if (!(sparse ? tensor.ReadSparse(fields.sparse) : tensor.Read(fields.t))) return false;
      *value = tensor.ToAttribute();
      return true;
    }
    case Kind::kTensors:
    case Kind::kSparseTensors: {
      const bool sparse = kind == Kind::kSparseTensors;
      std::vector<TensorValue> tensors;
      if (!ReadTensors(source, sparse ? fields.sparse_tensors : fields.tensors, sparse, &tensors))
        return false;
      *value = std::move(tensors);
      return true;
    }
    case Kind::kTypeProto:
      return ReadTypeProto(source, fields.type_proto, value);
    case Kind::kGraph:
    case Kind::kGraphs:
    case Kind::kTypeProtos:
    case Kind::kUndefined:
      return true;
  }
  return true;
}

// Reads all fields without interpreting them.
void ReadFields(WireReader* r, OnnxAttribute* attribute, Fields* fields) {
  namespace f = onnx_fields::attribute;
  while (r->Next()) {
    switch (r->tag()) {
      case f::kName:
        attribute->name = r->bytes();
        break;
      case f::kRefAttrName:
        attribute->reference = r->bytes();
        break;
      case f::kType:
        fields->type = r->number();
        break;
      case f::kF:
        fields->f = r->float32();
        fields->seen = Kind::kFloat;
        break;
      case f::kI:
        fields->i = r->integer();
        fields->seen = Kind::kInt;
        break;
      case f::kS:
        fields->s = r->bytes();
        fields->seen = Kind::kString;
        break;
      case f::kT:
        fields->t = r->bytes();
        fields->seen = Kind::kTensor;
        break;
      case f::kG:
        attribute->graphs.assign(1, r->bytes());
        fields->seen = Kind::kGraph;
        break;
      case f::kGraphs:
        attribute->graphs.push_back(r->bytes());
        attribute->list_of_graphs = true;
        fields->seen = Kind::kGraphs;
        break;
      case f::kTensors:
        if (fields->tensors.size() <= kMaxTensors) fields->tensors.push_back(r->bytes());
        fields->seen = Kind::kTensors;
        break;
      case f::kTp:
        fields->type_proto = r->bytes();
        fields->seen = Kind::kTypeProto;
        break;
      case f::kSparseTensor:
        fields->sparse = r->bytes();
        fields->seen = Kind::kSparseTensor;
        break;
      case f::kSparseTensors:
        if (fields->sparse_tensors.size() <= kMaxTensors) fields->sparse_tensors.push_back(r->bytes());
        fields->seen = Kind::kSparseTensors;
        break;
      default:
        if (const Kind list = fields->lists.Take(*r); list != Kind::kUndefined) fields->seen = list;
        break;
    }
  }
}

}  // namespace

bool ReadAttribute(ModelSource& source, std::string_view bytes, OnnxAttribute* attribute) {
  Fields fields;
  WireReader r(bytes);
  ReadFields(&r, attribute, &fields);
  if (!source.Whole(r, "an attribute") || !fields.lists.Whole(source)) return false;
  if (fields.type > static_cast<uint64_t>(Kind::kTypeProtos)) {
    source.Report(
        Severity::kError, Code::kBadModel,
        fmt::format("attribute '{}' has type {}, which ONNX does not have", attribute->name, fields.type));
  } else if (fields.type != 0) {
    fields.seen = static_cast<Kind>(fields.type);
  }
  if (fields.seen != Kind::kGraph && fields.seen != Kind::kGraphs) attribute->graphs.clear();
  if (!attribute->reference.empty()) {
    attribute->graphs.clear();
    return true;
  }
  if (IsTooLong(fields.seen, fields)) {
    source.Report(Severity::kWarning, Code::kBadModel,
                  fmt::format("attribute '{}' has {} bytes, and is not read", attribute->name, bytes.size()));
    attribute->value = TensorValue();  // a value whose kind no operator accepts
    return true;
  }
  return SetValue(source, fields.seen, bytes, fields, &attribute->value);
}

}  // namespace dimwise
