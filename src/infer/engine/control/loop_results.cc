// The results of a loop after the last trip (loop_state.h).
#include <algorithm>

#include "core/dims/dim_select.h"
#include "core/types/known_parts.h"
#include "infer/context/certain_size.h"
#include "infer/engine/control/loop_state.h"

namespace dimwise {

Type LoopState::FinalType(size_t state, const Trips& trips) {
  const CarriedState& s = states_[state];
  if (trips.certain && trips.count == Dim(0)) return s.initial;
  if (s.final) return *s.final;
  Type type = s.entering;
  if (s.is_given_up) return type;
  if (!type.is_tensor() || !s.initial.is_tensor()) return FinalContainer(s, state, trips);
  if (!type.shape.has_rank()) {
    type.shape = FinalShapeOfUnknownRank(s, trips);
    return type;
  }
  std::vector<Dim> sizes;
  FinalSizes final_sizes = FinalSizesFor(trips);
  for (int axis = 0; axis < type.shape.rank(); ++axis) {
    sizes.push_back(final_sizes.Of({s.initial.shape[axis], type.shape[axis], s.leaving.shape[axis]},
                                   /*is_size=*/true));
    // The body gives only sizes.
    if (!sizes.back().is_none() && !IsCertainlySize(context_->dims(), sizes.back()))
      context_->Ensure(AtLeast(context_->dims(), sizes.back(), 0));
  }
  type.shape = context_->analysis().shapes().Make(sizes);
  return type;
}

Type LoopState::FinalContainer(const CarriedState& s, size_t state, const Trips& trips) {
  const Type outside = Outside(s.entering);
  if (s.entering.kind != TypeKind::kSequence || s.entering.container->length != symbols_.Length(state))
    return outside;
  Container inside = *outside.container;
  const LoopNumber length{s.initial.container->length, s.entering.container->length,
                          s.leaving.container->length};
  inside.length = trips.certain ? FinalSizesFor(trips).Of(length, /*is_size=*/true) : Dim();
  return context_->analysis().types().Make(std::move(inside));
}

// The rank differs between trips, or was unknown from the beginning.
Shape LoopState::FinalShapeOfUnknownRank(const CarriedState& s, const Trips& trips) {
  if (s.initial.shape == s.entering.shape && s.leaving.shape == s.entering.shape) return s.entering.shape;
  // The body was evaluated for an unknown shape, so what leaves it does not depend on the number of trips.
  const bool has_rank = s.leaving.is_tensor() && s.leaving.shape.has_rank();
  if (has_rank && FinalSizesFor(trips).AreAtLeast(1)) return Outside(s.leaving).shape;
  if (!has_rank || !s.initial.shape.has_rank()) return context_->UnknownShape();
  const int first = s.initial.shape.rank(), last = s.leaving.shape.rank();
  return context_->UnknownShape(std::min(first, last), std::max(first, last));
}

Value LoopState::FinalContents(size_t state, const Trips& trips) {
  const CarriedState& s = states_[state];
  if (trips.certain && trips.count == Dim(0)) return s.initial_contents;
  const Value in = s.entering_contents;
  if (in.is_none() || in == s.initial_contents) return in;
  std::vector<Dim> elements;
  FinalSizes final_sizes = FinalSizesFor(trips);
  for (int64_t i = 0; i < in.size(); ++i) {
    elements.push_back(
        final_sizes.Of({s.initial_contents.Integer(i), in.Integer(i), s.leaving_contents.Integer(i)},
                       /*is_size=*/false));
    if (elements.back().is_none()) return Value();
  }
  return context_->analysis().values().Integers(in.element(), in.dims(), elements);
}

Type LoopState::OutsideOfStacked(const Type& type, const Trips& trips) {
  if (!IsRanked(type) || !FinalSizesFor(trips).AreAtLeast(1)) return Outside(type);
  std::vector<Dim> sizes;
  for (const Dim d : type.shape.dims()) {
    const Dim first = regions_.IsInvariant(d) ? d : steps_.InTrip(0, Unfold(context_->dims(), d));
    sizes.push_back(!first.is_none() && regions_.IsInvariant(first) ? first : d);
  }
  Type seen = type;
  seen.shape = context_->analysis().shapes().Make(sizes);
  return Outside(seen);
}

}  // namespace dimwise
