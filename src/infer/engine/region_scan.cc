// ONNX's Scan: carried values, slices of the scanned operands into the body, and results that are stacked
// from the trips.
//
// Before opset 9 it has a batch in front of every operand and result, and an optional first operand with the
// lengths.
#include <algorithm>

#include "core/types/known_parts.h"
#include "infer/engine/engine.h"
#include "infer/engine/loop_state.h"
#include "infer/error.h"

namespace dimwise {
namespace {

// The axis that an attribute names for the k-th of a row, from 0; nullopt where it is out of range.
std::optional<int> AxisAt(const AttrMap& attrs, std::string_view name, size_t k, int rank, int otherwise) {
  const AttrValue* value = attrs.Find(name);
  if (value == nullptr) return otherwise;
  const std::optional<AttrValue::Ints> axes = AsInts(*value);
  if (!axes || k >= axes->size()) return otherwise;
  const int64_t axis = (*axes)[k];
  if (axis < -rank || axis >= rank) return std::nullopt;
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

Type Without(Analysis& analysis, Type type, int axis) {
  std::vector<Dim> sizes(type.shape.dims().begin(), type.shape.dims().end());
  sizes.erase(sizes.begin() + axis);
  type.shape = analysis.shapes().Make(sizes);
  return type;
}

Type With(Analysis& analysis, Type type, int axis, Dim size) {
  std::vector<Dim> sizes(type.shape.dims().begin(), type.shape.dims().end());
  sizes.insert(sizes.begin() + axis, size);
  type.shape = analysis.shapes().Make(sizes);
  return type;
}

}  // namespace

Status InferScan(Engine& engine, NodeId node, InferenceContext* context) {
  const RegionId body = engine.FindRegion(node, "body");
  if (body == kNoRegion) return Error(Code::kMissingAttribute, "Scan needs a body");
  const Graph& graph = engine.graph();
  const AttrMap& attrs = graph.attrs(graph.attrs_of(node));
  const AttrValue* number = attrs.Find("num_scan_inputs");
  const int scanned =
      number == nullptr ? 0 : static_cast<int>(std::clamp<int64_t>(AsInt(*number).value_or(0), 0, INT16_MAX));
  const bool batched = context->node().version > 0 && context->node().version < 9;
  const int first = batched ? 1 : 0;  // of the operands that the body sees: the lengths stand before them
  const int carried = context->num_inputs() - first - scanned;
  if (scanned < 1 || carried < 0) {
    return Error(Code::kArity, "Scan has num_scan_inputs = {}, and {} operands", scanned,
                 context->num_inputs());
  }
  const size_t outputs = graph.outputs(body).size();
  if (outputs < static_cast<size_t>(context->num_outputs()) || outputs < static_cast<size_t>(carried)) {
    return Error(Code::kArity, "the body of Scan gives {} values; {} are due", outputs,
                 std::max(context->num_outputs(), carried));
  }
  Analysis& analysis = context->analysis();
  Dim batch, trips;
  LoopState loop(engine, body, context);
  for (int j = 0; j < carried; ++j) {
    Type type = context->full_input_type(first + j);
    if (batched && IsRanked(type) && type.shape.rank() > 0) {
      if (batch.is_none()) batch = type.shape[0];
      type = Without(analysis, type, 0);
    }
    loop.Carry(type, batched ? Value() : context->input_tensor(first + j));
  }
  std::vector<Type> slices;
  for (int k = 0; k < scanned; ++k) {
    Type type = context->full_input_type(first + carried + k);
    if (!IsRanked(type)) {
      slices.push_back(Type::Tensor(type.element, context->UnknownShape()));
      continue;
    }
    if (batched && type.shape.rank() > 0) {
      if (batch.is_none()) batch = type.shape[0];
      type = Without(analysis, type, 0);
    }
    const std::optional<int> axis =
        AxisAt(attrs, "scan_input_axes", static_cast<size_t>(k), type.shape.rank(), 0);
    if (!axis || type.shape.rank() == 0) {
      return Error(Code::kOutOfRange, "Scan cannot take slices of {}: it has no such axis",
                   context->DebugString(type.shape));
    }
    if (trips.is_none()) {
      trips = type.shape[*axis];
    } else {
      DIMWISE_ASSIGN_OR_RETURN(trips, context->Merge(trips, type.shape[*axis]));
    }
    slices.push_back(Without(analysis, type, *axis));
  }
  const bool known = !trips.is_none();
  if (!known) trips = context->UnknownDim();
  // To stack the results of no trip fails, in onnxruntime as in ONNX's own implementation: there is one,
  // unless the batch is empty. The lengths of a batch say how many trips count; shapes do not depend on them.
  const bool stacks = !batched && outputs > static_cast<size_t>(carried);
  const bool runs =
      stacks || context->facts().AtLeast(trips, 1, context->scope(), Trust::kWithoutAssumed) == Truth::kYes;
  DIMWISE_RETURN_IF_ERROR(loop.Run({}, {}, slices, 0, runs));
  const Trips count{.count = trips, .certain = true, .most = trips, .least = runs && !batched ? 1 : 0};
  DIMWISE_RETURN_IF_ERROR(loop.RequireInTrips(count));

  for (int i = 0; i < context->num_outputs(); ++i) {
    const auto k = static_cast<size_t>(i);
    Type type;
    if (i < carried) {
      type = loop.FinalType(k, count);
      if (!batched) context->set_output_value(i, loop.FinalContents(k, count));
    } else {
      type = loop.Outside(engine.type(graph.outputs(body)[k]));
      if (IsRanked(type)) {
        const std::optional<int> axis =
            AxisAt(attrs, "scan_output_axes", k - static_cast<size_t>(carried), type.shape.rank() + 1, 0);
        if (!axis) return Error(Code::kOutOfRange, "Scan has no axis to stack result {} on", i);
        type = With(analysis, type, *axis, trips);
      } else if (type.is_tensor()) {
        type.shape = context->UnknownShape(1);
      }
    }
    if (batched && IsRanked(type))
      type = With(analysis, type, 0, batch.is_none() ? context->UnknownDim() : batch);
    if (type.kind != TypeKind::kUnknown) context->set_full_output_type(i, type);
  }
  return {};
}

// SequenceMap: the body for each element; the results are sequences as long as the first operand.
Status InferSequenceMap(Engine& engine, NodeId node, InferenceContext* context) {
  const RegionId body = engine.FindRegion(node, "body");
  if (body == kNoRegion) return Error(Code::kMissingAttribute, "SequenceMap needs a body");
  Analysis& analysis = context->analysis();
  const Graph& graph = engine.graph();
  std::vector<Type> inputs;
  Dim length;
  for (int i = 0; i < context->num_inputs(); ++i) {
    const Type type = context->full_input_type(i);
    if (type.kind != TypeKind::kSequence) {
      inputs.push_back(type);
      continue;
    }
    if (i == 0) length = type.container->length;
    inputs.push_back(analysis.types().TakeElement(analysis.dims(), analysis.shapes(), type, [&](Dim each) {
      if (each.is_none()) return context->UnknownDim();
      const SymbolInfo info = analysis.dims().GetSymbol(each);
      return context->UnknownDim(info.min, info.max);
    }));
  }
  DIMWISE_RETURN_IF_ERROR(engine.RunRegion(body, inputs, {}, RegionRuns::kMaybe));
  for (int i = 0; i < context->num_outputs() && static_cast<size_t>(i) < graph.outputs(body).size(); ++i) {
    const Type element = engine.type(graph.outputs(body)[static_cast<size_t>(i)]);
    std::vector<Dim> each;
    if (element.is_tensor() && !element.shape.is_none()) {
      for (const Dim d : element.shape.dims()) {
        if (!d.is_expression()) continue;
        for (const Dim s : analysis.dims().SymbolsOf(d)) {
          if (!engine.IsInvariant(s, body)) each.push_back(s);
        }
      }
    }
    context->set_full_output_type(i, analysis.types().Sequence(element, length, each));
  }
  return {};
}

}  // namespace dimwise
