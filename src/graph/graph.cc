#include "dimwise/graph.h"
#include "core/base/failure.h"

#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include <algorithm>
#include <string>

#include "core/base/hash_mix.h"
#include "core/values/value_numbers.h"

namespace dimwise {

struct Graph::Tables {
  struct OpKey {
    std::string_view name;
    int version = 0;
    bool operator==(const OpKey&) const = default;
  };
  struct HashOp {
    size_t operator()(const OpKey& key) const {
      return HashMix(HashText(key.name), static_cast<uint64_t>(key.version));
    }
  };

  std::deque<std::string> kept;
  tsl::robin_map<OpKey, OpId, HashOp> ops;
  tsl::robin_map<uint64_t, AttrsId> attrs;  // by hash; on a collision, the later set has the next free hash
  tsl::robin_map<std::string_view, Graph*> functions;
  tsl::robin_map<uint32_t, std::vector<NodeId>> control_inputs;
  tsl::robin_map<uint32_t, std::vector<AttrReference>> references;
  tsl::robin_map<uint32_t, AttrsId> value_attrs;
  tsl::robin_set<uint32_t> defaults;  // inputs with a default
};

Graph::Graph(Analysis& analysis) : analysis_(&analysis), tables_(std::make_unique<Tables>()) {
  static_assert(sizeof(Node) == 48 && sizeof(ValueEntry) == 32 && sizeof(Use) == 12);
  regions_.emplace_back();
  attrs_.emplace_back();
}
Graph::~Graph() = default;

std::string_view Graph::StoreCopy(std::string_view text) { return tables_->kept.emplace_back(text); }

OpId Graph::UseOp(std::string_view full_name, int version) {
  if (const auto it = tables_->ops.find({full_name, version}); it != tables_->ops.end()) return it->second;
  const OpId id{static_cast<uint32_t>(ops_.size())};
  ops_.push_back({StoreCopy(full_name), version});
  tables_->ops.insert({{ops_.back().name, version}, id});
  return id;
}

AttrsId Graph::AddAttrs(AttrMap attrs) {
  if (attrs.empty()) return kNoAttrs;
  const AttrsId id{static_cast<uint32_t>(attrs_.size())};
  for (uint64_t hash = HashOf(attrs);; ++hash) {
    const auto [it, added] = tables_->attrs.insert({hash, id});
    if (added) break;
    if (attrs_[Index(it->second)].map == attrs) return it->second;
  }
  return AddOwnAttrs(std::move(attrs));
}

AttrsId Graph::AddOwnAttrs(AttrMap attrs) {
  if (attrs.empty()) return kNoAttrs;
  attrs_.emplace_back().map = std::move(attrs);
  return AttrsId{static_cast<uint32_t>(attrs_.size() - 1)};
}

AttrsId Graph::AddTensorAttr(const TensorAttr& tensor) {
  AttrSet& set = attrs_.emplace_back();
  set.tensor = tensor;
  set.is_pending = true;
  return AttrsId{static_cast<uint32_t>(attrs_.size() - 1)};
}

void Graph::MakeAttrs(AttrsId id) const {
  const AttrSet& set = attrs_[Index(id)];
  const Value contents = set.tensor.contents;
  TensorValue tensor{.type = set.tensor.type.element, .shape = {}, .contents = {}};
  for (const Dim size : set.tensor.type.shape.dims()) tensor.shape.dims.push_back(size.constant());
  if (!contents.is_none()) tensor.contents = NumbersOf(contents);
  set.map.Set(std::string(set.tensor.attribute), std::move(tensor));
  set.is_pending = false;
}

// ---- Building ----

void Graph::Reserve(size_t nodes, size_t values, size_t operands, size_t constants) {
  nodes_.reserve(nodes);
  regions_[0].nodes.reserve(nodes);
  regions_[0].constants.reserve(constants);
  declarations_.reserve(constants);
  values_.reserve(values);
  results_.reserve(values);
  operands_.reserve(operands);
  uses_.reserve(operands);
}

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

ValueId Graph::NewValue(RegionId region, std::string_view name, ValueRole role, NodeId maker,
                        size_t result_index) {
  const ValueId id{static_cast<uint32_t>(values_.size())};
  values_.push_back({.name = name.data(),
                     .name_size = static_cast<uint32_t>(name.size()),
                     .maker = maker,
                     .result_index = static_cast<uint32_t>(result_index) & 0x3fffffff,
                     .role = static_cast<uint32_t>(role) & 3,
                     .region = region});
  if (role == ValueRole::kResult) ++unused_results_;
  return id;
}

Graph::Declaration& Graph::DeclarationOf(ValueId value) {
  ValueEntry& v = values_[Index(value)];
  if (v.declaration == UINT32_MAX) {
    v.declaration = static_cast<uint32_t>(declarations_.size());
    declarations_.emplace_back();
  }
  return declarations_[v.declaration];
}

ValueId Graph::AddInput(RegionId region, std::string_view name, Type type) {
  region = Existing(region);
  const ValueId id = NewValue(region, name, ValueRole::kInput);
  DeclarationOf(id).type = type;
  regions_[Index(region)].inputs.push_back(id);
  return id;
}

ValueId Graph::AddConstant(RegionId region, std::string_view name, Type type, Value contents) {
  region = Existing(region);
  const ValueId id = NewValue(region, name, ValueRole::kConstant);
  values_.back().declaration = static_cast<uint32_t>(declarations_.size());
  declarations_.push_back({type, contents});
  regions_[Index(region)].constants.push_back(id);
  return id;
}

ValueId Graph::AddValue(RegionId region, std::string_view name) {
  return NewValue(Existing(region), name, ValueRole::kMissing);
}

void Graph::AddOutput(RegionId region, ValueId value) {
  if (!Has(value)) return NoteMissing(kNoNode, "an output is value", Index(value));
  region = Existing(region);
  regions_[Index(region)].outputs.push_back(value);
  // The value counts as an operand of the node that carries the region.
  if (region != body() && !KeepsOrder(region, kNoNode, value)) in_order_ = false;
}

inline void Graph::Enter(ValueId value, uint32_t slot) {
  ValueEntry& v = values_[Index(value)];
  if (IsUnusedResult(v)) --unused_results_;
  uses_[slot].next = v.first_use;
  if (v.first_use != UINT32_MAX) uses_[v.first_use].previous = slot;
  v.first_use = slot;
}

void Graph::Link(uint32_t slot, NodeId node) {
  uses_[slot] = {.node = node};
  if (operands_[slot] != kNoValue) Enter(operands_[slot], slot);
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
  if (IsUnusedResult(values_[Index(value)])) ++unused_results_;
  operands_[slot] = kNoValue;
  uses_[slot].next = uses_[slot].previous = UINT32_MAX;
}

bool Graph::ComesFirst(NodeId before, RegionId in, NodeId node) const {
  constexpr int kLevels = 64;
  for (int level = 0; level < kLevels; ++level) {
    if (region(before) == in) return Index(before) < Index(node);
    node = carrier(in);
    if (node == kNoNode) return false;
    in = region(node);
  }
  return false;
}

bool Graph::KeepsOrder(RegionId in, NodeId node, ValueId value) const {
  if (value == kNoValue || role(value) == ValueRole::kInput || role(value) == ValueRole::kConstant)
    return true;
  return role(value) == ValueRole::kResult && ComesFirst(maker(value), in, node);
}

void Graph::NoteMissing(NodeId node, std::string_view what, uint32_t id) {
  Mistake& mistake = mistakes_.emplace_back();
  mistake.node = node;
  Diagnostic& d = mistake.diagnostic;
  d.code = Code::kBadHandle;
  d.message = std::string(what) + " " + std::to_string(id) + ", which the graph does not have";
  if (node == kNoNode) return;
  d.node = name(node);
  d.op = op_name(node);
  d.index = position(node);
}

void Graph::AddOperandSlot(ValueId value) {
  operands_.push_back(value);
  uses_.emplace_back();
}

[[gnu::always_inline]] inline NodeId Graph::BeginNode(RegionId region, const NodeSpec& spec,
                                                      std::span<const ValueId> operands, size_t results) {
  // The operands may be those of another node, which move when the array grows.
  const bool are_ours = std::less_equal<>()(operands_.data(), operands.data()) &&
                        std::less<>()(operands.data(), operands_.data() + operands_.size());
  std::vector<ValueId> copies;
  if (are_ours) [[unlikely]] {
    copies.assign(operands.begin(), operands.end());
    operands = copies;
  }
  const NodeId id{static_cast<uint32_t>(nodes_.size())};
  std::vector<NodeId>& nodes = regions_[Index(region)].nodes;
  const bool has_op = Index(spec.op) < ops_.size();
  const bool has_attrs = spec.attrs == kNoAttrs || Index(spec.attrs) < attrs_.size();
  const auto first_operand = static_cast<uint32_t>(operands_.size());
  nodes_.push_back(
      {.name = spec.name.data(),
       .name_size = static_cast<uint32_t>(spec.name.size()),
       .op = has_op ? spec.op : UseOp("", 0),
       .attrs = has_attrs ? spec.attrs : kNoAttrs,
       .first_operand = first_operand,
       .operand_count = static_cast<uint32_t>(operands.size()),
       .first_result = static_cast<uint32_t>(results_.size()),
       .result_count = static_cast<uint32_t>(results) & 0x3fffffff,
       .region = region,
       .position = spec.position == kAsAdded ? static_cast<uint32_t>(nodes.size()) : spec.position});
  const size_t value_count = values_.size();
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  uses_.resize(operands_.size(), Use{.node = id});
  for (uint32_t slot = first_operand; slot < operands_.size(); ++slot) {
    ValueId& value = operands_[slot];
    if (Index(value) < value_count) [[likely]] {
      const ValueEntry& v = values_[Index(value)];
      const bool is_before = v.role == static_cast<uint32_t>(ValueRole::kResult) && v.region == region;
      if (!is_before && in_order_) in_order_ = KeepsOrder(region, id, value);
      Enter(value, slot);
    } else if (value != kNoValue) {
      NoteMissing(id, "operand " + std::to_string(slot - first_operand) + " is value", Index(value));
      value = kNoValue;
    }
  }
  if (results == 0) ++unused_results_;
  nodes.push_back(id);
  if (!has_op) NoteMissing(id, "the operator is number", Index(spec.op));
  if (!has_attrs) NoteMissing(id, "the attributes are set", Index(spec.attrs));
  return id;
}

NodeId Graph::AddNode(RegionId region, const NodeSpec& spec, std::span<const ValueId> operands,
                      std::span<const std::string_view> results) {
  region = Existing(region);
  const NodeId id = BeginNode(region, spec, operands, results.size());
  for (size_t i = 0; i < results.size(); ++i) {
    results_.push_back(NewValue(region, results[i], ValueRole::kResult, id, i));
  }
  return id;
}

NodeId Graph::AddNodeFor(RegionId region, const NodeSpec& spec, std::span<const ValueId> operands,
                         std::span<const ValueId> results) {
  region = Existing(region);
  // A copy: `results` may be those of another node.
  const std::vector<ValueId> wanted(results.begin(), results.end());
  const NodeId id = BeginNode(region, spec, operands, wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    const ValueId value = wanted[i];
    if (!Has(value) || role(value) != ValueRole::kMissing) {
      const std::string_view its_name = Has(value) ? name(value) : std::string_view();
      results_.push_back(NewValue(region, its_name, ValueRole::kResult, id, i));
      continue;
    }
    ValueEntry& v = values_[Index(value)];
    v.role = static_cast<uint32_t>(ValueRole::kResult) & 3;
    v.maker = id;
    v.region = region;
    v.result_index = static_cast<uint32_t>(i) & 0x3fffffff;
    if (IsUnusedResult(v)) ++unused_results_;
    results_.push_back(value);
  }
  return id;
}

void Graph::Declare(ValueId value, Type type) {
  if (Has(value)) DeclarationOf(value).type = type;
}

void Graph::SetContents(ValueId value, Value contents) {
  if (Has(value)) DeclarationOf(value).contents = contents;
}

void Graph::SetDefault(ValueId input) {
  if (Has(input) && role(input) == ValueRole::kInput) tables_->defaults.insert(Index(input));
}

Status Graph::SetAttrs(ValueId value, AttrsId attrs) {
  const bool may_have =
      Has(value) && (role(value) == ValueRole::kInput || role(value) == ValueRole::kConstant);
  if (!may_have || Index(attrs) >= attrs_.size()) {
    return Failure(Code::kBadHandle,
                   may_have
                       ? "there is no set of attributes " + std::to_string(Index(attrs)) + " in the graph"
                       : "value " + std::to_string(Index(value)) +
                             " is neither an input nor a constant, and has no attributes");
  }
  tables_->value_attrs[Index(value)] = attrs;
  return {};
}

void Graph::AddControlEdge(NodeId before, NodeId after) {
  if (!Has(before) || !Has(after)) return;
  tables_->control_inputs[Index(after)].push_back(before);
  if (!ComesFirst(before, region(after), after)) in_order_ = false;
}

Graph* Graph::AddFunction(std::string_view full_name) {
  if (const auto it = tables_->functions.find(full_name); it != tables_->functions.end()) return it->second;
  Graph* function = functions_.emplace_back(std::make_unique<Graph>(*analysis_)).get();
  function->set_name(function->StoreCopy(full_name));
  tables_->functions.insert({function->name(), function});
  return function;
}

const Graph* Graph::FindFunction(std::string_view full_name) const {
  if (functions_.empty()) return nullptr;
  const auto it = tables_->functions.find(full_name);
  return it == tables_->functions.end() ? nullptr : it->second;
}

void Graph::ReferToAttr(NodeId node, std::string_view attribute, std::string_view of_call) {
  if (!Has(node)) return;
  tables_->references[Index(node)].push_back({attribute, of_call});
  has_attr_references_ = true;
}

// ---- Reading ----

std::span<const Graph::Carried> Graph::regions_of(NodeId node) const {
  const uint32_t carries = nodes_[Index(node)].carries;
  return carries == UINT32_MAX ? std::span<const Carried>() : carried_[carries];
}

std::span<const Graph::AttrReference> Graph::AttrReferences(NodeId node) const {
  const auto it = tables_->references.find(Index(node));
  return it == tables_->references.end() ? std::span<const AttrReference>() : it->second;
}

std::span<const NodeId> Graph::control_inputs(NodeId node) const {
  if (tables_->control_inputs.empty()) return {};
  const auto it = tables_->control_inputs.find(Index(node));
  return it == tables_->control_inputs.end() ? std::span<const NodeId>() : it->second;
}

Type Graph::declared(ValueId value) const {
  const uint32_t declaration = values_[Index(value)].declaration;
  return declaration == UINT32_MAX ? Type() : declarations_[declaration].type;
}

Value Graph::contents(ValueId value) const {
  const uint32_t declaration = values_[Index(value)].declaration;
  return declaration == UINT32_MAX ? Value() : declarations_[declaration].contents;
}

AttrsId Graph::attrs_of(ValueId value) const {
  const auto it = tables_->value_attrs.find(Index(value));
  return it == tables_->value_attrs.end() ? kNoAttrs : it->second;
}

bool Graph::has_default(ValueId input) const { return tables_->defaults.contains(Index(input)); }

RegionId Graph::parent(RegionId region) const {
  const NodeId node = carrier(region);
  return node == kNoNode ? kNoRegion : nodes_[Index(node)].region;
}

}  // namespace dimwise
