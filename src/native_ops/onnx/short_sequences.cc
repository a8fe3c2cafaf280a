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
// Refines the result that the rule has computed.
using Refinement = Status (*)(InferenceContext*);

bool HaveOneRank(const Elements& elements) {
  return std::ranges::all_of(
      elements, [&](const Type& t) { return IsRanked(t) && t.shape.rank() == elements[0].shape.rank(); });
}

// Returns the types of all elements of a sequence; nullopt if some are not known separately.
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

// Returns the index of an element that an operand contains; nullopt if it is unknown or not below `count`.
std::optional<size_t> IndexIn(InferenceContext* c, int operand, size_t count) {
  const Dim d = OnlyInteger(c->input_tensor(operand));
  if (!d.is_constant()) return std::nullopt;
  const auto n = static_cast<int64_t>(count);
  const int64_t index = d.constant() < 0 ? d.constant() + n : d.constant();
  if (index < 0 || index >= n) return std::nullopt;
  return static_cast<size_t>(index);
}

Status Construct(InferenceContext* c) {
  Elements elements;
  for (int i = 0; i < c->num_inputs(); ++i) elements.push_back(c->full_input_type(i));
  SetElements(c, std::move(elements));
  return {};
}

// Returns the size of an unknown element along an axis. It lies between the smallest and the largest size.
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

// The size of an even part follows from its index alone. If the index is unknown, the size of the first part
// is an upper bound.
void AtOfParts(InferenceContext* c) {
  const Type sequence = c->full_input_type(0);
  const std::optional<EvenParts> parts = EvenPartsOf(c->dims(), sequence);
  if (!parts) return;
  Dim index = OnlyInteger(c->input_tensor(1)), size;
  if (index.is_constant()) {
    if (index.constant() < 0) index = c->dims().Add(sequence.container->length, index);
    size = parts->SizeAt(c->dims(), index);
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
  if (const std::optional<size_t> index = IndexIn(c, 1, elements->size())) {
    c->set_full_output_type(0, (*elements)[*index]);
  } else if (HaveOneRank(*elements)) {
    std::vector<Dim> sizes;
    const int rank = elements->front().shape.rank();
    sizes.reserve(static_cast<size_t>(rank));
    for (int i = 0; i < rank; ++i) sizes.push_back(SizeOfOne(c, *elements, i));
    c->set_output(0, c->analysis().shapes().Make(sizes));
  }
  return {};
}

// Inserts before an element, or at the end if the position equals the number of elements.
Status Insert(InferenceContext* c) {
  std::optional<Elements> elements = ElementsOf(c->full_input_type(0));
  if (!elements) return {};
  std::optional<size_t> index = elements->size();
  if (c->has_input(2) && OnlyInteger(c->input_tensor(2)) != Dim(std::ssize(*elements)))
    index = IndexIn(c, 2, elements->size());
  if (!index) return {};
  elements->insert(elements->begin() + static_cast<std::ptrdiff_t>(*index), c->full_input_type(1));
  SetElements(c, std::move(*elements));
  return {};
}

// Without one element, the size of an even part no longer follows from its index.
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
  std::optional<size_t> index = elements->size() - 1;
  if (c->has_input(1)) index = IndexIn(c, 1, elements->size());
  if (!index) return {};
  elements->erase(elements->begin() + static_cast<std::ptrdiff_t>(*index));
  if (elements->size() == 1) {
    c->set_full_output_type(0, c->analysis().types().Sequence(elements->front(), 1));
  } else {
    SetElements(c, std::move(*elements));
  }
  return {};
}

// Returns the sizes of the parts that `split` requests; empty if some are unknown. `split` is a list of
// sizes, or one size for all parts but the last.
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

// Gives parts of one size, except a smaller last one, their size as an expression in the index. The rule
// infers only bounds.
void SplitEvenly(InferenceContext* c, const Type& whole, int axis) {
  const Value split = c->input_tensor(1);
  const Type found = c->full_output_type(0);
  if (split.is_none() || !split.dims().empty() || found.kind != TypeKind::kSequence) return;
  if (found.container->each.size() != 1 || found.container->elements.size() != 1) return;
  const EvenParts parts{axis, whole.shape[axis], split.Integer(0), c->UnknownDim()};
  if (parts.part.is_none() || parts.whole.is_none()) return;
  const Dim size = parts.SizeAt(c->dims(), parts.index), count = parts.Count(c->dims());
  if (size.is_none() || count.is_none()) return;
  c->set_full_output_type(
      0, c->analysis().types().Sequence(WithSize(c, whole, axis, size), count, {parts.index}));
}

Status Split(InferenceContext* c) {
  const Type whole = c->full_input_type(0);
  if (!IsRanked(whole) || !c->has_input(1)) return {};
  DIMWISE_ASSIGN_OR_RETURN(const int64_t declared_axis, IntAttr(c, "axis", 0));
  DIMWISE_ASSIGN_OR_RETURN(const int axis, ReadAxis(c, declared_axis, whole.shape.rank()));
  Elements elements;
  for (const Dim part : PartsOf(c->input_tensor(1), whole.shape[axis]))
    elements.push_back(WithSize(c, whole, axis, part));
  if (elements.empty()) SplitEvenly(c, whole, axis);
  SetElements(c, std::move(elements));
  return {};
}

// Concatenates all even parts along their axis, which gives the whole tensor.
Status ConcatOfParts(InferenceContext* c) {
  const Type sequence = c->full_input_type(0);
  const std::optional<EvenParts> parts = EvenPartsOf(c->dims(), sequence);
  if (!parts) return {};
  const Type& element = sequence.container->elements[0];
  DIMWISE_ASSIGN_OR_RETURN(const int64_t new_axis, IntAttr(c, "new_axis", 0));
  DIMWISE_ASSIGN_OR_RETURN(const int64_t declared_axis, IntAttr(c, "axis", 0));
  if (new_axis == 1) return {};
  DIMWISE_ASSIGN_OR_RETURN(const int axis, ReadAxis(c, declared_axis, element.shape.rank()));
  if (axis == parts->axis) c->set_full_output_type(0, WithSize(c, element, axis, parts->whole));
  return {};
}

// Merges the sizes of the elements on all axes, except a concatenated axis, whose sizes are added.
Status Concat(InferenceContext* c) {
  DIMWISE_RETURN_IF_ERROR(ConcatOfParts(c));
  const std::optional<Elements> elements = ElementsOf(c->full_input_type(0));
  if (!elements || elements->size() < 2 || !HaveOneRank(*elements)) return {};
  const Shape first = elements->front().shape;
  DIMWISE_ASSIGN_OR_RETURN(const int64_t new_axis, IntAttr(c, "new_axis", 0));
  DIMWISE_ASSIGN_OR_RETURN(const int64_t declared_axis, IntAttr(c, "axis", 0));
  DIMWISE_ASSIGN_OR_RETURN(const int axis,
                           ReadAxis(c, declared_axis, first.rank() + (new_axis == 1 ? 1 : 0)));
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
