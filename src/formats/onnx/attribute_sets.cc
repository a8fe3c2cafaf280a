#include "formats/onnx/attribute_sets.h"

#include "formats/onnx/onnx_fields.h"

namespace dimwise {
namespace {

// Larger sets are read without asking whether there was one like it: they hold weights.
constexpr size_t kMaxShared = 512;
// What follows the tensor of an attribute that says no more than what type it has.
constexpr std::string_view kTypeIsTensor = "\xa0\x01\x04";

std::string_view Between(const char* begin, const char* end) {
  return {begin, static_cast<size_t>(end - begin)};
}

}  // namespace

std::optional<AttributeSets::OnlyTensor> AttributeSets::FindOnlyTensor(std::string_view bytes) {
  namespace f = onnx_fields;
  WireReader set(bytes);
  if (!set.Take(f::node::kAttribute)) return std::nullopt;
  const std::string_view attribute = set.bytes();
  WireReader a(attribute);
  if (attribute.end() != bytes.end() || !a.Take(f::attribute::kName)) return std::nullopt;
  const std::string_view name = a.bytes();
  if (!a.Take(f::attribute::kT)) return std::nullopt;
  const std::string_view tensor = a.bytes();
  return OnlyTensor{name, tensor, Between(tensor.end(), attribute.end())};
}

AttributeSets::Key AttributeSets::KeyOf(std::string_view bytes, const std::optional<OnlyTensor>& only) {
  namespace f = onnx_fields::tensor;
  const Key whole{.first = bytes};
  if (!only) return whole;
  WireReader t(only->tensor);
  const char* before = only->tensor.begin();
  while (t.Take(f::kDims) || t.Take(f::kDataType)) before = t.whole().end();
  if (!t.Take(f::kName)) return whole;
  return {.of_tensor = true,
          .first = only->attribute,
          .before = Between(only->tensor.begin(), before),
          .behind = Between(t.whole().end(), only->tensor.end()),
          .rest = only->rest};
}

uint32_t AttributeSets::HashOf(const Key& key) const {
  if (!key.of_tensor) return hash_(key.first);
  // What follows the tensor lies next to what is behind its name.
  const std::string_view end = Between(key.behind.begin(), key.rest.end());
  return (hash_(key.first) * 5 + hash_(key.before)) * 5 + hash_(end);
}

bool AttributeSets::Read(std::string_view bytes, AttrsId* id) {
  graphs_.clear();
  references_.clear();
  const std::optional<OnlyTensor> only = FindOnlyTensor(bytes);
  if (bytes.size() > kMaxShared) return ReadNew(bytes, only, id);
  const Key key = KeyOf(bytes, only);
  const uint32_t hash = HashOf(key);
  table_.Reserve(1);
  const size_t place = table_.Probe(hash, [&](uint32_t i) { return known_[i].key == key; });
  if (const uint32_t found = table_.at(place); found != NameTable::kNone) {
    *id = known_[found].id;
    return true;
  }
  const size_t reported = source_.reported();
  if (!ReadNew(bytes, only, id)) return false;
  // What is wrong with a set is reported for each node that has it.
  if (graphs_.empty() && references_.empty() && source_.reported() == reported) {
    table_.Fill(place, hash, static_cast<uint32_t>(known_.size()));
    known_.push_back({key, *id});
  }
  return true;
}

// Contents are left out where ToAttribute leaves them out.
bool AttributeSets::ReadTensor(const OnlyTensor& only, AttrsId* id) {
  if (!tensors_.Read(only.tensor)) return false;
  if (!tensors_.is_of_numbers()) {
    *id = graph_.AddAttrs({{std::string(only.attribute), tensors_.ToAttribute()}});
    return true;
  }
  Value contents;
  if (tensors_.is_small()) contents = tensors_.ToValue(graph_);
  *id = graph_.AddTensorAttr({only.attribute, tensors_.type(), contents});
  return true;
}

bool AttributeSets::ReadNew(std::string_view bytes, const std::optional<OnlyTensor>& only, AttrsId* id) {
  if (only && (only->rest.empty() || only->rest == kTypeIsTensor)) return ReadTensor(*only, id);
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
