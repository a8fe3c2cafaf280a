// ONNX's Loop: carried values, results that are collected from each trip, and how many trips there are.
#include <algorithm>

#include "core/types/known_parts.h"
#include "infer/engine/engine.h"
#include "infer/engine/loop_state.h"
#include "infer/error.h"

namespace dimwise {
namespace {

constexpr size_t kMostParts = 8;  // of a condition that are looked at

// A collected result: the trips, then what each trip gives.
Type Collected(LoopState& loop, InferenceContext* context, const Type& each, const Trips& trips) {
  Type type = loop.OfEachTrip(each, trips);
  if (!type.is_tensor()) return Type::Tensor(ElementType::kUnknown, context->UnknownShape(1));
  if (type.shape.is_none() || !type.shape.has_rank()) {
    type.shape = context->UnknownShape(type.shape.is_none() ? 1 : type.shape.min_rank() + 1);
    return type;
  }
  std::vector<Dim> sizes{trips.count};
  sizes.insert(sizes.end(), type.shape.dims().begin(), type.shape.dims().end());
  type.shape = context->analysis().shapes().Make(sizes);
  return type;
}

// What a body is given in each trip: the number of the trip, and that it takes place. Each is a scalar, or a
// vector of one element where the body declares one.
BodyInputs ForTrip(Engine& engine, RegionId body, Dim trip) {
  const std::span<const ValueId> inputs = engine.graph().inputs(body);
  Analysis& analysis = engine.analysis();
  BodyInputs given;
  const auto add = [&](ElementType element, Dim content) {
    const size_t place = given.types.size();
    const Type declared = place < inputs.size() ? engine.graph().declared(inputs[place]) : Type();
    const bool is_vector = IsRanked(declared) && declared.shape.rank() == 1;
    const Dim one(1);
    const int64_t length = 1;
    const Shape shape = is_vector ? analysis.shapes().Make(std::span(&one, 1)) : analysis.shapes().Scalar();
    given.types.push_back(Type::Tensor(element, shape));
    given.contents.push_back(
        analysis.values().Integers(element, std::span(&length, is_vector ? 1 : 0), std::span(&content, 1)));
  };
  add(ElementType::kI64, trip);
  add(ElementType::kBool, 1);
  return given;
}

// The values that all have to be true where a condition is: itself, or the operands of And.
std::vector<ValueId> PartsOfCondition(const Graph& graph, ValueId condition) {
  std::vector<ValueId> parts = {condition};
  for (size_t i = 0; i < parts.size() && parts.size() < kMostParts;) {
    const NodeId maker = graph.maker(parts[i]);
    if (maker == kNoNode || graph.op_name(maker) != "onnx.And" || graph.operands(maker).size() != 2) {
      ++i;
      continue;
    }
    parts[i] = graph.operands(maker)[0];
    parts.push_back(graph.operands(maker)[1]);
  }
  return parts;
}

// Some exporters write such a limit for none.
constexpr int64_t kNoLimit = INT32_MAX;

}  // namespace

Status InferLoop(Engine& engine, NodeId node, InferenceContext* context) {
  const RegionId body = engine.FindRegion(node, "body");
  if (body == kNoRegion) return Error(Code::kMissingAttribute, "Loop needs a body");
  const Graph& graph = engine.graph();
  const int carried = std::max(context->num_inputs() - 2, 0);
  const size_t outputs = graph.outputs(body).size();
  if (outputs < 1 + static_cast<size_t>(carried) ||
      outputs < 1 + static_cast<size_t>(context->num_outputs())) {
    return Error(Code::kArity,
                 "the body of Loop gives {} values; a condition, {} carried ones and {} results are due",
                 outputs, carried, context->num_outputs());
  }
  DimTable& dims = context->dims();

  Dim limit;  // none: there is no limit, or it is not known
  const bool limited = context->has_input(0);
  if (limited) {
    const Dim m = OnlyInteger(context->input_tensor(0));
    if (!m.is_none()) limit = dims.Max(m, 0);
  }
  const Dim start = context->has_input(1) ? OnlyInteger(context->input_tensor(1)) : Dim(1);

  LoopState loop(engine, body, context);
  for (int j = 0; j < carried; ++j) loop.Carry(context->full_input_type(2 + j), context->input_tensor(2 + j));
  const NodeDescription& n = context->node();
  const Dim trip = dims.Fresh(SymbolKey{n.path, n.owner, kTripRole}, 0, INT64_MAX, context->Origin());
  if (!limit.is_none()) {
    const bool has_trips =
        context->facts().AtLeast(limit, 1, context->scope(), Trust::kWithoutChecked) == Truth::kYes;
    const Dim last = dims.Subtract(limit, 1);
    context->Ensure(AtMost(dims, trip, has_trips ? last : dims.Max(last, 0)));
  }
  loop.set_trip(trip, limit);
  loop.set_conditions(start, PartsOfCondition(graph, graph.outputs(body)[0]));
  const BodyInputs in_any_trip = ForTrip(engine, body, trip);
  const bool runs =
      start == Dim(1) && !limit.is_none() &&
      context->facts().AtLeast(limit, 1, context->scope(), Trust::kWithoutAssumed) == Truth::kYes;
  const bool certain = runs || (start == Dim(1) && !limited);
  DIMWISE_RETURN_IF_ERROR(loop.Run(in_any_trip.types, in_any_trip.contents, {}, 1, certain));

  const Dim goes_on = OnlyInteger(engine.contents(graph.outputs(body)[0]));
  std::vector<LoopCounter> counters = loop.Counters();
  counters.push_back({trip, 0, 1});
  Dim counted =
      CountTrips(dims, start, goes_on, counters, [&](Dim d) { return engine.IsInvariant(d, body); });
  const bool is_limited = limited && !(limit.is_constant() && limit.constant() >= kNoLimit);
  if (is_limited && !counted.is_none()) counted = limit.is_none() ? Dim() : dims.Min(counted, limit);
  Trips trips;
  trips.most = limit;
  if (start == Dim(0)) {
    trips = {Dim(0), true, Dim(0)};
  } else if (start == Dim(1) && goes_on == Dim(0) && (!limited || !limit.is_none())) {
    trips.count = limited ? dims.Min(limit, 1) : Dim(1);
    trips.certain = true;
    trips.most = trips.count;
  } else if (start == Dim(1) && goes_on == Dim(1) && !limit.is_none()) {
    trips.count = limit;
    trips.certain = true;
  } else if (!counted.is_none()) {
    trips.count = counted;
    trips.certain = true;
    if (trips.most.is_none()) trips.most = counted;
  } else {
    trips.count = dims.Fresh(SymbolKey{n.path, n.owner, 0x1F000001u}, 0, INT64_MAX, context->Origin());
    if (!is_limited) trips.most = Dim();
    // It ends at the latest where the first part of the condition is false that is known.
    for (const ValueId part : PartsOfCondition(graph, graph.outputs(body)[0])) {
      const Dim until = CountTrips(dims, 1, OnlyInteger(engine.contents(part)), counters,
                                   [&](Dim d) { return engine.IsInvariant(d, body); });
      if (!until.is_none()) trips.most = trips.most.is_none() ? until : dims.Min(trips.most, until);
    }
    if (certain) context->Ensure(AtLeast(dims, trips.count, 1));
    if (!trips.most.is_none()) context->Ensure(AtMost(dims, trips.count, trips.most));
  }
  trips.least = certain ? 1 : 0;
  // By what neither is assumed nor checked by others: a node behind the loop that requires its number of
  // trips would find nothing left to require.
  if (!trips.count.is_none()) {
    const Dim count = context->facts().Simplify(trips.count, context->scope(), Trust::kWithoutAssumed);
    if (count == context->facts().Simplify(trips.count, context->scope(), Trust::kWithoutChecked))
      trips.count = count;
  }

  DIMWISE_RETURN_IF_ERROR(loop.RequireInTrips(trips));
  DIMWISE_RETURN_IF_ERROR(loop.GoThrough(trips, [&](Dim one) { return ForTrip(engine, body, one); }));
  for (int i = 0; i < context->num_outputs(); ++i) {
    if (i < carried) {
      context->set_full_output_type(i, loop.FinalType(static_cast<size_t>(i), trips));
      context->set_output_value(i, loop.FinalContents(static_cast<size_t>(i), trips));
    } else {
      const Type each = engine.type(graph.outputs(body)[1 + static_cast<size_t>(i)]);
      context->set_full_output_type(i, Collected(loop, context, each, trips));
    }
  }
  return {};
}

}  // namespace dimwise
