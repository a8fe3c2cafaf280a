#include "infer/engine/control/loop_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "core/dims/dim_select.h"
#include "core/types/known_parts.h"
#include "infer/engine/control/type_join.h"

namespace dimwise {
namespace {

constexpr int kMaxRounds = 6;             // evaluations of the body before widening is given up
constexpr int kMaxAssumptionChanges = 3;  // changes of what the body assumes, in these rounds

bool HaveEqualRank(std::initializer_list<Shape> shapes) {
  return std::ranges::all_of(
      shapes, [&](Shape s) { return !s.is_none() && s.has_rank() && s.rank() == shapes.begin()->rank(); });
}

}  // namespace

LoopState::LoopState(ControlFlowContext& c, const LoopRegions& regions, InputsOfTrip inputs_of_trip)
    : c_(c),
      context_(c.context),
      regions_(regions),
      inputs_of_trip_(std::move(inputs_of_trip)),
      symbols_(c.context),
      steps_(context_->dims(), [this](Dim d) { return regions_.IsInvariant(d); }),
      growth_(
          context_->dims(), [this](Dim d) { return regions_.IsInvariant(d); },
          [this](Dim d) {
            return context_->facts().AtLeast(d, 0, regions_.scope(), FactFilter::kWithoutAssumed) ==
                   Truth::kYes;
          }) {}

void LoopState::Carry(Type type, Value contents) {
  CarriedState s;
  s.initial = s.entering = type;
  s.initial_contents = s.entering_contents = contents;
  states_.push_back(s);
}

void LoopState::set_trip(Dim symbol, Dim limit) {
  trip_ = symbol;
  limit_ = limit;
  steps_.set_trip(symbol);
  growth_.set_trip(symbol);
}

RegionInputs LoopState::initial() const {
  RegionInputs states;
  for (const CarriedState& s : states_) states.Add(s.initial, s.initial_contents);
  return states;
}

RegionInputs LoopState::entering() const {
  RegionInputs states;
  for (const CarriedState& s : states_) states.Add(s.entering, s.entering_contents);
  return states;
}

RegionInputs LoopState::leaving() const {
  RegionInputs states;
  for (const CarriedState& s : states_) states.Add(s.leaving, s.leaving_contents);
  return states;
}

// ---- Evaluation of the body ----

Status LoopState::RunBody() {
  DIMWISE_ASSIGN_OR_RETURN(const RegionInputs inputs, inputs_of_trip_(entering(), trip_));
  return RunRegion(c_, regions_.body, inputs, runs_);
}

Status LoopState::Run(size_t first_output, bool certain) {
  first_output_ = first_output;
  runs_ = certain ? RegionRuns::kAlways : RegionRuns::kMaybe;
  int changes_left = kMaxAssumptionChanges;
  if (const Clause is_within = TripIsWithinLimit();
      !is_within.empty() && !c_.state.regions.IsAssumed(regions_.body, is_within))
    Assume({});
  for (int round = 0;; ++round) {
    DIMWISE_RETURN_IF_ERROR(RunBody());
    // If the first trip fails, no trip is made or the loop has no result. The findings of the first trip
    // stay.
    if (round == 0 && Fails()) {
      for (CarriedState& s : states_) {
        s.leaving = s.entering;
        s.leaving_contents = s.entering_contents;
      }
      Assume({});
      return {};
    }
    const bool is_settled = !WidenStates();
    if (is_settled && AssumeBounds(changes_left--)) continue;
    if (is_settled) {
      NoteSteps();
      return {};
    }
    if (round < kMaxRounds && c_.state.budget.has_visits()) continue;
    Assume({});
    changes_left = 0;
    GiveUp();
    if (round > kMaxRounds + 2) return {};
  }
}

bool LoopState::WidenStates() {
  const std::span<const ValueId> outputs = c_.graph().outputs(regions_.body);
  bool is_changed = false;
  for (size_t j = 0; j < states_.size(); ++j) {
    const size_t output = first_output_ + j;
    const bool exists = output < outputs.size();
    Type& leaving = states_[j].leaving;
    leaving = exists ? c_.state.type(outputs[output]) : Type();
    // A value that no node computes may have an element type, from its users, but no shape.
    if (leaving.is_tensor() && leaving.shape.is_none()) leaving.shape = context_->UnknownShape();
    states_[j].leaving_contents = exists ? c_.state.contents(outputs[output]) : Value();
    is_changed |= StateWidening(regions_, context_, j, states_[j]).Widen();
  }
  return is_changed;
}

// Makes the shape and contents of each state unknown.
void LoopState::GiveUp() {
  for (CarriedState& s : states_) {
    if (s.is_given_up) continue;
    s.is_given_up = true;
    s.entering_contents = Value();
    if (s.entering.is_tensor())
      s.entering.shape = context_->UnknownShape();
    else
      s.entering = JoinTypes(context_, s.entering, s.leaving);
  }
}

Status LoopState::RunEachTrip(const Trips& trips) {
  const bool changes_rank = std::ranges::any_of(states_, [](const CarriedState& s) {
    return IsRanked(s.initial) && s.entering.is_tensor() && !s.entering.shape.has_rank();
  });
  const bool are_few =
      trips.certain && trips.count.is_constant() && trips.count.constant() <= LoopSteps::kMaxTrips;
  if (!changes_rank || !are_few || Fails() || !c_.state.budget.has_visits()) return {};
  RegionInputs states = initial();
  const std::span<const ValueId> outputs = c_.graph().outputs(regions_.body).subspan(first_output_);
  bool is_known = true;
  for (int64_t trip = 0; is_known && trip < trips.count.constant(); ++trip) {
    DIMWISE_ASSIGN_OR_RETURN(const RegionInputs inputs, inputs_of_trip_(states, Dim(trip)));
    DIMWISE_RETURN_IF_ERROR(RunRegion(c_, regions_.body, inputs, runs_));
    is_known = !Fails();
    for (size_t j = 0; j < states_.size(); ++j) {
      states.types[j] = c_.state.type(outputs[j]);
      // Contents may contain symbols of the body, which differ in each trip. Bytes contain no symbols.
      const Value contents = c_.state.contents(outputs[j]);
      const bool has_no_symbols = !contents.is_none() && contents.kind() == ValueKind::kBytes;
      states.contents[j] = has_no_symbols ? contents : Value();
      is_known = is_known && states.types[j] == Outside(states.types[j]);
    }
  }
  for (size_t j = 0; is_known && j < states_.size(); ++j) {
    if (IsRanked(states.types[j])) states_[j].final = states.types[j];
  }
  return RunBody();
}

// ---- Sizes and integers that change ----

std::vector<LoopState::Carried> LoopState::AllCarried() const {
  std::vector<Carried> all;
  for (size_t j = 0; j < states_.size(); ++j) {
    const CarriedState& s = states_[j];
    if (s.is_given_up || !s.initial.is_tensor() || !s.entering.is_tensor() || !s.leaving.is_tensor())
      continue;
    const auto add = [&](int axis, Dim initial, Dim entering, Dim leaving) {
      if (entering != initial) all.push_back({j, axis, {initial, entering, leaving}});
    };
    const Shape before = s.initial.shape, in = s.entering.shape, out = s.leaving.shape;
    for (int axis = 0; HaveEqualRank({before, in, out}) && axis < in.rank(); ++axis)
      add(axis, before[axis], in[axis], out[axis]);
    const Value entering = s.entering_contents, leaving = s.leaving_contents;
    if (entering.is_none() || leaving.is_none() || !std::ranges::equal(entering.dims(), leaving.dims()))
      continue;
    for (int64_t i = 0; i < entering.size(); ++i)
      add(-1, s.initial_contents.Integer(i), entering.Integer(i), leaving.Integer(i));
  }
  return all;
}

// Passes the change of each size and integer on to the computation of final sizes.
void LoopState::NoteSteps() {
  for (const Carried& carried : AllCarried()) {
    const auto& [initial, entering, leaving] = carried.number;
    steps_.Carry(entering, initial, leaving.is_none() ? leaving : Unfold(context_->dims(), leaving));
    growth_.Carry(entering, initial, leaving);
  }
}

// ---- Requirements of the body ----

Status LoopState::RequireInTrips(const Trips& trips) {
  int64_t number = trips.least;
  if (number > 0 && trips.certain && trips.count.is_constant())
    number = std::min(trips.count.constant(), LoopSteps::kMaxTrips);
  for (const NodeId node : c_.graph().Order(regions_.body)) {
    const NodeEffects* effects = c_.state.effects_of(node);
    if (effects == nullptr || !c_.state.live(node)) continue;
    for (const Guard& guard : effects->guards) {
      if (IsValidityCondition(guard.code)) continue;
      // The last trip comes first: if a size shrinks, its requirement implies those of the other trips.
      for (int64_t trip = number - 1; trip >= 0; --trip) {
        const std::optional<Condition> condition = InTrip(trip, guard.condition);
        if (!condition) continue;
        DIMWISE_RETURN_IF_ERROR(context_->Require(
            *condition, [&] { return fmt::format("in trip {} of the body: {}", trip + 1, guard.message); }));
      }
    }
  }
  return {};
}

// Returns a condition of the body in one trip; nullopt if it is unknown, or the same in all trips.
std::optional<Condition> LoopState::InTrip(int64_t trip, const Condition& condition) {
  Condition in_trip;
  for (const Clause& clause : condition.clauses) {
    const auto is_invariant = [&](const Literal& l) { return regions_.IsInvariant(l.value); };
    if (std::ranges::all_of(clause, is_invariant)) continue;
    Clause& now = in_trip.clauses.emplace_back();
    for (const Literal& literal : clause) {
      now.push_back({steps_.InTrip(trip, literal.value), literal.relation});
      if (now.back().value.is_none()) return std::nullopt;
    }
  }
  if (in_trip.clauses.empty()) return std::nullopt;
  return in_trip;
}

}  // namespace dimwise
