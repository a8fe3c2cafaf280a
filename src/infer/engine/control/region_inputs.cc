#include "infer/engine/control/region_inputs.h"

#include "core/types/known_parts.h"

namespace dimwise {
namespace {

// Adds an input with one element: a scalar, or a vector of one element if the region declares a vector.
void AddSingle(const ControlFlowContext& c, RegionId region, ElementType element, Dim content,
               RegionInputs* inputs) {
  const size_t index = inputs->types.size();
  const std::span<const ValueId> declarations = c.graph().inputs(region);
  const Type declared = index < declarations.size() ? c.graph().declared(declarations[index]) : Type();
  const bool is_vector = IsRanked(declared) && declared.shape.rank() == 1;
  Analysis& analysis = c.state.analysis;
  const Dim one(1);
  const int64_t length = 1;
  const Shape shape = is_vector ? analysis.shapes().Make(std::span(&one, 1)) : analysis.shapes().Scalar();
  const std::span<const int64_t> sizes(&length, is_vector ? 1 : 0);
  const Value contents =
      content.is_none() ? Value() : analysis.values().Integers(element, sizes, std::span(&content, 1));
  inputs->Add(Type::Tensor(element, shape), contents);
}

// Returns the element type of the number of a trip: that of the limit of the loop.
ElementType TripElement(const ControlFlowContext& c) {
  const ArgIndex limit = c.control_flow().limit;
  if (limit == kNoArg) return ElementType::kI64;
  const ElementType declared = c.context->op()->inputs[static_cast<size_t>(limit)].type;
  return declared != ElementType::kUnknown ? declared
                                           : c.context->input_type(FirstOperand(c.state, c.node, limit));
}

RegionInputs ArgumentsOf(const ControlFlowContext& c) {
  RegionInputs arguments;
  const LoopOperands operands = LoopOperandsOf(c.state, c.node).value_or(LoopOperands());
  for (int i = operands.first_argument; i < operands.first_argument + operands.arguments; ++i)
    arguments.Add(c.context->full_input_type(i), c.context->input_tensor(i));
  return arguments;
}

}  // namespace

RegionInputs InputsOf(const ControlFlowContext& c, RegionId region, const RegionLayout& layout,
                      const RegionItems& items) {
  RegionInputs inputs;
  for (const RegionItem item : layout.takes) {
    switch (item) {
      case RegionItem::kTrip:
        AddSingle(c, region, TripElement(c), items.trip, &inputs);
        break;
      case RegionItem::kCondition:
        AddSingle(c, region, ElementType::kBool, 1, &inputs);
        break;
      case RegionItem::kState:
        inputs.Append(items.states);
        break;
      case RegionItem::kElement:
        inputs.Append(items.elements);
        break;
      case RegionItem::kForwarded:
        inputs.Append(items.forwarded);
        break;
      case RegionItem::kArgument:
        inputs.Append(ArgumentsOf(c));
        break;
      case RegionItem::kStacked:
        break;  // no region takes it
    }
  }
  return inputs;
}

RegionInputs OutputsOf(const ProgramState& state, RegionId region, const ItemRange& range) {
  const std::span<const ValueId> outputs = state.graph.outputs(region);
  RegionInputs found;
  for (int i = range.begin; i < range.begin + range.size && static_cast<size_t>(i) < outputs.size(); ++i) {
    const ValueId v = outputs[static_cast<size_t>(i)];
    found.Add(state.type(v), state.contents(v));
  }
  return found;
}

Status RunRegion(ControlFlowContext& c, RegionId region, const RegionInputs& inputs, RegionRuns runs) {
  return c.runner.RunRegion(region, inputs.types, inputs.contents, runs);
}

}  // namespace dimwise
