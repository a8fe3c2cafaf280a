// Scans: one trip for each slice of the scanned operands; results are states, or stacked from all trips.
//
// A batched scan has a batch as the first axis of all operands and results.
#include <algorithm>
#include <optional>
#include <vector>

#include "core/types/known_parts.h"
#include "infer/engine/control/loop_state.h"
#include "infer/error.h"

namespace dimwise {
namespace {

class ScanInference {
 public:
  explicit ScanInference(ControlFlowContext& c)
      : c_(c),
        flow_(c.control_flow()),
        context_(c.context),
        regions_{c.state, c.state.RegionAt(c.node, flow_.body.region)} {}

  Status Run();

 private:
  ItemRange ItemsOfBody(RegionItem item) const {
    return ItemsOf(flow_.body.gives, item, operands_,
                   static_cast<int>(c_.graph().outputs(regions_.body).size()));
  }
  ItemRange ItemsOfResults(RegionItem item) const {
    return ItemsOf(flow_.results, item, operands_, context_->num_outputs());
  }

  Status MissingAttribute() const;
  Status CompareCounts() const;
  void AddStates(LoopState* loop);
  Status ReadSlices();
  Status AddSlice(Type type, size_t index);
  Status SetResults(LoopState* loop, const Trips& trips);
  Result<Type> StackedType(LoopState* loop, size_t index, int result, Dim trips);
  // Removes the batch of an operand, if there is one.
  Type WithoutBatch(const Type& type);
  std::optional<int> AxisAt(std::string_view attribute, size_t index, int rank) const;
  Type WithoutAxis(Type type, int axis) const;
  Type WithAxis(Type type, int axis, Dim size) const;

  ControlFlowContext& c_;
  const ControlFlow& flow_;
  InferenceContext* const context_;
  const LoopRegions regions_;
  LoopOperands operands_;
  Dim batch_;            // none if unknown
  Dim trips_;            // the size of the scanned axes; none if unknown
  RegionInputs slices_;  // the inputs of the body that are slices of operands
};

Status ScanInference::Run() {
  if (regions_.body == kNoRegion) return MissingRegion(c_, flow_.body.region);
  const std::optional<LoopOperands> operands = LoopOperandsOf(c_.state, c_.node);
  if (!operands) return MissingAttribute();
  operands_ = *operands;
  DIMWISE_RETURN_IF_ERROR(CompareCounts());
  const auto inputs_of_trip = [this](const RegionInputs& states, Dim trip) -> Result<RegionInputs> {
    return InputsOf(c_, regions_.body, flow_.body,
                    {.states = states, .elements = slices_, .forwarded = {}, .trip = trip});
  };
  LoopState loop(c_, regions_, inputs_of_trip);
  AddStates(&loop);
  DIMWISE_RETURN_IF_ERROR(ReadSlices());
  if (trips_.is_none()) trips_ = context_->UnknownDim();
  // Runtimes cannot stack the results of no trip: a scan without trips fails, unless the batch is empty. The
  // lengths of the samples of a batch do not matter for shapes.
  const bool stacks = !flow_.batched && ItemsOfBody(RegionItem::kStacked).size > 0;
  const bool runs = stacks || context_->facts().AtLeast(trips_, 1, context_->scope(),
                                                        FactFilter::kWithoutAssumed) == Truth::kYes;
  DIMWISE_RETURN_IF_ERROR(loop.Run(static_cast<size_t>(ItemsOfBody(RegionItem::kState).begin), runs));
  const Trips trips{
      .count = trips_, .certain = true, .most = trips_, .least = runs && !flow_.batched ? 1 : 0};
  DIMWISE_RETURN_IF_ERROR(loop.RequireInTrips(trips));
  return SetResults(&loop, trips);
}

// The number of scanned operands is unknown. It is an error if an attribute is missing; otherwise the results
// are unknown.
Status ScanInference::MissingAttribute() const {
  for (const AttrDef& attribute : context_->op()->attrs) {
    if (attribute.required && attribute.name != flow_.body.region &&
        context_->FindAttr(attribute.name) == nullptr)
      return Error(Code::kMissingAttribute, "{} has no {}", OperatorName(c_), attribute.name);
  }
  return {};
}

Status ScanInference::CompareCounts() const {
  if (operands_.scanned < 1 || operands_.states < 0) {
    return Error(Code::kArity, "{} scans {} of its {} operands", OperatorName(c_), operands_.scanned,
                 context_->num_inputs());
  }
  const int outputs = static_cast<int>(c_.graph().outputs(regions_.body).size());
  const int needed = operands_.states + ItemsOfResults(RegionItem::kStacked).size;
  if (outputs >= needed) return {};
  return Error(Code::kArity, "the {} of {} gives {} values; {} are expected", flow_.body.region,
               OperatorName(c_), outputs, needed);
}

// ---- Operands ----

void ScanInference::AddStates(LoopState* loop) {
  for (int i = operands_.first_state; i < operands_.first_state + operands_.states; ++i)
    loop->Carry(WithoutBatch(context_->full_input_type(i)),
                flow_.batched ? Value() : context_->input_tensor(i));
}

Status ScanInference::ReadSlices() {
  for (int k = 0; k < operands_.scanned; ++k) {
    DIMWISE_RETURN_IF_ERROR(
        AddSlice(context_->full_input_type(operands_.first_scanned + k), static_cast<size_t>(k)));
  }
  return {};
}

Status ScanInference::AddSlice(Type type, size_t index) {
  if (!IsRanked(type)) {
    slices_.Add(Type::Tensor(type.element, context_->UnknownShape()), Value());
    return {};
  }
  type = WithoutBatch(type);
  const std::optional<int> axis = AxisAt(flow_.axes, index, type.shape.rank());
  if (!axis || type.shape.rank() == 0) {
    return Error(Code::kOutOfRange, "{} cannot take slices of {}: it has no such axis", OperatorName(c_),
                 context_->DebugString(type.shape));
  }
  if (trips_.is_none()) {
    trips_ = type.shape[*axis];
  } else {
    DIMWISE_ASSIGN_OR_RETURN(trips_, context_->Merge(trips_, type.shape[*axis]));
  }
  slices_.Add(WithoutAxis(type, *axis), Value());
  return {};
}

Type ScanInference::WithoutBatch(const Type& type) {
  if (!flow_.batched || !IsRanked(type) || type.shape.rank() == 0) return type;
  if (batch_.is_none()) batch_ = type.shape[0];
  return WithoutAxis(type, 0);
}

// Returns an element of a list of axes, from 0; the axis 0 if the list does not have it. Returns nullopt if
// the axis is out of range.
std::optional<int> ScanInference::AxisAt(std::string_view attribute, size_t index, int rank) const {
  const AttrValue* value = attribute.empty() ? nullptr : context_->FindAttr(attribute);
  if (value == nullptr) return 0;
  const std::optional<AttrValue::Ints> axes = AsInts(*value);
  if (!axes || index >= axes->size()) return 0;
  const int64_t axis = (*axes)[index];
  if (axis < -rank || axis >= rank) return std::nullopt;
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

Type ScanInference::WithoutAxis(Type type, int axis) const {
  std::vector<Dim> sizes(type.shape.dims().begin(), type.shape.dims().end());
  sizes.erase(sizes.begin() + axis);
  type.shape = context_->analysis().shapes().Make(sizes);
  return type;
}

Type ScanInference::WithAxis(Type type, int axis, Dim size) const {
  std::vector<Dim> sizes(type.shape.dims().begin(), type.shape.dims().end());
  sizes.insert(sizes.begin() + axis, size);
  type.shape = context_->analysis().shapes().Make(sizes);
  return type;
}

// ---- Results ----

Status ScanInference::SetResults(LoopState* loop, const Trips& trips) {
  const ItemRange states = ItemsOfResults(RegionItem::kState), stacked = ItemsOfResults(RegionItem::kStacked);
  for (int i = 0; i < context_->num_outputs(); ++i) {
    Type type;
    if (states.contains(i)) {
      const auto state = static_cast<size_t>(i - states.begin);
      type = loop->FinalType(state, trips);
      if (!flow_.batched) context_->set_output_value(i, loop->FinalContents(state, trips));
    } else if (stacked.contains(i)) {
      DIMWISE_ASSIGN_OR_RETURN(type,
                               StackedType(loop, static_cast<size_t>(i - stacked.begin), i, trips.count));
    }
    if (flow_.batched && IsRanked(type))
      type = WithAxis(type, 0, batch_.is_none() ? context_->UnknownDim() : batch_);
    if (type.kind != TypeKind::kUnknown) context_->set_full_output_type(i, type);
  }
  return {};
}

Result<Type> ScanInference::StackedType(LoopState* loop, size_t index, int result, Dim trips) {
  const size_t output = static_cast<size_t>(ItemsOfBody(RegionItem::kStacked).begin) + index;
  Type type = loop->Outside(c_.state.type(c_.graph().outputs(regions_.body)[output]));
  if (IsRanked(type)) {
    const std::optional<int> axis = AxisAt(flow_.result_axes, index, type.shape.rank() + 1);
    if (!axis)
      return Error(Code::kOutOfRange, "{} has no axis to stack result {} on", OperatorName(c_), result);
    return WithAxis(type, *axis, trips);
  }
  if (type.is_tensor()) type.shape = context_->UnknownShape(1);
  return type;
}

}  // namespace

Status InferScan(ControlFlowContext& c) { return ScanInference(c).Run(); }

}  // namespace dimwise
