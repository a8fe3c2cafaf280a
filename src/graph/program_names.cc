#include "graph/program_names.h"

namespace dimwise {

ProgramNames::ProgramNames(const Graph& graph) : graph_(graph) {
  node_names_.reserve(graph.node_count());
  for (uint32_t i = 0; i < graph.node_count(); ++i) {
    const NodeId node{i};
    if (!graph.Has(node) || graph.name(node).empty()) continue;
    const auto [it, added] = node_names_.insert({graph.name(node), false});
    if (!added) it.value() = true;
  }
  prefixes_.resize(graph.region_count());
  for (uint32_t r = 1; r < graph.region_count(); ++r) {  // a region comes after the one around it
    const RegionId region{r};
    if (graph.carrier(region) == kNoNode) continue;
    prefixes_[r] = prefixes_[Index(graph.region(graph.carrier(region)))] + Local(graph.carrier(region));
    prefixes_[r] += '.';
    prefixes_[r] += graph.attribute(region);
    prefixes_[r] += '/';
  }
  values_.resize(graph.region_count());
  for (uint32_t i = 0; i < graph.value_count(); ++i) {
    const ValueId value{i};
    if (graph.name(value).empty() || graph.role(value) == ValueRole::kMissing) continue;
    values_[Index(graph.region(value))].insert_or_assign(graph.name(value), value);
  }
}

bool ProgramNames::IsUnique(NodeId node) const {
  const auto it = node_names_.find(graph_.name(node));
  return it != node_names_.end() && !it->second;
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
    const auto it = values_[r].find(name.substr(prefixes_[r].size()));
    if (it != values_[r].end()) return it->second;
  }
  return kNoValue;
}

bool ProgramNames::Speaks(ValueId value) const {
  const auto& names = values_[Index(graph_.region(value))];
  const auto it = names.find(graph_.name(value));
  return it != names.end() && it->second == value;
}

std::string_view ShortName(std::string_view full_op_name) {
  return full_op_name.substr(full_op_name.rfind('.') + 1);
}

}  // namespace dimwise
