#include "report/explain/region_origin.h"

#include <algorithm>

#include "infer/engine/state/program_state.h"
#include "infer/operators/node_properties.h"

namespace dimwise {
namespace {

bool Exists(const ModelReport& report, const SizeLocation& location) {
  if (location.value == kNoValue) return false;
  if (location.in_contents) {
    const Value contents = report.inference.contents(location.value);
    return !contents.is_none() && location.index < contents.size();
  }
  const Type type = report.type(location.value);
  return type.is_tensor() && HasRank(type) && location.index >= 0 && location.index < type.shape.rank();
}

// Returns the index of the first value of a kind in a list of RegionItems. Each kind before it has one value,
// or as many as given.
size_t BeginOf(const std::vector<RegionItem>& items, RegionItem item, size_t states, size_t elements) {
  size_t begin = 0;
  for (const RegionItem before : items) {
    if (before == item) break;
    begin += before == RegionItem::kState ? states : before == RegionItem::kElement ? elements : 1;
  }
  return begin;
}

// A loop, or a scan along the first axes.
class Loops {
 public:
  Loops(const ModelReport& report, NodeId node, const OpDef& def)
      : graph_(report.graph()), report_(report), node_(node), flow_(def.properties.control_flow) {
    const size_t count = graph_.operands(node).size();
    is_loop_ = flow_.kind == ControlFlow::Kind::kLoop;
    if (!is_loop_ && flow_.kind != ControlFlow::Kind::kScan) return;
    const AttrMap& attrs = graph_.attrs(graph_.attrs_of(node));
    const auto has = [&](const std::string& name) { return !name.empty() && attrs.Find(name) != nullptr; };
    // Scans of batches, or along another axis than the first, are not followed.
    if (flow_.batched || has(flow_.axes) || has(flow_.result_axes)) return;
    body_ = report.inference.state().RegionAt(node, flow_.body.region);
    first_ = flow_.state == kNoArg ? count : FlatRangeOf(def.inputs, flow_.state, count).begin;
    const size_t last = flow_.state == kNoArg ? count : FlatRangeOf(def.inputs, flow_.state, count).end;
    if (flow_.scanned_count != kNoExpr) {
      const Dim scanned = Evaluate(report, node, flow_.scanned_count);
      elements_ = scanned.is_constant() ? static_cast<size_t>(std::max<int64_t>(scanned.constant(), 0)) : 0;
    }
    states_ = last < first_ + elements_ ? 0 : last - first_ - elements_;
    scanned_ = flow_.scanned == flow_.state ? first_ + states_
               : flow_.scanned == kNoArg    ? count
                                            : FlatRangeOf(def.inputs, flow_.scanned, count).begin;
    limit_ = flow_.limit == kNoArg ? count : FlatRangeOf(def.inputs, flow_.limit, count).begin;
  }

  std::vector<SizeLocation> LocationsOf(SizeLocation location) const {
    if (body_ == kNoRegion) return {};
    const size_t result = graph_.result_index(location.value);
    const std::span<const ValueId> outputs = graph_.outputs(body_);
    const size_t state = result - Begin(flow_.results, RegionItem::kState);
    const bool is_state = result >= Begin(flow_.results, RegionItem::kState) && state < states_;
    const size_t output = is_state ? Begin(flow_.body.gives, RegionItem::kState) + state
                                   : Begin(flow_.body.gives, RegionItem::kStacked) + result -
                                         Begin(flow_.results, RegionItem::kStacked);
    if (output >= outputs.size()) return {};
    if (is_state) {
      const SizeLocation begin = At(location, Operand(first_ + state));
      if (Exists(report_, begin) && SizeAt(report_, begin) == SizeAt(report_, location)) return {begin};
      return Existing({begin, At(location, outputs[output])});
    }
    if (location.in_contents) return {};
    if (location.index > 0) return Existing({{outputs[output], false, location.index - 1}});
    return Existing(
        {is_loop_ ? SizeLocation{Operand(limit_), true, 0} : SizeLocation{Operand(scanned_), false, 0}});
  }

  std::optional<SizeLocation> LocationOutsideOf(SizeLocation location) const {
    if (body_ == kNoRegion) return std::nullopt;
    const std::span<const ValueId> inputs = graph_.inputs(body_);
    const auto input = static_cast<size_t>(std::ranges::find(inputs, location.value) - inputs.begin());
    if (input >= inputs.size()) return std::nullopt;
    const size_t state = Begin(flow_.body.takes, RegionItem::kState),
                 element = Begin(flow_.body.takes, RegionItem::kElement);
    SizeLocation outside{};
    if (input >= state && input < state + states_) {
      outside = At(location, Operand(first_ + input - state));
    } else if (input >= element && input < element + elements_) {
      outside = At(location, Operand(scanned_ + input - element));
      ++outside.index;
    } else {
      return std::nullopt;
    }
    if (!Exists(report_, outside) || SizeAt(report_, outside) != SizeAt(report_, location))
      return std::nullopt;
    return outside;
  }

 private:
  static SizeLocation At(SizeLocation location, ValueId value) {
    return {value, location.in_contents, location.index};
  }

  static Dim Evaluate(const ModelReport& report, NodeId node, PropertyExpr expr) {
    const OpRegistrationData* op = FindRegistration(report.inference.registry(), report.graph(), node);
    return EvaluateNodeProperty(
        *op, report.graph(), node, expr, ScopeId::kRoot,
        {[&](ValueId v) { return report.type(v); }, [&](ValueId v) { return report.inference.contents(v); }});
  }

  size_t Begin(const std::vector<RegionItem>& items, RegionItem item) const {
    return BeginOf(items, item, states_, elements_);
  }
  ValueId Operand(size_t i) const {
    const std::span<const ValueId> operands = graph_.operands(node_);
    return i < operands.size() ? operands[i] : kNoValue;
  }

  std::vector<SizeLocation> Existing(std::vector<SizeLocation> locations) const {
    std::erase_if(locations, [&](const SizeLocation& location) { return !Exists(report_, location); });
    return locations;
  }

  const Graph& graph_;
  const ModelReport& report_;
  const NodeId node_;
  const ControlFlow& flow_;
  RegionId body_ = kNoRegion;
  bool is_loop_ = false;
  size_t first_ = 0, states_ = 0;      // the operands of the state
  size_t scanned_ = 0, elements_ = 0;  // the scanned operands
  size_t limit_ = 0;                   // the operand that limits the trips
};

std::vector<SizeLocation> LocationsInBranches(const ModelReport& report, NodeId node,
                                              const SizeLocation& location) {
  const Graph& graph = report.graph();
  const ProgramState& state = report.inference.state();
  const std::optional<bool> taken = state.TakenBranch(node);
  std::vector<SizeLocation> locations;
  for (const bool is_then : {true, false}) {
    if (taken && *taken != is_then) continue;
    const RegionId branch = state.BranchOf(node, is_then);
    if (branch == kNoRegion || graph.result_index(location.value) >= graph.outputs(branch).size()) continue;
    const SizeLocation inside{graph.outputs(branch)[graph.result_index(location.value)], location.in_contents,
                              location.index};
    if (Exists(report, inside)) locations.push_back(inside);
  }
  return locations;
}

}  // namespace

std::vector<SizeLocation> LocationsInRegions(const ModelReport& report, const SizeLocation& location) {
  const NodeId node = report.graph().maker(location.value);
  if (!report.graph().carries_regions(node)) return {};
  const OpRegistrationData* op = FindRegistration(report.inference.registry(), report.graph(), node);
  if (op == nullptr) return {};
  const ControlFlow& flow = op->def.properties.control_flow;
  if (flow.kind == ControlFlow::Kind::kBranch) return LocationsInBranches(report, node, location);
  return Loops(report, node, op->def).LocationsOf(location);
}

std::optional<SizeLocation> LocationOutside(const ModelReport& report, const SizeLocation& location) {
  const NodeId node = report.graph().carrier(report.graph().region(location.value));
  if (node == kNoNode) return std::nullopt;
  const OpRegistrationData* op = FindRegistration(report.inference.registry(), report.graph(), node);
  if (op == nullptr) return std::nullopt;
  return Loops(report, node, op->def).LocationOutsideOf(location);
}

}  // namespace dimwise
