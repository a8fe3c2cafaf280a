#include "formats/onnx/attribute_sets.h"

#include <algorithm>

#include "formats/onnx/onnx_fields.h"

namespace dimwise {
namespace {

// Larger sets are read without asking whether there was one like it: they hold weights.
constexpr size_t kMaxShared = 512;

std::string_view Between(const char* begin, const char* end) {
  return {begin, static_cast<size_t>(end - begin)};
}

}  // namespace

AttributeSets::Key AttributeSets::KeyOf(std::string_view bytes) {
  namespace f = onnx_fields;
  const Key whole{.first = bytes};
  WireReader set(bytes);
  if (!set.Take(f::node::kAttribute)) return whole;
  const std::string_view attribute = set.bytes();
  if (attribute.end() != bytes.end()) return whole;
  WireReader a(attribute);
  if (!a.Take(f::attribute::kName)) return whole;
  const std::string_view name = a.bytes();
  if (!a.Take(f::attribute::kT)) return whole;
  const std::string_view tensor = a.bytes();
  WireReader t(tensor);
  const char* before = tensor.data();
  while (t.Take(f::tensor::kDims) || t.Take(f::tensor::kDataType)) before = t.whole().end();
  if (!t.Take(f::tensor::kName)) return whole;
  const char* behind = t.whole().end();
  const char* end = tensor.data() + tensor.size();
  return {.of_tensor = true,
          .first = name,
          .before = Between(tensor.data(), before),
          .behind = Between(behind, end),
          .rest = Between(end, attribute.data() + attribute.size())};
}

bool AttributeSets::Read(std::string_view bytes, AttrsId* id) {
  graphs_.clear();
  references_.clear();
  if (bytes.size() > kMaxShared) return ReadNew(bytes, id);
  const Key key = KeyOf(bytes);
  const uint32_t hash = key.of_tensor ? hash_(key.before) * 5 + hash_(key.behind) : hash_(key.first);
  table_.Reserve(1);
  const size_t place = table_.Probe(hash, [&](uint32_t i) { return known_[i].key == key; });
  if (const uint32_t found = table_.at(place); found != NameTable::kNone) {
    *id = known_[found].id;
    return true;
  }
  const size_t reported = source_.reported();
  if (!ReadNew(bytes, id)) return false;
  // What is wrong with a set is reported for each node that has it.
  if (graphs_.empty() && references_.empty() && source_.reported() == reported) {
    table_.Fill(place, hash, static_cast<uint32_t>(known_.size()));
    known_.push_back({key, *id});
  }
  return true;
}

bool AttributeSets::ReadNew(std::string_view bytes, AttrsId* id) {
  attributes_.clear();
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
      attributes_.push_back(std::move(attribute));
    }
  }
  if (!source_.Whole(r, "a node")) return false;
  if (!std::ranges::is_sorted(attributes_, {}, &OnnxAttribute::name)) {
    std::ranges::stable_sort(attributes_, {}, &OnnxAttribute::name);
  }
  AttrMap map;
  for (OnnxAttribute& a : attributes_) map.Set(std::string(a.name), std::move(a.value));
  *id = graph_.AddAttrs(std::move(map));
  return true;
}

}  // namespace dimwise
