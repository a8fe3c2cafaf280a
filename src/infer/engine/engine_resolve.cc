// What a node is before it is visited: its operator, and its attributes as the operator declares them.
#include <algorithm>
#include <string_view>
#include <utility>

#include "infer/context/op_call.h"
#include "infer/engine/engine.h"
#include "infer/operators/rule_function.h"

namespace dimwise {
namespace {

constexpr std::string_view kPickers[] = {"onnx.Gather",    "onnx.GatherElements",  "onnx.GatherND",
                                         "onnx.ScatterND", "onnx.ScatterElements", "onnx.Scatter"};

}  // namespace

void Engine::LookUp(OpId id) {
  Resolved& r = resolved_[Index(id)];
  r.looked_up = true;
  const Graph::Op& op = graph_.op(id);
  r.function = graph_.FindFunction(op.name);
  if (r.function == nullptr && site_.functions != nullptr)
    r.function = site_.functions->FindFunction(op.name);
  if (r.function != nullptr) return;
  r.is_constant = op.name == "onnx.Constant";
  r.picks = std::ranges::count(kPickers, op.name) != 0;
  const int version = op.version > 0 ? op.version : OpRegistry::kLatest;
  r.region_op = FindRegionOp(op.name);
  r.op = registry_.Find(op.name, version);
  r.is_plain = r.op != nullptr && r.region_op == nullptr && r.op->shape_fn != nullptr;
  if (const auto* rule = r.is_plain ? r.op->shape_fn.target<RuleShapeFn>() : nullptr;
      rule != nullptr && MayPlan(*rule->rule)) {
    r.rule = rule->rule;
  }
  // Saying what it could be is some work.
  if (r.op == nullptr && r.region_op == nullptr) r.unknown = registry_.LookUp(op.name, version).error();
}

// The attributes as the file has them, with those of the call in the place of references to them.
const AttrMap* Engine::RawAttrs(NodeId node) {
  const AttrMap& own = graph_.attrs(graph_.attrs_of(node));
  const std::span<const Graph::AttrReference> references = graph_.attr_references(node);
  if (references.empty()) return &own;
  if (const auto it = call_attrs_.find(Index(node)); it != call_attrs_.end()) return &it->second;
  AttrMap attrs = own;
  for (const Graph::AttrReference& r : references) {
    const AttrValue* value = site_.attrs == nullptr ? nullptr : site_.attrs->Find(r.of_call);
    if (value == nullptr) {
      for (const Graph::FunctionAttr& a : graph_.function_attrs) {
        if (a.name == r.of_call) value = a.otherwise;
      }
    }
    if (value != nullptr) attrs.Set(std::string(r.attribute), *value);
  }
  return &call_attrs_.insert({Index(node), std::move(attrs)}).first->second;
}

// The attributes in the kinds that the operator declares.
Engine::Attributes& Engine::AttributesOf(NodeId node, Resolved& resolved) {
  const OpId op = graph_.op_of(node);
  const AttrsId set = graph_.attrs_of(node);
  if (!graph_.attr_references(node).empty())
    return AttributesFor(uint64_t{Index(node)} << 32 | UINT32_MAX, node, resolved);
  if (set == kNoAttrs) return resolved.no_attributes;
  if (Index(set) >= of_sets_.size()) of_sets_.resize(Index(set) + 1);
  OfSet& of_set = of_sets_[Index(set)];
  if (of_set.attributes == nullptr || of_set.op != op)
    of_set = {op, &AttributesFor(uint64_t{Index(op)} << 32 | Index(set), node, resolved)};
  return *of_set.attributes;
}

Engine::Attributes& Engine::AttributesFor(uint64_t id, NodeId node, const Resolved& resolved) {
  std::unique_ptr<Attributes>& slot = attributes_[id];
  if (slot != nullptr) return *slot;
  slot = std::make_unique<Attributes>();
  const OpDef& def = resolved.op->def;
  const AttrMap& raw = *RawAttrs(node);
  if (graph_.attr_references(node).empty() && AreAsDeclared(def, raw)) {
    slot->attrs = &raw;
  } else if (Result<AttrMap> attrs = ReadAttrs(def, raw)) {
    slot->converted = *std::move(attrs);
    slot->attrs = &slot->converted;
  } else {
    slot->attrs = &slot->converted;
    slot->error = attrs.error();
  }
  return *slot;
}

}  // namespace dimwise
