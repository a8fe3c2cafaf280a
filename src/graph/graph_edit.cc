// Edits an existing graph. Uses are linked lists through the operand slots, so the cost of an edit is
// proportional to what it changes.
#include <bit>
#include <string>

#include "core/base/failure.h"
#include "dimwise/graph.h"

namespace dimwise {
namespace {

Unexpected NoSuch(std::string_view what, uint32_t id) {
  return Failure(Code::kBadHandle,
                 "there is no " + std::string(what) + " " + std::to_string(id) + " in the graph");
}

}  // namespace

Status Graph::SetOperand(NodeId node, size_t i, ValueId value) {
  if (!Has(node)) return NoSuch("node", Index(node));
  if (value != kNoValue && !Has(value)) return NoSuch("value", Index(value));
  const Node& n = nodes_[Index(node)];
  if (i >= n.operand_count) return NoSuch("operand", static_cast<uint32_t>(i));
  const auto slot = static_cast<uint32_t>(n.first_operand + i);
  Unlink(slot);
  operands_[slot] = value;
  Link(slot, node);
  if (!KeepsOrder(region(node), node, value)) in_order_ = false;
  return {};
}

// Operands that are not at the end of the array move there, with capacity for twice as many.
Status Graph::AppendOperand(NodeId node, ValueId value) {
  if (!Has(node)) return NoSuch("node", Index(node));
  if (value != kNoValue && !Has(value)) return NoSuch("value", Index(value));
  Node& n = nodes_[Index(node)];
  const uint32_t count = n.operand_count;
  const bool has_room = n.moved != 0 && !std::has_single_bit(count) && count > 0;
  if (has_room) {
    operands_[n.first_operand + count] = value;
  } else if (n.moved == 0 && n.first_operand + count == operands_.size()) {
    AddOperandSlot(value);
  } else {
    const auto first = static_cast<uint32_t>(operands_.size());
    for (uint32_t k = 0; k < std::bit_ceil(count + 1); ++k) {
      AddOperandSlot(k < count ? operands_[n.first_operand + k] : kNoValue);
    }
    for (uint32_t k = 0; k < count; ++k) {
      Unlink(n.first_operand + k);
      Link(first + k, node);
    }
    operands_[first + count] = value;
    n.first_operand = first;
    n.moved = 1;
  }
  ++n.operand_count;
  Link(n.first_operand + count, node);
  if (!KeepsOrder(region(node), node, value)) in_order_ = false;
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
  in_order_ = false;  // another node may compute the value later, after its users
  std::vector<NodeId> removed = {node};
  while (!removed.empty()) {
    const NodeId at = removed.back();
    removed.pop_back();
    Node& n = nodes_[Index(at)];
    if (n.dead != 0) continue;
    n.dead = 1;
    if (n.result_count == 0) --unused_results_;
    for (uint32_t k = 0; k < n.operand_count; ++k) Unlink(n.first_operand + k);
    for (const ValueId result : results(at)) {
      ValueEntry& v = values_[Index(result)];
      if (IsUnusedResult(v)) --unused_results_;
      v.role = static_cast<uint32_t>(ValueRole::kMissing) & 3;
      v.maker = kNoNode;
    }
    for (const Carried& c : regions_of(at)) {
      const std::vector<NodeId>& inside = regions_[Index(c.region)].nodes;
      removed.insert(removed.end(), inside.begin(), inside.end());
    }
  }
  return {};
}

}  // namespace dimwise
