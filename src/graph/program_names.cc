#include "graph/program_names.h"

#include <algorithm>
#include <utility>

namespace dimwise {

namespace {

// FNV-1a in a form that can be continued.
constexpr uint64_t kHashOfNothing = 0xcbf29ce484222325u;
uint64_t HashOn(uint64_t hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace

std::string ProgramNames::Prefix(RegionId region) const {
  std::vector<RegionId> around;  // innermost first
  for (; graph_.carrier(region) != kNoNode; region = graph_.region(graph_.carrier(region)))
    around.push_back(region);
  std::string prefix;
  for (; !around.empty(); around.pop_back()) {
    prefix += Local(graph_.carrier(around.back()));
    prefix += '.';
    prefix += graph_.attribute(around.back());
    prefix += '/';
  }
  return prefix;
}

const std::vector<ProgramNames::PrefixHash>& ProgramNames::prefix_hashes() const {
  if (prefix_hashes_) return *prefix_hashes_;
  std::vector<PrefixHash>& hashes = prefix_hashes_.emplace();
  hashes.reserve(graph_.region_count());
  NodeId last = kNoNode;  // regions of one carrier are usually adjacent
  uint64_t hash_to_last = 0;
  for (uint32_t r = 0; r < graph_.region_count(); ++r) {  // a region comes after its enclosing region
    const RegionId region{r};
    uint64_t hash = kHashOfNothing;
    if (const NodeId carrier = graph_.carrier(region); carrier != kNoNode) {
      if (std::exchange(last, carrier) != carrier)
        hash_to_last = HashOn(hashes[Index(graph_.region(carrier))].hash, Local(carrier) + '.');
      hash = HashOn(HashOn(hash_to_last, graph_.attribute(region)), "/");
    }
    hashes.push_back({hash, region});
  }
  std::ranges::sort(hashes);
  return hashes;
}

const ProgramNames::NodeNames& ProgramNames::node_names() const {
  if (node_names_) return *node_names_;
  node_names_.emplace().reserve(graph_.node_count());
  for (uint32_t i = 0; i < graph_.node_count(); ++i) {
    const NodeId node{i};
    if (!graph_.Has(node) || graph_.name(node).empty()) continue;
    const auto [it, added] = node_names_->insert({graph_.name(node), false});
    if (!added) it.value() = true;
  }
  return *node_names_;
}

const ProgramNames::ValueNames& ProgramNames::values() const {
  if (values_) return *values_;
  values_.emplace(graph_.region_count());
  for (uint32_t i = 0; i < graph_.value_count(); ++i) {
    const ValueId value{i};
    if (graph_.name(value).empty() || graph_.role(value) == ValueRole::kMissing) continue;
    (*values_)[Index(graph_.region(value))].insert_or_assign(graph_.name(value), value);
  }
  return *values_;
}

bool ProgramNames::IsUnique(NodeId node) const {
  const auto it = node_names().find(graph_.name(node));
  return it != node_names().end() && !it->second;
}

std::string ProgramNames::Local(NodeId node) const {
  return IsUnique(node) ? std::string(graph_.name(node)) : "#" + std::to_string(graph_.position(node));
}

std::string ProgramNames::Node(NodeId node) const {
  return IsUnique(node) ? std::string(graph_.name(node)) : Prefix(graph_.region(node)) + Local(node);
}

std::string ProgramNames::Value(ValueId value) const {
  std::string name = Prefix(graph_.region(value));
  name += graph_.name(value);
  return name;
}

// A prefix ends with a slash, but names can contain slashes, so each prefix of the name up to a slash is
// tried.
ValueId ProgramNames::FindValue(std::string_view name) const {
  ValueId first = kNoValue;
  uint64_t hash = kHashOfNothing;
  for (size_t end = 0; end <= name.size(); ++end) {
    if (end > 0) hash = HashOn(hash, name.substr(end - 1, 1));
    if (end > 0 && name[end - 1] != '/') continue;
    auto prefix = std::ranges::lower_bound(prefix_hashes(), hash, {}, &PrefixHash::hash);
    for (; prefix != prefix_hashes().end() && prefix->hash == hash; ++prefix) {
      const auto& names = values()[Index(prefix->region)];
      const auto it = names.find(name.substr(end));
      if (it == names.end() || Prefix(prefix->region) != name.substr(0, end)) continue;
      if (first == kNoValue || prefix->region < graph_.region(first)) first = it->second;
    }
  }
  return first;
}

std::vector<ValueId> ProgramNames::FindInside(std::string_view name) const {
  std::vector<ValueId> found;
  for (const auto& names : values()) {
    const auto it = names.find(name);
    if (it != names.end()) found.push_back(it->second);
  }
  return found;
}

bool ProgramNames::IsReported(ValueId value) const {
  if (graph_.name(value).empty() || graph_.role(value) == ValueRole::kMissing) return false;
  if (distinct_values_) return true;
  const auto& names = values()[Index(graph_.region(value))];
  const auto it = names.find(graph_.name(value));
  return it != names.end() && it->second == value;
}

}  // namespace dimwise
