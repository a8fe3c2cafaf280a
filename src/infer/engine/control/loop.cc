// Loops: the states after the last trip, results that are stacked from all trips, and the number of trips.
#include <algorithm>
#include <optional>
#include <vector>

#include "core/types/known_parts.h"
#include "infer/engine/control/loop_state.h"
#include "infer/error.h"

namespace dimwise {
namespace {

constexpr size_t kMaxConditionParts = 8;

// Exporters state a limit of at least this number if there is none. No loop makes as many trips, so such a
// limit is no bound.
constexpr int64_t kUnreachableLimit = INT32_MAX;

class LoopInference {
 public:
  explicit LoopInference(ControlFlowContext& c)
      : c_(c),
        flow_(c.control_flow()),
        context_(c.context),
        dims_(c.context->dims()),
        regions_{c.state, c.state.RegionAt(c.node, flow_.body.region), ConditionRegion(c)} {}

  Status Run();

 private:
  static RegionId ConditionRegion(const ControlFlowContext& c) {
    const std::string& attribute = c.control_flow().condition_region.region;
    return attribute.empty() ? kNoRegion : c.state.RegionAt(c.node, attribute);
  }
  bool has_condition_region() const { return regions_.condition != kNoRegion; }
  bool forwards() const { return Given(RegionItem::kForwarded, flow_.body.takes); }
  static bool Given(RegionItem item, const std::vector<RegionItem>& layout) {
    return std::ranges::find(layout, item) != layout.end();
  }
  ItemRange ItemsOfBody(RegionItem item) const {
    return ItemsOf(flow_.body.gives, item, operands_,
                   static_cast<int>(c_.graph().outputs(regions_.body).size()));
  }
  ItemRange ItemsOfCondition(RegionItem item) const {
    return ItemsOf(flow_.condition_region.gives, item, operands_,
                   static_cast<int>(c_.graph().outputs(regions_.condition).size()));
  }
  ItemRange ItemsOfResults(RegionItem item) const {
    return ItemsOf(flow_.results, item, operands_, context_->num_outputs());
  }
  // Returns the only element of an operand; `otherwise` if the node does not have the operand.
  Dim Number(ArgIndex argument, Dim otherwise) const;

  // The parts of Run.
  Status CountOutputs() const;
  void ReadLimit();
  Status ReadStart(const RegionInputs& initial);
  Result<RegionInputs> InputsOfTrip(const RegionInputs& states, Dim trip);
  Status RunConditionRegion(const RegionInputs& states);
  Dim TripNumber(Dim trip) const { return dims_.Add(first_, dims_.Multiply(trip, step_)); }
  bool HasTrip(FactFilter filter) const;
  bool IsBounded() const;
  Dim ConditionAfterTrip() const;
  std::vector<ValueId> PartsOfCondition() const;
  Trips TripsOf(const LoopState& loop);
  Trips UnknownTrips(const std::vector<LoopCounter>& counters);
  void SimplifyCount(Trips* trips) const;
  void SetResults(LoopState* loop, const Trips& trips);
  Type StackedType(LoopState* loop, const Type& type, const Trips& trips);

  ControlFlowContext& c_;
  const ControlFlow& flow_;
  InferenceContext* const context_;
  DimTable& dims_;
  const LoopRegions regions_;
  LoopOperands operands_;
  bool is_limited_ = false;
  bool is_certain_ = false;   // there is at least one trip if the node runs
  Dim limit_;                 // of trips; none if there is none or it is unknown
  Dim first_ = 0, step_ = 1;  // numbers that the body takes: first_, first_ + step_, ...; none if unknown
  Dim start_;                 // 1 if the first trip is made, else 0; none if unknown
  Dim trip_;                  // the symbol for the number of the trip, from 0
};

Status LoopInference::Run() {
  if (regions_.body == kNoRegion) return MissingRegion(c_, flow_.body.region);
  if (!flow_.condition_region.region.empty() && !has_condition_region())
    return MissingRegion(c_, flow_.condition_region.region);
  const std::optional<LoopOperands> operands = LoopOperandsOf(c_.state, c_.node);
  if (!operands) return {};
  operands_ = *operands;
  DIMWISE_RETURN_IF_ERROR(CountOutputs());
  ReadLimit();
  LoopState loop(c_, regions_,
                 [this](const RegionInputs& states, Dim trip) { return InputsOfTrip(states, trip); });
  for (int i = operands_.first_state; i < operands_.first_state + operands_.states; ++i)
    loop.Carry(context_->full_input_type(i), context_->input_tensor(i));
  DIMWISE_RETURN_IF_ERROR(ReadStart(loop.initial()));
  trip_ = LoopSymbols(context_).Trip();
  if (!limit_.is_none()) {
    const Dim last = dims_.Subtract(limit_, 1);
    context_->Ensure(AtMost(dims_, trip_, HasTrip(FactFilter::kWithoutChecked) ? last : dims_.Max(last, 0)));
  }
  loop.set_trip(trip_, limit_);
  // A condition region is evaluated after the body, so its value is not used inside the body.
  loop.set_conditions(start_, has_condition_region() ? std::vector<ValueId>() : PartsOfCondition());
  is_certain_ = start_ == Dim(1) && (!is_limited_ || HasTrip(FactFilter::kWithoutAssumed));
  DIMWISE_RETURN_IF_ERROR(loop.Run(static_cast<size_t>(ItemsOfBody(RegionItem::kState).begin), is_certain_));
  if (has_condition_region() && !forwards()) DIMWISE_RETURN_IF_ERROR(RunConditionRegion(loop.leaving()));
  const Trips trips = TripsOf(loop);
  DIMWISE_RETURN_IF_ERROR(loop.RequireInTrips(trips));
  DIMWISE_RETURN_IF_ERROR(loop.RunEachTrip(trips));
  // The outputs of the condition region keep their values for an arbitrary state.
  if (has_condition_region()) DIMWISE_RETURN_IF_ERROR(RunConditionRegion(loop.entering()));
  SetResults(&loop, trips);
  return {};
}

// ---- Parts of the loop ----

Dim LoopInference::Number(ArgIndex argument, Dim otherwise) const {
  const int operand = FirstOperand(c_.state, c_.node, argument);
  return context_->has_input(operand) ? OnlyInteger(context_->input_tensor(operand)) : otherwise;
}

// Compares the number of outputs of the body with the values that are read from it.
Status LoopInference::CountOutputs() const {
  const int outputs = static_cast<int>(c_.graph().outputs(regions_.body).size());
  int needed = 0;
  for (const RegionItem item : flow_.body.gives) {
    if (item == RegionItem::kCondition) needed += 1;
    if (item == RegionItem::kState) needed += operands_.states;
    if (item == RegionItem::kStacked) needed += ItemsOfResults(item).size;
  }
  if (outputs >= needed) return {};
  return Error(Code::kArity, "the {} of {} gives {} values; {} are expected", flow_.body.region,
               OperatorName(c_), outputs, needed);
}

// The operand `limit` bounds the numbers first + trip*step; limit_ is a number of trips.
void LoopInference::ReadLimit() {
  first_ = Number(flow_.first, 0);
  step_ = Number(flow_.step, 1);
  is_limited_ = context_->has_input(FirstOperand(c_.state, c_.node, flow_.limit));
  if (is_limited_) {
    Dim distance = dims_.Subtract(Number(flow_.limit, Dim()), first_);
    if (step_ != Dim(1)) {
      const bool is_positive =
          !step_.is_none() &&
          context_->facts().AtLeast(step_, 1, context_->scope(), FactFilter::kWithoutAssumed) == Truth::kYes;
      distance = is_positive && !distance.is_none() ? dims_.CeilDivide(distance, step_) : Dim();
    }
    if (!distance.is_none()) limit_ = dims_.Max(distance, 0);
  }
  const Dim most = PropertyValue(c_.state, c_.node, flow_.most_trips);
  if (most.is_none()) return;
  const Dim bound = dims_.Max(most, 0);
  if (!is_limited_) limit_ = bound;
  if (is_limited_ && !limit_.is_none()) limit_ = dims_.Min(limit_, bound);
  is_limited_ = true;
}

// Finds whether the first trip is made, apart from the limit.
Status LoopInference::ReadStart(const RegionInputs& initial) {
  start_ = Number(flow_.condition, 1);
  if (!has_condition_region()) return {};
  DIMWISE_RETURN_IF_ERROR(RunConditionRegion(initial));
  start_ = ConditionAfterTrip();
  if (!start_.is_none() && !regions_.IsInvariant(start_)) start_ = Dim();
  return {};
}

Status LoopInference::RunConditionRegion(const RegionInputs& states) {
  const RegionItems items{.states = states, .elements = {}, .forwarded = {}, .trip = TripNumber(trip_)};
  const RegionInputs inputs = InputsOf(c_, regions_.condition, flow_.condition_region, items);
  return RunRegion(c_, regions_.condition, inputs, RegionRuns::kAlways);
}

// Values that the condition region forwards to the body are computed from the states.
Result<RegionInputs> LoopInference::InputsOfTrip(const RegionInputs& states, Dim trip) {
  RegionItems items{.states = states, .elements = {}, .forwarded = {}, .trip = TripNumber(trip)};
  if (has_condition_region() && forwards()) {
    DIMWISE_RETURN_IF_ERROR(RunConditionRegion(states));
    items.forwarded = OutputsOf(c_.state, regions_.condition, ItemsOfCondition(RegionItem::kForwarded));
  }
  return InputsOf(c_, regions_.body, flow_.body, items);
}

// ---- The number of trips ----

// Returns whether the limit allows at least one trip.
bool LoopInference::HasTrip(FactFilter filter) const {
  return !limit_.is_none() && context_->facts().AtLeast(limit_, 1, context_->scope(), filter) == Truth::kYes;
}

// Returns whether the limit counts as a bound of the number of trips.
bool LoopInference::IsBounded() const {
  return is_limited_ && !(limit_.is_constant() && limit_.constant() >= kUnreachableLimit);
}

// Returns the values that are all true if the condition after a trip is true: the condition, or the operands
// of a conjunction. Returns none if no value is the condition.
std::vector<ValueId> LoopInference::PartsOfCondition() const {
  const RegionId region = has_condition_region() ? regions_.condition : regions_.body;
  const ItemRange range =
      has_condition_region() ? ItemsOfCondition(RegionItem::kCondition) : ItemsOfBody(RegionItem::kCondition);
  const Graph& graph = c_.graph();
  const auto index = static_cast<size_t>(range.begin);
  if (range.size == 0 || index >= graph.outputs(region).size()) return {};
  std::vector<ValueId> parts = {graph.outputs(region)[index]};
  for (size_t i = 0; i < parts.size() && parts.size() < kMaxConditionParts;) {
    const NodeId maker = graph.maker(parts[i]);
    const bool is_conjunction = maker != kNoNode && graph.operands(maker).size() == 2 &&
                                c_.state.operators.Resolve(maker).properties->computes == Computation::kAnd;
    if (!is_conjunction) {
      ++i;
      continue;
    }
    parts[i] = graph.operands(maker)[0];
    parts.push_back(graph.operands(maker)[1]);
  }
  return parts;
}

// Returns whether another trip follows a trip if the limit allows it: 1, 0, or an expression in the states
// that leave the trip; none if it is unknown.
Dim LoopInference::ConditionAfterTrip() const {
  const bool has_condition = has_condition_region() || Given(RegionItem::kCondition, flow_.body.gives);
  if (!has_condition) return 1;
  const RegionId region = has_condition_region() ? regions_.condition : regions_.body;
  const ItemRange range =
      has_condition_region() ? ItemsOfCondition(RegionItem::kCondition) : ItemsOfBody(RegionItem::kCondition);
  const RegionInputs found = OutputsOf(c_.state, region, range);
  return found.contents.empty() ? Dim() : OnlyInteger(found.contents[0]);
}

Trips LoopInference::TripsOf(const LoopState& loop) {
  // Symbols of a condition region that forwards values mean other sizes in each of its evaluations. So
  // nothing is derived from the condition after a trip.
  const Dim goes_on = forwards() ? Dim() : ConditionAfterTrip();
  std::vector<LoopCounter> counters = loop.Counters();
  counters.push_back({trip_, 0, 1});
  Dim counted = CountTrips(dims_, start_, goes_on, counters, [&](Dim d) { return regions_.IsInvariant(d); });
  if (IsBounded() && !counted.is_none()) counted = limit_.is_none() ? Dim() : dims_.Min(counted, limit_);
  Trips trips{.count = {}, .certain = true, .most = limit_, .least = 0};
  if (start_ == Dim(0)) {
    trips.count = trips.most = 0;
  } else if (start_ == Dim(1) && goes_on == Dim(0) && (!is_limited_ || !limit_.is_none())) {
    trips.count = trips.most = is_limited_ ? dims_.Min(limit_, 1) : Dim(1);
  } else if (start_ == Dim(1) && goes_on == Dim(1) && !limit_.is_none()) {
    trips.count = limit_;
  } else if (!counted.is_none()) {
    trips.count = counted;
    if (trips.most.is_none()) trips.most = counted;
  } else {
    trips = UnknownTrips(counters);
  }
  trips.least = is_certain_ ? 1 : 0;
  SimplifyCount(&trips);
  return trips;
}

// Returns a symbol for the number of trips, which the condition bounds if one of its parts is known.
Trips LoopInference::UnknownTrips(const std::vector<LoopCounter>& counters) {
  Trips trips{.count = LoopSymbols(context_).TripCount(),
              .certain = false,
              .most = IsBounded() ? limit_ : Dim(),
              .least = 0};
  const std::vector<ValueId> parts = forwards() ? std::vector<ValueId>() : PartsOfCondition();
  for (const ValueId part : parts) {
    const Dim until = CountTrips(dims_, 1, OnlyInteger(c_.state.contents(part)), counters,
                                 [&](Dim d) { return regions_.IsInvariant(d); });
    if (!until.is_none()) trips.most = trips.most.is_none() ? until : dims_.Min(trips.most, until);
  }
  if (is_certain_) context_->Ensure(AtLeast(dims_, trips.count, 1));
  if (!trips.most.is_none()) context_->Ensure(AtMost(dims_, trips.count, trips.most));
  return trips;
}

// Simplifies the count by facts that are neither assumed nor checked. A checked fact may come from a node
// after the loop that requires a certain count; that node would then have nothing left to require.
void LoopInference::SimplifyCount(Trips* trips) const {
  if (trips->count.is_none()) return;
  const Dim count = context_->facts().Simplify(trips->count, context_->scope(), FactFilter::kWithoutAssumed);
  if (count == context_->facts().Simplify(trips->count, context_->scope(), FactFilter::kWithoutChecked))
    trips->count = count;
}

// ---- Results ----

void LoopInference::SetResults(LoopState* loop, const Trips& trips) {
  const ItemRange states = ItemsOfResults(RegionItem::kState), stacked = ItemsOfResults(RegionItem::kStacked),
                  forwarded = ItemsOfResults(RegionItem::kForwarded);
  for (int i = 0; i < context_->num_outputs(); ++i) {
    if (states.contains(i)) {
      const auto state = static_cast<size_t>(i - states.begin);
      context_->set_full_output_type(i, loop->FinalType(state, trips));
      context_->set_output_value(i, loop->FinalContents(state, trips));
    } else if (stacked.contains(i)) {
      const int output = ItemsOfBody(RegionItem::kStacked).begin + i - stacked.begin;
      const ValueId each = c_.graph().outputs(regions_.body)[static_cast<size_t>(output)];
      context_->set_full_output_type(i, StackedType(loop, c_.state.type(each), trips));
    } else if (forwarded.contains(i) && has_condition_region()) {
      // The condition region was evaluated for any state, so its outputs cover those after the last trip.
      const int output = ItemsOfCondition(RegionItem::kForwarded).begin + i - forwarded.begin;
      const RegionInputs found = OutputsOf(c_.state, regions_.condition, {.begin = output, .size = 1});
      const Type type = found.types.empty() ? Type() : loop->Outside(found.types[0]);
      if (type.kind != TypeKind::kUnknown) context_->set_full_output_type(i, type);
    }
  }
}

// Returns the type of a result that is stacked along a new first axis.
Type LoopInference::StackedType(LoopState* loop, const Type& each, const Trips& trips) {
  Type type = loop->OutsideOfStacked(each, trips);
  if (!type.is_tensor()) return Type::Tensor(ElementType::kUnknown, context_->UnknownShape(1));
  if (type.shape.is_none() || !type.shape.has_rank()) {
    type.shape = context_->UnknownShape(type.shape.is_none() ? 1 : type.shape.min_rank() + 1);
    return type;
  }
  Dim length = trips.count;
  if (flow_.pads_to_limit) length = limit_.is_none() ? context_->UnknownDim() : limit_;
  std::vector<Dim> sizes{length};
  sizes.insert(sizes.end(), type.shape.dims().begin(), type.shape.dims().end());
  type.shape = context_->analysis().shapes().Make(sizes);
  return type;
}

}  // namespace

Status InferLoop(ControlFlowContext& c) { return LoopInference(c).Run(); }

}  // namespace dimwise
