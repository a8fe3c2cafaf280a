#include "infer/engine/loop_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "core/base/hash_mix.h"
#include "core/dims/dim_select.h"
#include "core/types/known_parts.h"
#include "infer/context/certain_size.h"
#include "infer/engine/engine.h"
#include "infer/engine/join.h"
#include "infer/engine/region_rule.h"

namespace dimwise {
namespace {

constexpr uint32_t kSizeRole = 0x10000000u;
constexpr uint32_t kElementRole = 0x18000000u;
constexpr uint32_t kBoundedRole = 0x1A000000u;
constexpr size_t kLengthAxis = 0xFF;  // the role of the length of a sequence, beyond all axes
constexpr int kMaxRounds = 6;
constexpr int kMostChanges = 3;

bool SameSizes(Value a, Value b) { return std::ranges::equal(a.dims(), b.dims()); }

bool AreOfOneRank(std::initializer_list<Shape> shapes) {
  return std::ranges::all_of(
      shapes, [&](Shape s) { return !s.is_none() && s.has_rank() && s.rank() == shapes.begin()->rank(); });
}

}  // namespace

LoopState::LoopState(Engine& engine, RegionId body, InferenceContext* context)
    : engine_(engine),
      body_(body),
      context_(context),
      steps_(context->dims(), [&engine, body](Dim d) { return engine.IsInvariant(d, body); }),
      growth_(
          context->dims(), [&engine, body](Dim d) { return engine.IsInvariant(d, body); },
          [&engine, body, context](Dim d) {
            return context->facts().AtLeast(d, 0, engine.scope(body), Trust::kWithoutAssumed) == Truth::kYes;
          }) {}

void LoopState::Carry(Type type, Value contents) {
  State s;
  s.initial = s.entering = type;
  s.initial_contents = s.entering_contents = contents;
  states_.push_back(s);
}

Dim LoopState::SizeSymbol(size_t state, size_t axis) {
  const NodeDescription& n = context_->node();
  const auto role = kSizeRole | static_cast<uint32_t>(state << 8) | static_cast<uint32_t>(axis);
  return context_->dims().Fresh(SymbolKey{n.path, n.owner, role}, 0, INT64_MAX, context_->Origin());
}

Dim LoopState::ElementSymbol(size_t state, size_t element) {
  const NodeDescription& n = context_->node();
  const auto role = kElementRole | static_cast<uint32_t>(state << 8) | static_cast<uint32_t>(element);
  return context_->dims().Fresh(SymbolKey{n.path, n.owner, role}, INT64_MIN, INT64_MAX, context_->Origin());
}

// The same of a number that is never less than `least`.
Dim LoopState::BoundedSymbol(size_t state, size_t element, int64_t least) {
  const NodeDescription& n = context_->node();
  const auto role = kBoundedRole | static_cast<uint32_t>(state << 8) | static_cast<uint32_t>(element);
  const SymbolKey key{HashMix(n.path, static_cast<uint64_t>(least)), n.owner, role};
  return context_->dims().Fresh(key, least, INT64_MAX, context_->Origin());
}

// What a number is made that enters a trip as x and leaves it as y: x where they are the same; else one that
// is never less than at first, or never negative; else any. That holds if y is no less wherever x is not,
// which the next round shows.
Dim LoopState::GeneralizedNumber(size_t state, size_t element, Dim x, Dim y) {
  const Dim any = ElementSymbol(state, element);
  if (x == y || x == any) return x;
  const auto is_at_least = [&](Dim d, int64_t least) {
    return context_->facts().AtLeast(d, least, engine_.scope(body_), Trust::kWithoutAssumed) == Truth::kYes;
  };
  const Dim first = states_[state].initial_contents.Integer(static_cast<int64_t>(element));
  std::vector<int64_t> bounds;
  if (first.is_constant()) bounds.push_back(first.constant());
  if (first != Dim(0) && is_at_least(first, 0)) bounds.push_back(0);
  bool failed_before = false;
  for (const int64_t least : bounds) {
    const Dim bounded = BoundedSymbol(state, element, least);
    if (failed_before || is_at_least(y, least)) return bounded;
    failed_before = x == bounded;
  }
  return any;
}

Status LoopState::Run(std::vector<Type> before, std::vector<Value> before_contents, std::vector<Type> after,
                      size_t first_output, bool certain) {
  const Graph& graph = engine_.graph();
  first_output_ = first_output;
  runs_ = certain ? RegionRuns::kAlways : RegionRuns::kMaybe;
  before_contents.resize(before.size());
  int changes_left = kMostChanges;  // of what is assumed in the body
  if (const Clause is_within = TripIsWithinLimit();
      !is_within.empty() && !engine_.IsAssumedIn(body_, is_within))
    Tell({});
  for (int round = 0;; ++round) {
    inputs_ = {before, before_contents};
    for (const State& s : states_) {
      inputs_.types.push_back(s.entering);
      inputs_.contents.push_back(s.entering_contents);
    }
    inputs_.types.insert(inputs_.types.end(), after.begin(), after.end());
    DIMWISE_RETURN_IF_ERROR(engine_.RunRegion(body_, inputs_.types, inputs_.contents, runs_));
    // The first trip fails, so there is none, or no result. What was found of it is what there is to tell.
    if (round == 0 && engine_.FailsIn(body_)) {
      for (State& s : states_) s.leaving = s.entering, s.leaving_contents = s.entering_contents;
      Tell({});
      return {};
    }
    bool settled = true;
    for (size_t j = 0; j < states_.size(); ++j) {
      const size_t output = first_output + j;
      const bool there = output < graph.outputs(body_).size();
      Type& leaving = states_[j].leaving;
      leaving = there ? engine_.type(graph.outputs(body_)[output]) : Type();
      // Nobody computes it, but who uses it knows of its elements.
      if (leaving.is_tensor() && leaving.shape.is_none()) leaving.shape = context_->UnknownShape();
      states_[j].leaving_contents = there ? engine_.contents(graph.outputs(body_)[output]) : Value();
      settled &= !Generalize(j);
    }
    if (settled && AssumeBounds(changes_left--)) continue;
    if (settled) {
      TakeSteps();
      return {};
    }
    if (round < kMaxRounds && engine_.MayGoOn()) continue;
    // Enough: whatever is not settled is anything.
    Tell({});
    changes_left = 0;
    for (State& s : states_) {
      if (s.open) continue;
      s.open = true;
      s.entering_contents = Value();
      if (s.entering.is_tensor())
        s.entering.shape = context_->UnknownShape();
      else
        s.entering = JoinTypes(context_, s.entering, s.leaving);
    }
    if (round > kMaxRounds + 2) return {};
  }
}

Status LoopState::GoThrough(const Trips& trips, FunctionRef<BodyInputs(Dim trip)> before) {
  const bool changes_rank = std::ranges::any_of(states_, [](const State& s) {
    return IsRanked(s.initial) && s.entering.is_tensor() && !s.entering.shape.has_rank();
  });
  const bool are_few =
      trips.certain && trips.count.is_constant() && trips.count.constant() <= LoopSteps::kMostTrips;
  if (!changes_rank || !are_few || engine_.FailsIn(body_) || !engine_.MayGoOn()) return {};
  BodyInputs carried;
  for (const State& s : states_) {
    carried.types.push_back(s.initial);
    carried.contents.push_back(s.initial_contents);
  }
  const std::span<const ValueId> outputs = engine_.graph().outputs(body_).subspan(first_output_);
  bool is_known = true;
  for (int64_t trip = 0; is_known && trip < trips.count.constant(); ++trip) {
    BodyInputs inputs = before(Dim(trip));
    inputs.types.insert(inputs.types.end(), carried.types.begin(), carried.types.end());
    inputs.contents.insert(inputs.contents.end(), carried.contents.begin(), carried.contents.end());
    DIMWISE_RETURN_IF_ERROR(engine_.RunRegion(body_, inputs.types, inputs.contents, runs_));
    is_known = !engine_.FailsIn(body_);
    for (size_t j = 0; j < states_.size(); ++j) {
      carried.types[j] = engine_.type(outputs[j]);
      const Value contents = engine_.contents(outputs[j]);
      const bool are_numbers = !contents.is_none() && contents.kind() == ValueKind::kBytes;
      carried.contents[j] = are_numbers ? contents : Value();
      // A size that the body makes up is another one in each trip.
      is_known = is_known && carried.types[j] == Outside(carried.types[j]);
    }
  }
  for (size_t j = 0; is_known && j < states_.size(); ++j) {
    if (IsRanked(carried.types[j])) states_[j].last = carried.types[j];
  }
  return engine_.RunRegion(body_, inputs_.types, inputs_.contents, runs_);
}

// A sequence whose elements come from several trips: a size that depends on the trip is each element's own.
Type LoopState::WithOwnSizes(size_t j, const Type& type) {
  if (type.kind != TypeKind::kSequence || type.container->elements.size() != 1) return type;
  Container inside = *type.container;
  Type& element = inside.elements[0];
  if (!element.is_tensor() || element.shape.is_none() || !element.shape.has_rank()) return type;
  std::vector<Dim> sizes, each;
  for (const Dim d : element.shape.dims()) {
    const bool own = std::ranges::any_of(context_->dims().SymbolsOf(d), [&](Dim symbol) {
      return std::ranges::find(inside.each, symbol) != inside.each.end();
    });
    if (!own && engine_.IsInvariant(d, body_)) {
      sizes.push_back(d);
      continue;
    }
    sizes.push_back(SizeSymbol(j, sizes.size()));
    each.push_back(sizes.back());
  }
  element.shape = context_->analysis().shapes().Make(sizes);
  inside.each = std::move(each);
  return context_->analysis().types().Make(std::move(inside));
}

// A sequence that leaves with another length than it came with has a length of its own in each trip.
Type LoopState::WithOwnLength(size_t j, const Type& type) {
  const State& s = states_[j];
  for (const Type* t : {&type, &s.entering, &s.leaving}) {
    if (t->kind != TypeKind::kSequence) return type;
  }
  const Dim in = s.entering.container->length, out = s.leaving.container->length;
  if (in.is_none() || out.is_none() || in == out) return type;
  Container inside = *type.container;
  inside.length = SizeSymbol(j, kLengthAxis);
  return context_->analysis().types().Make(std::move(inside));
}

// Makes what comes in cover what goes out; whether it was changed.
bool LoopState::Generalize(size_t j) {
  State& s = states_[j];
  if (s.open) return false;
  bool changed = false;
  if (!s.entering.is_tensor() || !s.leaving.is_tensor()) {
    if (s.entering == s.leaving) return false;
    const Type joined = WithOwnLength(j, WithOwnSizes(j, JoinTypes(context_, s.entering, s.leaving)));
    changed = joined != s.entering;
    s.entering = joined;
    return changed;
  }
  if (s.entering.element != s.leaving.element && s.entering.element != ElementType::kUnknown) {
    s.entering.element = ElementType::kUnknown;
    changed = true;
  }
  const Shape in = s.entering.shape, out = s.leaving.shape;
  const ScopeId scope = engine_.scope(body_);
  if (in.has_rank() && (out.is_none() || !out.has_rank() || out.rank() != in.rank())) {
    s.entering.shape = context_->UnknownShape();
    changed = true;
  } else if (in.has_rank() && in != out) {
    std::vector<Dim> sizes(in.dims().begin(), in.dims().end());
    for (size_t axis = 0; axis < sizes.size(); ++axis) {
      const Dim leaving = out[static_cast<int>(axis)];
      if (sizes[axis] == leaving || sizes[axis] == SizeSymbol(j, axis)) continue;
      if (context_->facts().Equal(sizes[axis], leaving, scope, Trust::kWithoutAssumed) == Truth::kYes)
        continue;
      sizes[axis] = SizeSymbol(j, axis);
      changed = true;
    }
    s.entering.shape = context_->analysis().shapes().Make(sizes);
  }
  const Value known = s.entering_contents, left = s.leaving_contents;
  if (known.is_none() || known == left) return changed;
  const bool integers =
      !left.is_none() && known.size() <= 16 && known.element() == left.element() && SameSizes(known, left);
  std::vector<Dim> elements;
  for (int64_t i = 0; integers && i < known.size(); ++i) {
    const Dim x = known.Integer(i), y = left.Integer(i);
    if (x.is_none() || y.is_none()) break;
    elements.push_back(GeneralizedNumber(j, static_cast<size_t>(i), x, y));
    changed |= elements.back() != x;
  }
  if (integers && static_cast<int64_t>(elements.size()) == known.size()) {
    s.entering_contents = context_->analysis().values().Integers(known.element(), known.dims(), elements);
  } else {
    s.entering_contents = Value();
    changed = true;
  }
  return changed;
}

std::vector<LoopState::Carried> LoopState::AllCarried() const {
  std::vector<Carried> all;
  for (size_t j = 0; j < states_.size(); ++j) {
    const State& s = states_[j];
    if (s.open || !s.initial.is_tensor() || !s.entering.is_tensor() || !s.leaving.is_tensor()) continue;
    const auto add = [&](int axis, Dim initial, Dim entering, Dim leaving) {
      if (entering != initial) all.push_back({j, axis, initial, entering, leaving});
    };
    const Shape before = s.initial.shape, in = s.entering.shape, out = s.leaving.shape;
    for (int axis = 0; AreOfOneRank({before, in, out}) && axis < in.rank(); ++axis)
      add(axis, before[axis], in[axis], out[axis]);
    const Value known = s.entering_contents, left = s.leaving_contents;
    if (known.is_none() || left.is_none() || !SameSizes(known, left)) continue;
    for (int64_t i = 0; i < known.size(); ++i)
      add(-1, s.initial_contents.Integer(i), known.Integer(i), left.Integer(i));
  }
  return all;
}

// Notes what a trip makes of each size and number that it may change.
void LoopState::TakeSteps() {
  const auto carry = [&](Dim entering, Dim initial, Dim leaving) {
    steps_.Carry(entering, initial, leaving.is_none() ? leaving : Unfold(context_->dims(), leaving));
    growth_.Carry(entering, initial, leaving);
  };
  for (const Carried& c : AllCarried()) carry(c.entering, c.initial, c.leaving);
}

Type LoopState::FinalType(size_t j, const Trips& trips) {
  const State& s = states_[j];
  if (trips.certain && trips.count == Dim(0)) return s.initial;
  if (s.last) return *s.last;
  Type type = s.entering;
  if (s.open) return type;
  if (!type.is_tensor() || !s.initial.is_tensor()) {
    const Type outside = Outside(type);
    if (type.kind != TypeKind::kSequence || type.container->length != SizeSymbol(j, kLengthAxis))
      return outside;
    Container inside = *outside.container;
    inside.length = trips.certain ? FinalSize(s.initial.container->length, type.container->length,
                                              s.leaving.container->length, trips, /*is_size=*/true)
                                  : Dim();
    return context_->analysis().types().Make(std::move(inside));
  }
  if (!type.shape.has_rank()) {
    // The rank is not the same in each trip; or it never was known.
    if (s.initial.shape == type.shape && s.leaving.shape == type.shape) return type;
    // What leaves a trip does not depend on what came in, which was anything.
    const bool has_rank = s.leaving.is_tensor() && s.leaving.shape.has_rank();
    if (has_rank && IsAtLeast(trips, 1)) {
      type.shape = Outside(s.leaving).shape;
      return type;
    }
    type.shape = has_rank && s.initial.shape.has_rank()
                     ? context_->UnknownShape(std::min(s.initial.shape.rank(), s.leaving.shape.rank()),
                                              std::max(s.initial.shape.rank(), s.leaving.shape.rank()))
                     : context_->UnknownShape();
    return type;
  }
  std::vector<Dim> sizes;
  for (int axis = 0; axis < type.shape.rank(); ++axis) {
    sizes.push_back(
        FinalSize(s.initial.shape[axis], type.shape[axis], s.leaving.shape[axis], trips, /*is_size=*/true));
    if (!sizes.back().is_none() && !IsCertainlySize(context_->dims(), sizes.back()))
      context_->Ensure(AtLeast(context_->dims(), sizes.back(), 0));  // the body makes no other
  }
  type.shape = context_->analysis().shapes().Make(sizes);
  return type;
}

Value LoopState::FinalContents(size_t j, const Trips& trips) {
  const State& s = states_[j];
  if (trips.certain && trips.count == Dim(0)) return s.initial_contents;
  const Value in = s.entering_contents;
  if (in.is_none() || in == s.initial_contents) return in;
  std::vector<Dim> elements;
  for (int64_t i = 0; i < in.size(); ++i) {
    elements.push_back(FinalSize(s.initial_contents.Integer(i), in.Integer(i), s.leaving_contents.Integer(i),
                                 trips,
                                 /*is_size=*/false));
    if (elements.back().is_none()) return Value();
  }
  return context_->analysis().values().Integers(in.element(), in.dims(), elements);
}

// The last trips first: where a size shrinks, their checks imply those of the others.
Status LoopState::RequireInTrips(const Trips& trips) {
  int64_t number = trips.least;
  if (number > 0 && trips.certain && trips.count.is_constant())
    number = std::min(trips.count.constant(), LoopSteps::kMostTrips);
  for (const NodeId node : engine_.graph().Order(body_)) {
    const Engine::Record* record = engine_.record(node);
    if (record == nullptr || !engine_.live(node)) continue;
    for (const Check& check : record->checks) {
      if (RestsOnOthers(check)) continue;
      for (int64_t trip = number - 1; trip >= 0; --trip) {
        const std::optional<Condition> then = InTrip(trip, check.condition);
        if (!then) continue;
        DIMWISE_RETURN_IF_ERROR(context_->Require(
            *then, [&] { return fmt::format("in trip {} of the body: {}", trip + 1, check.message); }));
      }
    }
  }
  return {};
}

// A condition of the body as it is in a trip; nothing where that is not known, or is the same in all of them.
std::optional<Condition> LoopState::InTrip(int64_t trip, const Condition& condition) {
  Condition then;
  for (const Clause& clause : condition.clauses) {
    const auto is_invariant = [&](const Literal& l) { return engine_.IsInvariant(l.value, body_); };
    if (std::ranges::all_of(clause, is_invariant)) continue;
    Clause& now = then.clauses.emplace_back();
    for (const Literal& literal : clause) {
      now.push_back({steps_.InTrip(trip, literal.value), literal.relation});
      if (now.back().value.is_none()) return std::nullopt;
    }
  }
  if (then.clauses.empty()) return std::nullopt;
  return then;
}

Type LoopState::Outside(const Type& type) { return SeenFromOutside(engine_, body_, type, context_); }

Type LoopState::OfEachTrip(const Type& type, const Trips& trips) {
  if (!IsRanked(type) || !IsAtLeast(trips, 1)) return Outside(type);
  std::vector<Dim> sizes;
  for (const Dim d : type.shape.dims()) {
    const Dim first = engine_.IsInvariant(d, body_) ? d : steps_.InTrip(0, Unfold(context_->dims(), d));
    sizes.push_back(!first.is_none() && engine_.IsInvariant(first, body_) ? first : d);
  }
  Type seen = type;
  seen.shape = context_->analysis().shapes().Make(sizes);
  return Outside(seen);
}

}  // namespace dimwise
