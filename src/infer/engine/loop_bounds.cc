// What holds in each trip of a loop (loop_state.h): what no trip makes less, or more, is never less, or more,
// than it was at first; and a trip is made only where the condition held before it.
#include "core/known_parts.h"
#include "infer/engine/engine.h"
#include "infer/engine/loop_state.h"

namespace dimwise {

// Tells the body of what no trip makes less, or more, than it was at first; whether that is other than it was
// told before. What holds by what it was told holds in each trip: in the first one, and so in the next.
bool LoopState::AssumeBounds(int changes_left) {
  return engine_.AssumeIn(body_, changes_left > 0 ? BoundsThatHold() : std::vector<Clause>());
}

std::vector<Clause> LoopState::BoundsThatHold() {
  DimTable& dims = context_->dims();
  std::vector<Clause> clauses;
  const auto add = [&](Dim initial, Dim in, Dim out) {
    if (initial.is_none() || out.is_none() || in == initial || !in.is_expression()) return;
    const auto is_at_least = [&](Dim a, Dim b) {
      return context_->facts().AtLeast(a, b, engine_.scope(body_), Trust::kWithoutAssumed) == Truth::kYes;
    };
    if (is_at_least(out, in)) clauses.push_back({AtLeast(dims, in, initial)});
    if (is_at_least(in, out)) clauses.push_back({AtMost(dims, in, initial)});
  };
  for (size_t j = 0; j < states_.size(); ++j) {
    const State& s = states_[j];
    if (s.open || !s.initial.is_tensor() || !s.entering.is_tensor() || !s.leaving.is_tensor()) continue;
    const Shape before = s.initial.shape, in = s.entering.shape, out = s.leaving.shape;
    for (int axis = 0; AreOfOneRank({before, in, out}) && axis < in.rank(); ++axis) {
      if (in[axis] == SizeSymbol(j, static_cast<size_t>(axis))) add(before[axis], in[axis], out[axis]);
    }
    const Value known = s.entering_contents, left = s.leaving_contents;
    if (known.is_none() || left.is_none() || !SameSizes(known, left)) continue;
    for (int64_t i = 0; i < known.size(); ++i) {
      const Dim first = s.initial_contents.Integer(i);
      if (first.is_expression()) add(first, known.Integer(i), left.Integer(i));  // else its symbol has them
    }
  }
  AddConditions(&clauses);
  return clauses;
}

// A condition such as i + 1 < n, at the end of a trip, says i < n at the beginning of the next. Of the first
// trip that is to be shown.
void LoopState::AddConditions(std::vector<Clause>* clauses) {
  DimTable& dims = context_->dims();
  std::vector<LoopCounter> counters = Counters();
  if (!trip_.is_none()) counters.push_back({trip_, 0, 1});
  const auto holds_at_first = [&](Dim test) {
    return engine_.IsInvariant(test, body_) &&
           context_->facts().AtLeast(test, 0, context_->scope(), Trust::kWithoutChecked) == Truth::kYes;
  };
  for (const ValueId part : parts_) {
    for (const Dim test :
         TestsBeforeTrips(dims, start_, OnlyInteger(engine_.contents(part)), counters, holds_at_first))
      clauses->push_back({AtLeast(dims, test, 0)});
  }
}

std::vector<LoopCounter> LoopState::Counters() {
  std::vector<LoopCounter> counters;
  const auto add = [&](Dim initial, Dim in, Dim out) {
    if (!in.is_expression() || out.is_none() || in == initial) return;
    const Dim amount = context_->dims().Subtract(out, in);
    if (amount.is_constant()) counters.push_back({in, initial, amount});
  };
  for (const State& s : states_) {
    if (s.open || !s.initial.is_tensor() || !s.entering.is_tensor() || !s.leaving.is_tensor()) continue;
    const Shape before = s.initial.shape, in = s.entering.shape, out = s.leaving.shape;
    for (int axis = 0; AreOfOneRank({before, in, out}) && axis < in.rank(); ++axis)
      add(before[axis], in[axis], out[axis]);
    const Value known = s.entering_contents, left = s.leaving_contents;
    if (known.is_none() || left.is_none() || !SameSizes(known, left)) continue;
    for (int64_t i = 0; i < known.size(); ++i)
      add(s.initial_contents.Integer(i), known.Integer(i), left.Integer(i));
  }
  return counters;
}

}  // namespace dimwise
