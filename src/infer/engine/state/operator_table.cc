#include "infer/engine/state/operator_table.h"

#include <string>
#include <utility>

#include "infer/context/op_call.h"
#include "infer/operators/rule_function.h"

namespace dimwise {
namespace {

const AttrMap kNoAttributes;
const OpProperties kNoProperties;

}  // namespace

void OperatorTable::LookUp(OpId id) const {
  ResolvedOperator& r = resolved_[Index(id)];
  r.is_looked_up = true;
  r.properties = &kNoProperties;
  const Graph::Op& op = graph_.op(id);
  r.function = graph_.FindFunction(op.name);
  if (r.function == nullptr && site_.functions != nullptr)
    r.function = site_.functions->FindFunction(op.name);
  if (r.function != nullptr) return;
  r.op = registry_.Find(op.name, op.version > 0 ? op.version : OpRegistry::kLatest);
  if (r.op == nullptr) return;
  r.properties = &r.op->def.properties;
  r.is_plain = !r.has_control_flow() && r.op->shape_fn != nullptr;
  r.is_constant = r.properties->computes == Computation::kConstant;
  r.uses_indices = !r.properties->indexes.empty();
  r.rule = r.op->rule;
  r.may_trace = r.is_plain && r.op->shape_fn.target<RuleShapeFn>() != nullptr && MayUseTrace(*r.rule);
}

Diagnostic OperatorTable::UnknownOperator(NodeId node) const {
  const Graph::Op& op = graph_.op(graph_.op_of(node));
  return registry_.LookUp(op.name, op.version > 0 ? op.version : OpRegistry::kLatest).error();
}

const AttrMap& OperatorTable::StatedAttributes(NodeId node) const {
  const AttrMap& own = graph_.attrs(graph_.attrs_of(node));
  const std::span<const Graph::AttrReference> references = graph_.attr_references(node);
  if (references.empty()) return own;
  if (const auto it = call_attrs_.find(Index(node)); it != call_attrs_.end()) return it->second;
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
  return call_attrs_.insert({Index(node), std::move(attrs)}).first->second;
}

OperatorAttributes& OperatorTable::AttributesOf(NodeId node, const ResolvedOperator& resolved) const {
  const OpId op = graph_.op_of(node);
  const AttrsId set = graph_.attrs_of(node);
  if (!graph_.attr_references(node).empty())
    return Find(uint64_t{Index(node)} << 32 | UINT32_MAX, node, resolved);
  if (set == kNoAttrs) {
    if (none_.size() <= Index(op)) none_.resize(resolved_.size());
    std::unique_ptr<OperatorAttributes>& none = none_[Index(op)];
    if (none == nullptr) {
      none = std::make_unique<OperatorAttributes>();
      none->attrs = &kNoAttributes;
    }
    return *none;
  }
  if (Index(set) >= last_uses_.size()) last_uses_.resize(Index(set) + 1);
  LastUse& last = last_uses_[Index(set)];
  if (last.attributes == nullptr || last.op != op)
    last = {op, &Find(uint64_t{Index(op)} << 32 | Index(set), node, resolved)};
  return *last.attributes;
}

OperatorAttributes& OperatorTable::Find(uint64_t id, NodeId node, const ResolvedOperator& resolved) const {
  std::unique_ptr<OperatorAttributes>& entry = attributes_[id];
  if (entry != nullptr) return *entry;
  entry = std::make_unique<OperatorAttributes>();
  const OpDef& def = resolved.op->def;
  const AttrMap& stated = StatedAttributes(node);
  if (graph_.attr_references(node).empty() && AreAsDeclared(def, stated)) {
    entry->attrs = &stated;
  } else if (Result<AttrMap> attrs = ReadAttrs(def, stated)) {
    entry->converted = *std::move(attrs);
    entry->attrs = &entry->converted;
  } else {
    entry->attrs = &entry->converted;
    entry->error = attrs.error();
  }
  return *entry;
}

}  // namespace dimwise
