#include "dimwise/graph.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <string>

namespace dimwise {
namespace {

Unexpected NoSuch(std::string_view what, uint32_t id) {
  Diagnostic d;
  d.code = Code::kBadHandle;
  d.message = "there is no " + std::string(what) + " " + std::to_string(id) + " in the graph";
  return Unexpected(std::move(d));
}

}  // namespace

struct Graph::Tables {
  std::deque<std::string> kept;
  tsl::robin_map<std::string, OpId> ops;  // "name@version"
  tsl::robin_map<std::string, Graph*> functions;
  tsl::robin_map<uint32_t, std::vector<NodeId>> control_inputs;
  tsl::robin_map<uint32_t, std::vector<AttrReference>> references;
};

Graph::Graph(Analysis& analysis) : analysis_(&analysis), tables_(std::make_unique<Tables>()) {
  regions_.emplace_back();
  attrs_.emplace_back();
}
Graph::~Graph() = default;

std::string_view Graph::Keep(std::string_view text) { return tables_->kept.emplace_back(text); }

OpId Graph::UseOp(std::string_view full_name, int version) {
  std::string key(full_name);
  key += '@';
  key += std::to_string(version);
  const auto [it, added] = tables_->ops.insert({std::move(key), OpId{static_cast<uint32_t>(ops_.size())}});
  if (added) ops_.push_back({Keep(full_name), version});
  return it->second;
}

AttrsId Graph::AddAttrs(AttrMap attrs) {
  if (attrs.empty()) return kNoAttrs;
  attrs_.push_back(std::move(attrs));
  return AttrsId{static_cast<uint32_t>(attrs_.size() - 1)};
}

// ---- Building
// -----------------------------------------------------------------------------------------------

RegionId Graph::AddRegion(NodeId carrier, std::string_view attribute) {
  if (!Has(carrier)) return kNoRegion;
  const RegionId id{static_cast<uint32_t>(regions_.size())};
  Region& region = regions_.emplace_back();
  region.carrier = carrier;
  region.attribute = attribute;
  Node& node = nodes_[Index(carrier)];
  if (node.carries == UINT32_MAX) {
    node.carries = static_cast<uint32_t>(carried_.size());
    carried_.emplace_back();
  }
  carried_[node.carries].push_back({attribute, id});
  return id;
}

ValueId Graph::NewValue(RegionId region, std::string_view name, ValueRole role) {
  const ValueId id{static_cast<uint32_t>(values_.size())};
  ValueEntry& v = values_.emplace_back();
  v.name = name;
  v.region = region;
  v.role = role;
  return id;
}

Graph::Said& Graph::Say(ValueId value) {
  ValueEntry& v = values_[Index(value)];
  if (v.said == UINT32_MAX) {
    v.said = static_cast<uint32_t>(said_.size());
    said_.emplace_back();
  }
  return said_[v.said];
}

ValueId Graph::AddInput(RegionId region, std::string_view name, Type type) {
  region = Existing(region);
  const ValueId id = NewValue(region, name, ValueRole::kInput);
  Say(id).type = type;
  regions_[Index(region)].inputs.push_back(id);
  return id;
}

ValueId Graph::AddConstant(RegionId region, std::string_view name, Type type, Value contents) {
  region = Existing(region);
  const ValueId id = NewValue(region, name, ValueRole::kConstant);
  Said& said = Say(id);
  said.type = type;
  said.contents = contents;
  regions_[Index(region)].constants.push_back(id);
  return id;
}

ValueId Graph::AddValue(RegionId region, std::string_view name) {
  return NewValue(Existing(region), name, ValueRole::kMissing);
}

void Graph::AddOutput(RegionId region, ValueId value) {
  if (Has(value)) regions_[Index(Existing(region))].outputs.push_back(value);
}

void Graph::Link(uint32_t slot, NodeId node) {
  uses_[slot] = {node, UINT32_MAX, UINT32_MAX};
  const ValueId value = operands_[slot];
  if (value == kNoValue) return;
  uint32_t& first = values_[Index(value)].first_use;
  uses_[slot].next = first;
  if (first != UINT32_MAX) uses_[first].previous = slot;
  first = slot;
}

void Graph::Unlink(uint32_t slot) {
  const ValueId value = operands_[slot];
  if (value == kNoValue) return;
  const Use use = uses_[slot];
  if (use.previous != UINT32_MAX) {
    uses_[use.previous].next = use.next;
  } else {
    values_[Index(value)].first_use = use.next;
  }
  if (use.next != UINT32_MAX) uses_[use.next].previous = use.previous;
  operands_[slot] = kNoValue;
  uses_[slot].next = uses_[slot].previous = UINT32_MAX;
}

NodeId Graph::BeginNode(RegionId region, const NodeSpec& spec, std::span<const ValueId> operands) {
  region = Existing(region);
  const NodeId id{static_cast<uint32_t>(nodes_.size())};
  Node& node = nodes_.emplace_back();
  node.name = spec.name;
  node.op = Index(spec.op) < ops_.size() ? spec.op : UseOp("", 0);
  node.attrs = Index(spec.attrs) < attrs_.size() ? spec.attrs : kNoAttrs;
  node.position = spec.position;
  node.region = region;
  node.first_operand = static_cast<uint32_t>(operands_.size());
  node.operand_count = static_cast<uint32_t>(operands.size());
  for (const ValueId operand : operands) {
    const auto slot = static_cast<uint32_t>(operands_.size());
    operands_.push_back(Has(operand) ? operand : kNoValue);
    uses_.emplace_back();
    Link(slot, id);
    if (Has(operand) && values_[Index(operand)].role == ValueRole::kMissing) in_order_ = false;
  }
  node.first_result = static_cast<uint32_t>(results_.size());
  regions_[Index(region)].nodes.push_back(id);
  return id;
}

NodeId Graph::AddNode(RegionId region, const NodeSpec& spec, std::span<const ValueId> operands,
                      std::span<const std::string_view> results) {
  const NodeId id = BeginNode(region, spec, operands);
  nodes_[Index(id)].result_count = static_cast<uint32_t>(results.size());
  for (size_t i = 0; i < results.size(); ++i) {
    const ValueId value = NewValue(nodes_[Index(id)].region, results[i], ValueRole::kResult);
    values_[Index(value)].maker = id;
    values_[Index(value)].result_index = static_cast<uint32_t>(i);
    results_.push_back(value);
  }
  return id;
}

NodeId Graph::AddNodeFor(RegionId region, const NodeSpec& spec, std::span<const ValueId> operands,
                         std::span<const ValueId> results) {
  const NodeId id = BeginNode(region, spec, operands);
  nodes_[Index(id)].result_count = static_cast<uint32_t>(results.size());
  for (size_t i = 0; i < results.size(); ++i) {
    ValueId value = results[i];
    if (!Has(value) || values_[Index(value)].role != ValueRole::kMissing) {
      value = NewValue(nodes_[Index(id)].region, Has(value) ? values_[Index(value)].name : std::string_view(),
                       ValueRole::kResult);
    }
    ValueEntry& v = values_[Index(value)];
    v.role = ValueRole::kResult;
    v.maker = id;
    v.result_index = static_cast<uint32_t>(i);
    results_.push_back(value);
  }
  return id;
}

void Graph::Declare(ValueId value, Type type) {
  if (Has(value)) Say(value).type = type;
}

void Graph::SetContents(ValueId value, Value contents) {
  if (Has(value)) Say(value).contents = contents;
}

void Graph::AddControlEdge(NodeId before, NodeId after) {
  if (!Has(before) || !Has(after)) return;
  tables_->control_inputs[Index(after)].push_back(before);
  has_control_edges_ = true;
}

Graph* Graph::AddFunction(std::string_view full_name) {
  std::string key(full_name);
  if (const auto it = tables_->functions.find(key); it != tables_->functions.end()) return it->second;
  Graph* function = functions_.emplace_back(std::make_unique<Graph>(*analysis_)).get();
  function->set_name(function->Keep(full_name));
  tables_->functions.insert({std::move(key), function});
  return function;
}

const Graph* Graph::FindFunction(std::string_view full_name) const {
  if (functions_.empty()) return nullptr;
  const auto it = tables_->functions.find(std::string(full_name));
  return it == tables_->functions.end() ? nullptr : it->second;
}

void Graph::ReferToAttr(NodeId node, std::string_view attribute, std::string_view of_call) {
  if (Has(node)) tables_->references[Index(node)].push_back({attribute, of_call});
}

// ---- Editing
// ------------------------------------------------------------------------------------------------

Status Graph::SetOperand(NodeId node, size_t i, ValueId value) {
  if (!Has(node)) return NoSuch("node", Index(node));
  if (value != kNoValue && !Has(value)) return NoSuch("value", Index(value));
  const Node& n = nodes_[Index(node)];
  if (i >= n.operand_count) return NoSuch("operand", static_cast<uint32_t>(i));
  const auto slot = static_cast<uint32_t>(n.first_operand + i);
  Unlink(slot);
  operands_[slot] = value;
  Link(slot, node);
  in_order_ = false;
  return {};
}

Status Graph::AppendOperand(NodeId node, ValueId value) {
  if (!Has(node)) return NoSuch("node", Index(node));
  if (value != kNoValue && !Has(value)) return NoSuch("value", Index(value));
  Node& n = nodes_[Index(node)];
  if (n.first_operand + n.operand_count != operands_.size()) {  // not the last: its operands move to the end
    const auto first = static_cast<uint32_t>(operands_.size());
    for (uint32_t k = 0; k < n.operand_count; ++k) {
      const ValueId old = operands_[n.first_operand + k];
      Unlink(n.first_operand + k);
      operands_.push_back(old);
      uses_.emplace_back();
    }
    n.first_operand = first;
    for (uint32_t k = 0; k < n.operand_count; ++k) Link(first + k, node);
  }
  operands_.push_back(value);
  uses_.emplace_back();
  ++n.operand_count;
  Link(static_cast<uint32_t>(operands_.size() - 1), node);
  in_order_ = false;
  return {};
}

Status Graph::SetAttrs(NodeId node, AttrsId attrs) {
  if (!Has(node)) return NoSuch("node", Index(node));
  if (Index(attrs) >= attrs_.size()) return NoSuch("set of attributes", Index(attrs));
  nodes_[Index(node)].attrs = attrs;
  return {};
}

Status Graph::RemoveNode(NodeId node) {
  if (!Has(node)) return NoSuch("node", Index(node));
  Node& n = nodes_[Index(node)];
  for (uint32_t k = 0; k < n.operand_count; ++k) Unlink(n.first_operand + k);
  for (const ValueId result : results(node)) {
    values_[Index(result)].role = ValueRole::kMissing;
    values_[Index(result)].maker = kNoNode;
  }
  n.dead = true;
  return {};
}

// ---- Reading
// ------------------------------------------------------------------------------------------------

std::span<const Graph::Carried> Graph::regions_of(NodeId node) const {
  const uint32_t carries = nodes_[Index(node)].carries;
  return carries == UINT32_MAX ? std::span<const Carried>() : carried_[carries];
}

std::span<const Graph::AttrReference> Graph::attr_references(NodeId node) const {
  if (tables_->references.empty()) return {};
  const auto it = tables_->references.find(Index(node));
  return it == tables_->references.end() ? std::span<const AttrReference>() : it->second;
}

std::span<const NodeId> Graph::control_inputs(NodeId node) const {
  if (!has_control_edges_) return {};
  const auto it = tables_->control_inputs.find(Index(node));
  return it == tables_->control_inputs.end() ? std::span<const NodeId>() : it->second;
}

Type Graph::declared(ValueId value) const {
  const uint32_t said = values_[Index(value)].said;
  return said == UINT32_MAX ? Type() : said_[said].type;
}

Value Graph::contents(ValueId value) const {
  const uint32_t said = values_[Index(value)].said;
  return said == UINT32_MAX ? Value() : said_[said].contents;
}

RegionId Graph::parent(RegionId region) const {
  const NodeId node = carrier(region);
  return node == kNoNode ? kNoRegion : nodes_[Index(node)].region;
}

}  // namespace dimwise
