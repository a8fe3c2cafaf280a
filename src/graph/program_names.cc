#include "graph/program_names.h"

namespace dimwise {

ProgramNames::ProgramNames(const Graph& graph, bool distinct_values)
    : graph_(graph), distinct_values_(distinct_values) {
  prefixes_.resize(graph.region_count());
  for (uint32_t r = 1; r < graph.region_count(); ++r) {  // a region comes after the one around it
    const RegionId region{r};
    if (graph.carrier(region) == kNoNode) continue;
    prefixes_[r] = prefixes_[Index(graph.region(graph.carrier(region)))] + Local(graph.carrier(region));
    prefixes_[r] += '.';
    prefixes_[r] += graph.attribute(region);
    prefixes_[r] += '/';
  }
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

ValueId ProgramNames::FindValue(std::string_view name) const {
  for (uint32_t r = 0; r < prefixes_.size(); ++r) {
    if (!name.starts_with(prefixes_[r])) continue;
    const auto& names = values()[r];
    const auto it = names.find(name.substr(prefixes_[r].size()));
    if (it != names.end()) return it->second;
  }
  return kNoValue;
}

std::vector<ValueId> ProgramNames::FindInside(std::string_view name) const {
  std::vector<ValueId> found;
  for (const auto& names : values()) {
    const auto it = names.find(name);
    if (it != names.end()) found.push_back(it->second);
  }
  return found;
}

bool ProgramNames::Speaks(ValueId value) const {
  if (graph_.name(value).empty() || graph_.role(value) == ValueRole::kMissing) return false;
  if (distinct_values_) return true;
  const auto& names = values()[Index(graph_.region(value))];
  const auto it = names.find(graph_.name(value));
  return it != names.end() && it->second == value;
}

}  // namespace dimwise
