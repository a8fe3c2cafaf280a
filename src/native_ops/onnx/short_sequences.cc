#include "native_ops/onnx/short_sequences.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/types/known_parts.h"
#include "dimwise/inference_context.h"
#include "infer/operators/even_parts.h"
#include "infer/operators/operands.h"

namespace dimwise {
namespace {

constexpr int64_t kMostElements = 16;

using Elements = std::vector<Type>;
// What is known besides of the result, after the rule has said its part.
using Refinement = Status (*)(InferenceContext*);

bool HaveOneRank(const Elements& elements) {
  return std::ranges::all_of(
      elements, [&](const Type& t) { return IsRanked(t) && t.shape.rank() == elements[0].shape.rank(); });
}

// The elements of a sequence, each with a type of its own; nothing where they are not known one by one.
std::optional<Elements> ElementsOf(const Type& type) {
  if (type.kind != TypeKind::kSequence) return std::nullopt;
  const Container& inside = *type.container;
  if (inside.elements.size() > 1) return inside.elements;
  if (!inside.length.is_constant() || inside.length.constant() > kMostElements || !inside.each.empty())
    return std::nullopt;
  if (inside.length == Dim(0)) return Elements();
  if (inside.elements.empty() || !IsRanked(inside.elements[0])) return std::nullopt;
  return Elements(static_cast<size_t>(inside.length.constant()), inside.elements[0]);
}

void SetElements(InferenceContext* c, Elements elements) {
  if (elements.size() < 2 || std::ssize(elements) > kMostElements) return;
  if (!std::ranges::all_of(elements, IsRanked)) return;
  Container sequence;
  sequence.kind = TypeKind::kSequence;
  sequence.elements = std::move(elements);
  c->set_full_output_type(0, c->analysis().types().Make(std::move(sequence)));
}

// The place that an operand names among `count`; nothing where it is not a number that does.
std::optional<size_t> PlaceIn(InferenceContext* c, int operand, size_t count) {
  const Dim d = OnlyInteger(c->input_tensor(operand));
  if (!d.is_constant()) return std::nullopt;
  const auto n = static_cast<int64_t>(count);
  const int64_t place = d.constant() < 0 ? d.constant() + n : d.constant();
  if (place < 0 || place >= n) return std::nullopt;
  return static_cast<size_t>(place);
}

Status Construct(InferenceContext* c) {
  Elements elements;
  for (int i = 0; i < c->num_inputs(); ++i) elements.push_back(c->full_input_type(i));
  SetElements(c, std::move(elements));
  return {};
}

// The size that one of some elements has on an axis: between the smallest and the largest.
Dim SizeOfOne(InferenceContext* c, const Elements& elements, int axis) {
  Dim low = elements[0].shape[axis], high = low;
  for (const Type& t : elements) {
    low = c->dims().Min(low, t.shape[axis]);
    high = c->dims().Max(high, t.shape[axis]);
  }
  if (low == high && !low.is_none()) return low;
  const Dim size = c->UnknownDim();
  if (!low.is_none()) c->Ensure(AtLeast(c->dims(), size, low));
  if (!high.is_none()) c->Ensure(AtMost(c->dims(), size, high));
  return size;
}

Type WithSize(InferenceContext* c, Type type, int axis, Dim size) {
  std::vector<Dim> sizes(type.shape.dims().begin(), type.shape.dims().end());
  sizes[static_cast<size_t>(axis)] = size;
  type.shape = c->analysis().shapes().Make(sizes);
  return type;
}

// Of even parts the place alone says how large one is; any of them is at most as large as the first.
void AtOfParts(InferenceContext* c) {
  const Type sequence = c->full_input_type(0);
  const std::optional<EvenParts> parts = EvenPartsOf(c->dims(), sequence);
  if (!parts) return;
  Dim place = OnlyInteger(c->input_tensor(1)), size;
  if (place.is_constant()) {
    if (place.constant() < 0) place = c->dims().Add(sequence.container->length, place);
    size = parts->SizeAt(c->dims(), place);
  } else {
    size = c->UnknownDim(1);
    c->Ensure(AtMost(c->dims(), size, c->dims().Min(parts->part, parts->whole)));
  }
  if (size.is_none()) return;
  c->set_full_output_type(0, WithSize(c, sequence.container->elements[0], parts->axis, size));
}

Status At(InferenceContext* c) {
  AtOfParts(c);
  const std::optional<Elements> elements = ElementsOf(c->full_input_type(0));
  if (!elements || elements->size() < 2) return {};
  if (const std::optional<size_t> place = PlaceIn(c, 1, elements->size())) {
    c->set_full_output_type(0, (*elements)[*place]);
  } else if (HaveOneRank(*elements)) {
    std::vector<Dim> sizes;
    for (int i = 0; i < elements->front().shape.rank(); ++i) sizes.push_back(SizeOfOne(c, *elements, i));
    c->set_output(0, c->analysis().shapes().Make(sizes));
  }
  return {};
}

// A position may also be that behind the last one, which stands for none.
Status Insert(InferenceContext* c) {
  std::optional<Elements> elements = ElementsOf(c->full_input_type(0));
  if (!elements) return {};
  std::optional<size_t> place = elements->size();
  if (c->has_input(2) && OnlyInteger(c->input_tensor(2)) != Dim(std::ssize(*elements)))
    place = PlaceIn(c, 2, elements->size());
  if (!place) return {};
  elements->insert(elements->begin() + static_cast<std::ptrdiff_t>(*place), c->full_input_type(1));
  SetElements(c, std::move(*elements));
  return {};
}

// Of even parts without one of them no place says more how large one is.
void EraseOfParts(InferenceContext* c) {
  const Type sequence = c->full_input_type(0), left = c->full_output_type(0);
  const std::optional<EvenParts> parts = EvenPartsOf(c->dims(), sequence);
  if (!parts || left.kind != TypeKind::kSequence) return;
  const Dim size = c->UnknownDim(1, parts->part.is_constant() ? parts->part.constant() : INT64_MAX);
  const Type element = WithSize(c, sequence.container->elements[0], parts->axis, size);
  c->set_full_output_type(0, c->analysis().types().Sequence(element, left.container->length, {size}));
}

Status Erase(InferenceContext* c) {
  EraseOfParts(c);
  std::optional<Elements> elements = ElementsOf(c->full_input_type(0));
  if (!elements || elements->size() < 2) return {};
  std::optional<size_t> place = elements->size() - 1;
  if (c->has_input(1)) place = PlaceIn(c, 1, elements->size());
  if (!place) return {};
  elements->erase(elements->begin() + static_cast<std::ptrdiff_t>(*place));
  if (elements->size() == 1) {
    c->set_full_output_type(0, c->analysis().types().Sequence(elements->front(), 1));
  } else {
    SetElements(c, std::move(*elements));
  }
  return {};
}

// The sizes of the parts that `split` asks for, where all are known: a list, or one number for all but the
// last one.
std::vector<Dim> PartsOf(Value split, Dim whole) {
  std::vector<Dim> parts;
  if (split.is_none() || split.dims().size() > 1) return parts;
  if (split.dims().empty()) {
    const Dim part = split.Integer(0);
    if (!part.is_constant() || part.constant() < 1 || !whole.is_constant() ||
        whole.constant() / part.constant() >= kMostElements)
      return parts;
    for (int64_t left = whole.constant(); left > 0; left -= part.constant())
      parts.push_back(std::min(left, part.constant()));
    return parts;
  }
  for (int64_t i = 0; i < split.size() && split.size() <= kMostElements; ++i) {
    parts.push_back(split.Integer(i));
    if (parts.back().is_none()) return {};
  }
  return parts;
}

// Parts of one size, of which the last may be smaller, where the rule found no more than between which sizes
// they are.
void SplitEvenly(InferenceContext* c, const Type& whole, int axis) {
  const Value split = c->input_tensor(1);
  const Type found = c->full_output_type(0);
  if (split.is_none() || !split.dims().empty() || found.kind != TypeKind::kSequence) return;
  if (found.container->each.size() != 1 || found.container->elements.size() != 1) return;
  const EvenParts parts{axis, whole.shape[axis], split.Integer(0), c->UnknownDim()};
  if (parts.part.is_none() || parts.whole.is_none()) return;
  const Dim size = parts.SizeAt(c->dims(), parts.place), count = parts.Count(c->dims());
  if (size.is_none() || count.is_none()) return;
  c->set_full_output_type(
      0, c->analysis().types().Sequence(WithSize(c, whole, axis, size), count, {parts.place}));
}

Status Split(InferenceContext* c) {
  const Type whole = c->full_input_type(0);
  if (!IsRanked(whole) || !c->has_input(1)) return {};
  DIMWISE_ASSIGN_OR_RETURN(const int64_t asked, IntAttr(c, "axis", 0));
  DIMWISE_ASSIGN_OR_RETURN(const int axis, ReadAxis(c, asked, whole.shape.rank()));
  Elements elements;
  for (const Dim part : PartsOf(c->input_tensor(1), whole.shape[axis]))
    elements.push_back(WithSize(c, whole, axis, part));
  if (elements.empty()) SplitEvenly(c, whole, axis);
  SetElements(c, std::move(elements));
  return {};
}

// All parts of a whole along the axis of which they are parts.
Status ConcatOfParts(InferenceContext* c) {
  const Type sequence = c->full_input_type(0);
  const std::optional<EvenParts> parts = EvenPartsOf(c->dims(), sequence);
  if (!parts) return {};
  const Type& element = sequence.container->elements[0];
  DIMWISE_ASSIGN_OR_RETURN(const int64_t new_axis, IntAttr(c, "new_axis", 0));
  DIMWISE_ASSIGN_OR_RETURN(const int64_t asked, IntAttr(c, "axis", 0));
  if (new_axis == 1) return {};
  DIMWISE_ASSIGN_OR_RETURN(const int axis, ReadAxis(c, asked, element.shape.rank()));
  if (axis == parts->axis) c->set_full_output_type(0, WithSize(c, element, axis, parts->whole));
  return {};
}

// The sizes beside the axis are the same in all elements; along a new axis all of them are.
Status Concat(InferenceContext* c) {
  DIMWISE_RETURN_IF_ERROR(ConcatOfParts(c));
  const std::optional<Elements> elements = ElementsOf(c->full_input_type(0));
  if (!elements || elements->size() < 2 || !HaveOneRank(*elements)) return {};
  const Shape first = elements->front().shape;
  DIMWISE_ASSIGN_OR_RETURN(const int64_t new_axis, IntAttr(c, "new_axis", 0));
  DIMWISE_ASSIGN_OR_RETURN(const int64_t asked, IntAttr(c, "axis", 0));
  DIMWISE_ASSIGN_OR_RETURN(const int axis, ReadAxis(c, asked, first.rank() + (new_axis == 1 ? 1 : 0)));
  std::vector<Dim> sizes(first.dims().begin(), first.dims().end());
  for (size_t k = 1; k < elements->size(); ++k) {
    for (int i = 0; i < first.rank(); ++i) {
      Dim& size = sizes[static_cast<size_t>(i)];
      const Dim more = (*elements)[k].shape[i];
      if (new_axis != 1 && i == axis) {
        size = c->dims().Add(size, more);
        if (size.is_none()) return {};
      } else {
        DIMWISE_ASSIGN_OR_RETURN(size, c->Merge(size, more));
      }
    }
  }
  if (new_axis == 1) sizes.insert(sizes.begin() + axis, Dim(std::ssize(*elements)));
  c->set_output(0, c->analysis().shapes().Make(sizes));
  return {};
}

constexpr std::pair<std::string_view, Refinement> kRefinements[] = {
    {"SequenceConstruct", Construct}, {"SequenceAt", At},         {"SequenceInsert", Insert},
    {"SequenceErase", Erase},         {"SplitToSequence", Split}, {"ConcatFromSequence", Concat},
};

}  // namespace

ShapeFn WithShortSequences(std::string_view op, ShapeFn rule) {
  for (const auto& [name, refine] : kRefinements) {
    if (name != op) continue;
    return [rule = std::move(rule), refine = refine](InferenceContext* c) -> Status {
      DIMWISE_RETURN_IF_ERROR(rule(c));
      return refine(c);
    };
  }
  return rule;
}

}  // namespace dimwise
