#include "formats/onnx/attribute_sets.h"

#include <bit>
#include <utility>

#include "core/base/hash_mix.h"
#include "core/base/same_bytes.h"
#include "formats/onnx/onnx_fields.h"

namespace dimwise {
namespace {

// Larger sets contain weights, so they are not looked up.
constexpr size_t kMaxShared = 512;
// The field `type: TENSOR`, which may follow the tensor of an attribute.
constexpr std::string_view kTypeIsTensor = "\xa0\x01\x04";

}  // namespace

std::optional<AttributeSets::OnlyTensor> AttributeSets::FindOnlyTensor(std::string_view bytes) {
  namespace f = onnx_fields;
  WireReader set(bytes);
  if (!set.Take(f::node::kAttribute)) return std::nullopt;
  const std::string_view attribute = set.bytes();
  WireReader a(attribute);
  if (!a.Take(f::attribute::kName)) return std::nullopt;
  const std::string_view name = a.bytes();
  if (!a.Take(f::attribute::kT)) return std::nullopt;
  const std::string_view rest = attribute.substr(static_cast<size_t>(a.bytes().end() - attribute.begin()));
  if (!rest.empty() && rest != kTypeIsTensor) return std::nullopt;
  return OnlyTensor{name, a.bytes()};
}

bool AttributeSets::Read(std::string_view bytes, size_t count, AttrsId* id) {
  graphs_.clear();
  references_.clear();
  if (count == 1) {
    if (const std::optional<OnlyTensor> only = FindOnlyTensor(bytes)) return ReadTensor(*only, id);
  }
  if (bytes.size() > kMaxShared) return ReadNew(bytes, id);
  const uint32_t hash = hash_(bytes);
  table_.Reserve(1);
  const size_t place = table_.Probe(hash, [&](uint32_t i) { return SameBytes(known_[i].bytes, bytes); });
  if (const uint32_t found = table_.at(place); found != NameTable::kNone) {
    *id = known_[found].id;
    return true;
  }
  const size_t reported = source_.reported();
  if (!ReadNew(bytes, id)) return false;
  // A set with findings is not cached, so that they are reported for each node.
  if (graphs_.empty() && references_.empty() && source_.reported() == reported) {
    table_.Fill(place, hash, static_cast<uint32_t>(known_.size()));
    known_.push_back({bytes, *id});
  }
  return true;
}

// Omits the contents in the same cases as ToAttribute.
bool AttributeSets::ReadTensor(const OnlyTensor& only, AttrsId* id) {
  if (!tensors_.Read(only.tensor)) return false;
  if (!tensors_.is_of_numbers()) {
    *id = graph_.AddAttrs({{std::string(only.attribute), tensors_.ToAttribute()}});
    return true;
  }
  const Type type = tensors_.type();
  Value contents;
  if (tensors_.is_small()) contents = tensors_.ToValue(graph_);
  *id = IdOfTensor({only.attribute, type, contents});
  return true;
}

// Small contents that are equal share one Value, so comparing handles suffices.
AttrsId AttributeSets::IdOfTensor(const Graph::TensorAttr& tensor) {
  if (tensor.contents.is_none()) return graph_.AddTensorAttr(tensor);
  const uint64_t handle = std::bit_cast<uintptr_t>(tensor.contents);
  const auto hash = static_cast<uint32_t>(Mix(handle ^ uint64_t{hash_(tensor.attribute)} << 32));
  table_of_tensors_.Reserve(1);
  const size_t place = table_of_tensors_.Probe(hash, [&](uint32_t i) {
    const Graph::TensorAttr& known = graph_.tensor_attr(known_tensors_[i]);
    return known.contents == tensor.contents && known.type == tensor.type &&
           SameBytes(known.attribute, tensor.attribute);
  });
  if (const uint32_t known = table_of_tensors_.at(place); known != NameTable::kNone)
    return known_tensors_[known];
  const AttrsId id = graph_.AddTensorAttr(tensor);
  table_of_tensors_.Fill(place, hash, static_cast<uint32_t>(known_tensors_.size()));
  known_tensors_.push_back(id);
  return id;
}

bool AttributeSets::ReadNew(std::string_view bytes, AttrsId* id) {
  std::vector<AttrEntry> entries;
  entries.reserve(8);
  WireReader r(bytes);
  while (r.Next()) {
    if (r.tag() != onnx_fields::node::kAttribute) continue;
    OnnxAttribute attribute;
    if (!ReadAttribute(source_, r.bytes(), &attribute)) return false;
    if (!attribute.reference.empty()) {
      references_.push_back(std::move(attribute));
    } else if (!attribute.graphs.empty()) {
      graphs_.push_back(std::move(attribute));
    } else {
      entries.push_back({std::string(attribute.name), std::move(attribute.value)});
    }
  }
  if (!source_.Whole(r, "a node")) return false;
  AttrMap map = AttrMap::Of(std::move(entries));
  *id = bytes.size() > kMaxShared ? graph_.AddAttrs(std::move(map)) : graph_.AddOwnAttrs(std::move(map));
  return true;
}

}  // namespace dimwise
