#include "infer/engine/loop_state.h"

#include <algorithm>

#include "infer/engine/engine.h"
#include "infer/engine/join.h"
#include "infer/engine/region_rule.h"

namespace dimwise {
namespace {

constexpr uint32_t kSizeRole = 0x10000000u;
constexpr uint32_t kElementRole = 0x18000000u;
constexpr size_t kLengthAxis = 0xFF;  // the role of the length of a sequence, beyond all axes
constexpr int kMaxRounds = 4;

bool SameSizes(Value a, Value b) { return std::ranges::equal(a.dims(), b.dims()); }

}  // namespace

LoopState::LoopState(Engine& engine, RegionId body, InferenceContext* context)
    : engine_(engine), body_(body), context_(context) {}

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

Status LoopState::Run(std::vector<Type> before, std::vector<Value> before_contents, std::vector<Type> after,
                      size_t first_output, bool certain) {
  const Graph& graph = engine_.graph();
  for (int round = 0;; ++round) {
    std::vector<Type> inputs = before;
    std::vector<Value> contents = before_contents;
    contents.resize(inputs.size());
    for (const State& s : states_) {
      inputs.push_back(s.entering);
      contents.push_back(s.entering_contents);
    }
    inputs.insert(inputs.end(), after.begin(), after.end());
    DIMWISE_RETURN_IF_ERROR(engine_.RunRegion(body_, inputs, contents, certain));
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
    if (settled) return {};
    if (round < kMaxRounds && engine_.MayGoOn()) continue;
    // Enough: whatever is not settled is anything.
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

// A sequence whose elements come from several trips: a size that depends on the trip is each element's own.
Type LoopState::WithOwnSizes(size_t j, const Type& type) {
  if (type.kind != TypeKind::kSequence || type.container->elements.size() != 1) return type;
  Container inside = *type.container;
  Type& element = inside.elements[0];
  if (!element.is_tensor() || element.shape.is_none() || !element.shape.has_rank()) return type;
  std::vector<Dim> sizes, each;
  for (const Dim d : element.shape.dims()) {
    const bool own = std::ranges::find(inside.each, d) != inside.each.end();
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
    const Dim symbol = ElementSymbol(j, static_cast<size_t>(i));
    const bool same = x == y || x == symbol;
    elements.push_back(same ? x : symbol);
    changed |= !same;
  }
  if (integers && static_cast<int64_t>(elements.size()) == known.size()) {
    s.entering_contents = context_->analysis().values().Integers(known.element(), known.dims(), elements);
  } else {
    s.entering_contents = Value();
    changed = true;
  }
  return changed;
}

// Whether there is a trip for certain.
bool LoopState::Runs(const Trips& trips) const {
  return context_->facts().AtLeast(trips.count, 1, context_->scope(), Trust::kWithoutAssumed) == Truth::kYes;
}

Dim LoopState::Unknown(bool is_size) { return context_->UnknownDim(is_size ? 0 : INT64_MIN); }

Dim LoopState::FinalSize(Dim initial, Dim entering, Dim leaving, const Trips& trips, bool is_size) {
  DimTable& dims = context_->dims();
  if (initial == entering) return initial;  // it was never made a symbol: the same in each trip
  if (leaving == entering) return initial;
  const Dim amount = dims.Subtract(leaving, entering);
  if (!amount.is_none() && engine_.IsInvariant(amount, body_)) {
    if (trips.certain) {
      const Dim total = dims.Add(initial, dims.Multiply(trips.count, amount));
      if (!total.is_none()) return total;
    }
    const Dim last = Unknown(is_size);
    const bool grows = context_->AtLeast(amount, 0) == Truth::kYes;
    const bool shrinks = context_->AtLeast(0, amount) == Truth::kYes;
    const Dim early = dims.Add(initial, dims.Multiply(trips.least, amount));
    if (grows) context_->Ensure(AtLeast(dims, last, early));
    if (shrinks) context_->Ensure(AtMost(dims, last, early));
    if (!trips.most.is_none() && (grows || shrinks)) {
      const Dim bound = dims.Add(initial, dims.Multiply(trips.most, amount));
      if (!bound.is_none()) context_->Ensure(grows ? AtMost(dims, last, bound) : AtLeast(dims, last, bound));
    }
    return last;
  }
  if (engine_.IsInvariant(leaving, body_)) return Runs(trips) ? leaving : context_->Relax(initial, leaving);
  return Unknown(is_size);
}

Type LoopState::FinalType(size_t j, const Trips& trips) {
  const State& s = states_[j];
  if (trips.certain && trips.count == Dim(0)) return s.initial;
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
    if (has_rank && Runs(trips)) {
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

std::vector<LoopCounter> LoopState::Counters() {
  std::vector<LoopCounter> counters;
  for (const State& s : states_) {
    const bool is_known = !s.entering_contents.is_none() && !s.leaving_contents.is_none();
    if (s.open || !is_known || !SameSizes(s.entering_contents, s.leaving_contents)) continue;
    for (int64_t i = 0; i < s.entering_contents.size(); ++i) {
      const Dim in = s.entering_contents.Integer(i), out = s.leaving_contents.Integer(i);
      if (!in.is_expression() || out.is_none() || in == s.initial_contents.Integer(i)) continue;
      const Dim amount = context_->dims().Subtract(out, in);
      if (amount.is_constant()) counters.push_back({in, s.initial_contents.Integer(i), amount});
    }
  }
  return counters;
}

Type LoopState::Outside(const Type& type) { return SeenFromOutside(engine_, body_, type, context_); }

}  // namespace dimwise
