#include "formats/onnx/attribute_reader.h"

#include <fmt/format.h>

#include "formats/onnx/onnx_fields.h"

namespace dimwise {
namespace {

using Kind = onnx_fields::AttributeType;

// No operator reads lists or texts of more than this; they would take a multiple of the file's size.
constexpr size_t kMaxElements = size_t{1} << 22;
constexpr size_t kMaxText = size_t{1} << 24;

// The fields as they come; which of them counts, the type says.
struct Fields {
  float f = 0;
  int64_t i = 0;
  std::string_view s, t, sparse, type_proto;
  std::vector<double> floats;
  std::vector<int64_t> ints;
  std::vector<std::string_view> strings, tensors, sparse_tensors;
};

bool ReadFloats(ModelSource& source, std::string_view packed, std::vector<double>* floats) {
  if (packed.size() % 4 != 0) {
    source.Damage(source.OffsetOf(packed.data()), "an attribute", "a list of floats ends inside of one");
    return false;
  }
  const size_t room = floats->size() <= kMaxElements ? kMaxElements + 1 - floats->size() : 0;
  AppendFloats(packed.substr(0, room * 4), floats);
  return true;
}

bool AppendInts(ModelSource& source, std::string_view packed, std::vector<int64_t>* ints) {
  WireReader list(packed);
  uint64_t number = 0;
  while (ints->size() <= kMaxElements && list.NextVarint(&number)) {
    ints->push_back(static_cast<int64_t>(number));
  }
  return source.Whole(list, "an attribute");
}

bool ReadTensors(ModelSource& source, const std::vector<std::string_view>& tensors, bool sparse,
                 std::vector<TensorValue>* values) {
  TensorReader reader(source);
  for (const std::string_view bytes : tensors) {
    if (!(sparse ? reader.ReadSparse(bytes) : reader.Read(bytes))) return false;
    values->push_back(reader.ToAttribute());
  }
  return true;
}

// Of a type as an attribute only the element type is kept.
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

// Whether the part of the attribute that counts is longer than what is read of one.
bool IsTooLong(Kind kind, const Fields& fields) {
  switch (kind) {
    case Kind::kString:
      return fields.s.size() > kMaxText;
    case Kind::kFloats:
      return fields.floats.size() > kMaxElements;
    case Kind::kInts:
      return fields.ints.size() > kMaxElements;
    case Kind::kStrings: {
      size_t length = 0;
      for (const std::string_view s : fields.strings) length += s.size();
      return fields.strings.size() > kMaxElements || length > kMaxText;
    }
    default:
      return fields.tensors.size() > kMaxElements || fields.sparse_tensors.size() > kMaxElements;
  }
}

bool SetValue(ModelSource& source, Kind kind, Fields& fields, AttrValue* value) {
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
      *value = std::move(fields.floats);
      return true;
    case Kind::kInts:
      *value = std::move(fields.ints);
      return true;
    case Kind::kStrings:
      *value = AttrValue::Strings(fields.strings.begin(), fields.strings.end());
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

}  // namespace

bool ReadAttribute(ModelSource& source, std::string_view bytes, OnnxAttribute* attribute) {
  namespace f = onnx_fields::attribute;
  Fields fields;
  uint64_t type = 0;
  Kind seen = Kind::kUndefined;  // files of the first IR versions do not say the type
  WireReader r(bytes);
  while (r.Next()) {
    switch (r.tag()) {
      case f::kName:
        attribute->name = r.bytes();
        break;
      case f::kRefAttrName:
        attribute->reference = r.bytes();
        break;
      case f::kType:
        type = r.number();
        break;
      case f::kF:
        fields.f = r.float32();
        seen = Kind::kFloat;
        break;
      case f::kI:
        fields.i = r.integer();
        seen = Kind::kInt;
        break;
      case f::kS:
        fields.s = r.bytes();
        seen = Kind::kString;
        break;
      case f::kT:
        fields.t = r.bytes();
        seen = Kind::kTensor;
        break;
      case f::kG:
        attribute->graphs.assign(1, r.bytes());
        seen = Kind::kGraph;
        break;
      case f::kGraphs:
        attribute->graphs.push_back(r.bytes());
        attribute->list_of_graphs = true;
        seen = Kind::kGraphs;
        break;
      case f::kFloats:
        if (fields.floats.size() <= kMaxElements) fields.floats.push_back(r.float32());
        seen = Kind::kFloats;
        break;
      case f::kFloatsPacked:
        if (!ReadFloats(source, r.bytes(), &fields.floats)) return false;
        seen = Kind::kFloats;
        break;
      case f::kInts:
        if (fields.ints.empty()) fields.ints.reserve(4);
        if (fields.ints.size() <= kMaxElements) fields.ints.push_back(r.integer());
        seen = Kind::kInts;
        break;
      case f::kIntsPacked:
        if (!AppendInts(source, r.bytes(), &fields.ints)) return false;
        seen = Kind::kInts;
        break;
      case f::kStrings:
        if (fields.strings.size() <= kMaxElements) fields.strings.push_back(r.bytes());
        seen = Kind::kStrings;
        break;
      case f::kTensors:
        if (fields.tensors.size() <= kMaxElements) fields.tensors.push_back(r.bytes());
        seen = Kind::kTensors;
        break;
      case f::kTp:
        fields.type_proto = r.bytes();
        seen = Kind::kTypeProto;
        break;
      case f::kSparseTensor:
        fields.sparse = r.bytes();
        seen = Kind::kSparseTensor;
        break;
      case f::kSparseTensors:
        if (fields.sparse_tensors.size() <= kMaxElements) fields.sparse_tensors.push_back(r.bytes());
        seen = Kind::kSparseTensors;
        break;
      default:
        break;
    }
  }
  if (!source.Whole(r, "an attribute")) return false;
  if (type > static_cast<uint64_t>(Kind::kTypeProtos)) {
    source.Report(Severity::kError, Code::kBadModel,
                  fmt::format("attribute '{}' has type {}, which ONNX does not have", attribute->name, type));
  } else if (type != 0) {
    seen = static_cast<Kind>(type);
  }
  if (seen != Kind::kGraph && seen != Kind::kGraphs) attribute->graphs.clear();
  if (!attribute->reference.empty()) {
    attribute->graphs.clear();
    return true;
  }
  if (IsTooLong(seen, fields)) {
    source.Report(Severity::kWarning, Code::kBadModel,
                  fmt::format("attribute '{}' has {} bytes, and is not read", attribute->name, bytes.size()));
    attribute->value = TensorValue();  // something, but of no kind that an operator could take it for
    return true;
  }
  return SetValue(source, seen, fields, &attribute->value);
}

}  // namespace dimwise
