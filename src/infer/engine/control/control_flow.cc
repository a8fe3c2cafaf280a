#include "infer/engine/control/control_flow.h"

#include <algorithm>
#include <string>
#include <vector>

#include "infer/engine/analyses/property_values.h"
#include "infer/error.h"

namespace dimwise {
namespace {

constexpr int kTakesTheRest = -1;

// Returns the number of values of a kind, or kTakesTheRest.
int CountOf(RegionItem item, const LoopOperands& operands) {
  switch (item) {
    case RegionItem::kTrip:
    case RegionItem::kCondition:
      return 1;
    case RegionItem::kState:
      return operands.states;
    case RegionItem::kElement:
      return operands.scanned;
    case RegionItem::kArgument:
      return operands.arguments;
    case RegionItem::kStacked:
    case RegionItem::kForwarded:
      break;
  }
  return kTakesTheRest;
}

FlatRange RangeOfOperands(const ProgramState& state, NodeId node, ArgIndex argument) {
  const OpRegistrationData* op = state.operators.Resolve(node).op;
  if (op == nullptr) return {};
  return FlatRangeOf(op->def.inputs, argument, state.graph.operands(node).size());
}

}  // namespace

Status InferControlFlow(ControlFlowContext& c) {
  const ControlFlow& flow = c.control_flow();
  switch (flow.kind) {
    case ControlFlow::Kind::kNone:
      break;
    case ControlFlow::Kind::kBranch:
      return flow.cases.empty() ? InferBranch(c) : InferCases(c);
    case ControlFlow::Kind::kLoop:
      return InferLoop(c);
    case ControlFlow::Kind::kScan:
      return InferScan(c);
    case ControlFlow::Kind::kMap:
      return InferMap(c);
  }
  return {};
}

std::string_view OperatorName(const ControlFlowContext& c) {
  return c.state.operators.Resolve(c.node).op->def.name;
}

Status MissingRegion(const ControlFlowContext& c, std::string_view attribute) {
  const AttrValue* value = c.context->FindAttr(attribute);
  if (value != nullptr && value->kind() == AttrKind::kFunction) return {};
  return Error(Code::kMissingAttribute, "{} has no {}", OperatorName(c), attribute);
}

int FirstOperand(const ProgramState& state, NodeId node, ArgIndex argument) {
  const FlatRange range = RangeOfOperands(state, node, argument);
  return range.size() == 0 ? -1 : static_cast<int>(range.begin);
}

std::optional<LoopOperands> LoopOperandsOf(const ProgramState& state, NodeId node) {
  const ControlFlow& flow = state.operators.Resolve(node).control_flow();
  const auto begin = [](FlatRange range) { return static_cast<int>(range.begin); };
  const auto size = [](FlatRange range) { return static_cast<int>(range.size()); };
  const FlatRange states = RangeOfOperands(state, node, flow.state);
  const FlatRange scanned = RangeOfOperands(state, node, flow.scanned);
  const FlatRange arguments = RangeOfOperands(state, node, flow.arguments);
  LoopOperands operands{.first_state = begin(states),
                        .states = size(states),
                        .first_scanned = begin(scanned),
                        .scanned = size(scanned),
                        .first_argument = begin(arguments),
                        .arguments = size(arguments)};
  if (flow.scanned_count == kNoExpr) return operands;
  const Dim count = PropertyValue(state, node, flow.scanned_count, ResultTypes::kUnknown);
  if (!count.is_constant()) return std::nullopt;
  operands.scanned = static_cast<int>(std::clamp<int64_t>(count.constant(), 0, INT16_MAX));
  if (flow.scanned != flow.state) return operands;
  operands.states = size(states) - operands.scanned;
  operands.first_scanned = operands.first_state + operands.states;
  return operands;
}

ItemRange ItemsOf(std::span<const RegionItem> layout, RegionItem item, const LoopOperands& operands,
                  int total) {
  int rest = total;
  for (const RegionItem other : layout) rest -= std::max(CountOf(other, operands), 0);
  ItemRange range;
  for (const RegionItem other : layout) {
    const int count = CountOf(other, operands);
    range.size = count == kTakesTheRest ? std::max(rest, 0) : count;
    if (other == item) return range;
    range.begin += range.size;
  }
  return {};
}

}  // namespace dimwise
