// Maps: the body runs for each element of the operands that are sequences. Other operands are the same for
// each element. The results are sequences as long as the first scanned operand.
#include <vector>

#include "infer/engine/control/region_inputs.h"

namespace dimwise {
namespace {

// Returns the type of an arbitrary element of a sequence.
Type ElementOf(InferenceContext* context, const Type& sequence) {
  Analysis& analysis = context->analysis();
  return analysis.types().TakeElement(analysis.dims(), analysis.shapes(), sequence, [&](Dim each) {
    if (each.is_none()) return context->UnknownDim();
    const SymbolInfo info = analysis.dims().GetSymbol(each);
    return context->UnknownDim(info.min, info.max);
  });
}

// Returns the sizes of an output of the body that may differ between elements.
std::vector<Dim> EachDimensions(const ControlFlowContext& c, RegionId body, const Type& type) {
  std::vector<Dim> each;
  if (!type.is_tensor() || type.shape.is_none()) return each;
  for (const Dim d : type.shape.dims()) {
    if (!d.is_expression()) continue;
    for (const Dim symbol : c.state.analysis.dims().SymbolsOf(d)) {
      if (!c.state.IsInvariant(symbol, body)) each.push_back(symbol);
    }
  }
  return each;
}

}  // namespace

Status InferMap(ControlFlowContext& c) {
  const ControlFlow& flow = c.control_flow();
  const RegionId body = c.state.RegionAt(c.node, flow.body.region);
  if (body == kNoRegion) return MissingRegion(c, flow.body.region);
  InferenceContext* const context = c.context;
  RegionInputs inputs;
  for (int i = 0; i < context->num_inputs(); ++i) {
    const Type type = context->full_input_type(i);
    inputs.Add(type.kind == TypeKind::kSequence ? ElementOf(context, type) : type, Value());
  }
  const Type first = context->full_input_type(FirstOperand(c.state, c.node, flow.scanned));
  const Dim length = first.kind == TypeKind::kSequence ? first.container->length : Dim();
  DIMWISE_RETURN_IF_ERROR(RunRegion(c, body, inputs, RegionRuns::kMaybe));
  const std::span<const ValueId> outputs = c.graph().outputs(body);
  for (int i = 0; i < context->num_outputs() && static_cast<size_t>(i) < outputs.size(); ++i) {
    const Type element = c.state.type(outputs[static_cast<size_t>(i)]);
    const std::vector<Dim> each = EachDimensions(c, body, element);
    context->set_full_output_type(i, c.state.analysis.types().Sequence(element, length, each));
  }
  return {};
}

}  // namespace dimwise
