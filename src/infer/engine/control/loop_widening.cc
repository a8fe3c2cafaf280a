#include "infer/engine/control/loop_widening.h"

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

#include "core/types/known_parts.h"
#include "infer/engine/control/type_join.h"

namespace dimwise {
namespace {

constexpr int64_t kMaxWidenedElements = 16;  // of contents that become symbols

}  // namespace

bool StateWidening::Widen() {
  if (state_.is_given_up) return false;
  if (!state_.entering.is_tensor() || !state_.leaving.is_tensor()) return WidenContainer();
  bool is_changed = false;
  if (state_.entering.element != state_.leaving.element && state_.entering.element != ElementType::kUnknown) {
    state_.entering.element = ElementType::kUnknown;
    is_changed = true;
  }
  is_changed |= WidenShape();
  is_changed |= WidenContents();
  return is_changed;
}

bool StateWidening::WidenShape() {
  const Shape in = state_.entering.shape, out = state_.leaving.shape;
  if (!in.has_rank() || in == out) return false;
  if (out.is_none() || !out.has_rank() || out.rank() != in.rank()) {
    state_.entering.shape = context_->UnknownShape();
    return true;
  }
  bool is_changed = false;
  std::vector<Dim> sizes(in.dims().begin(), in.dims().end());
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    const Dim leaving = out[static_cast<int>(axis)];
    if (sizes[axis] == leaving || sizes[axis] == symbols_.Size(index_, axis)) continue;
    if (context_->facts().Equal(sizes[axis], leaving, regions_.scope(), FactFilter::kWithoutAssumed) ==
        Truth::kYes)
      continue;
    sizes[axis] = symbols_.Size(index_, axis);
    is_changed = true;
  }
  state_.entering.shape = context_->analysis().shapes().Make(sizes);
  return is_changed;
}

bool StateWidening::WidenContents() {
  const Value in = state_.entering_contents, out = state_.leaving_contents;
  if (in.is_none() || in == out) return false;
  const bool have_equal_form = !out.is_none() && in.size() <= kMaxWidenedElements &&
                               in.element() == out.element() && std::ranges::equal(in.dims(), out.dims());
  bool is_changed = false;
  std::vector<Dim> elements;
  for (int64_t i = 0; have_equal_form && i < in.size(); ++i) {
    const Dim x = in.Integer(i), y = out.Integer(i);
    if (x.is_none() || y.is_none()) break;
    elements.push_back(WidenedElement(static_cast<size_t>(i), x, y));
    is_changed |= elements.back() != x;
  }
  if (have_equal_form && static_cast<int64_t>(elements.size()) == in.size()) {
    state_.entering_contents = context_->analysis().values().Integers(in.element(), in.dims(), elements);
    return is_changed;
  }
  state_.entering_contents = Value();
  return true;
}

// Returns the widened form of an element: unchanged if it leaves the body as it entered; otherwise a symbol
// that is not less than the initial value, or not negative, or unbounded. A bound is valid if it holds for
// the leaving element wherever it holds for the entering one. The next round proves that.
Dim StateWidening::WidenedElement(size_t element, Dim entering, Dim leaving) const {
  const Dim unbounded = symbols_.Element(index_, element);
  if (entering == leaving || entering == unbounded) return entering;
  const auto is_at_least = [&](Dim d, int64_t least) {
    return context_->facts().AtLeast(d, least, regions_.scope(), FactFilter::kWithoutAssumed) == Truth::kYes;
  };
  const Dim initial = state_.initial_contents.Integer(static_cast<int64_t>(element));
  std::vector<int64_t> bounds;
  if (initial.is_constant()) bounds.push_back(initial.constant());
  if (initial != Dim(0) && is_at_least(initial, 0)) bounds.push_back(0);
  bool failed_before = false;
  for (const int64_t least : bounds) {
    const Dim bounded = symbols_.BoundedElement(index_, element, least);
    if (failed_before || is_at_least(leaving, least)) return bounded;
    failed_before = entering == bounded;
  }
  return unbounded;
}

// ---- Containers ----

bool StateWidening::WidenContainer() {
  if (state_.entering == state_.leaving) return false;
  const Type joined =
      WithOwnLength(WithOwnElementSizes(JoinTypes(context_, state_.entering, state_.leaving)));
  const bool is_changed = joined != state_.entering;
  state_.entering = joined;
  return is_changed;
}

// The elements of a sequence may come from several trips. Sizes that depend on the trip become
// each-dimensions.
Type StateWidening::WithOwnElementSizes(const Type& type) const {
  if (type.kind != TypeKind::kSequence || type.container->elements.size() != 1) return type;
  Container inside = *type.container;
  Type& element = inside.elements[0];
  if (!element.is_tensor() || element.shape.is_none() || !element.shape.has_rank()) return type;
  std::vector<Dim> sizes, each;
  for (const Dim d : element.shape.dims()) {
    const bool is_each = std::ranges::any_of(context_->dims().SymbolsOf(d), [&](Dim symbol) {
      return std::ranges::find(inside.each, symbol) != inside.each.end();
    });
    if (!is_each && regions_.IsInvariant(d)) {
      sizes.push_back(d);
      continue;
    }
    sizes.push_back(symbols_.Size(index_, sizes.size()));
    each.push_back(sizes.back());
  }
  element.shape = context_->analysis().shapes().Make(sizes);
  inside.each = std::move(each);
  return context_->analysis().types().Make(std::move(inside));
}

// A sequence that leaves the body with another length than it had gets a symbol for its length.
Type StateWidening::WithOwnLength(const Type& type) const {
  for (const Type* t : std::initializer_list<const Type*>{&type, &state_.entering, &state_.leaving}) {
    if (t->kind != TypeKind::kSequence) return type;
  }
  const Dim in = state_.entering.container->length, out = state_.leaving.container->length;
  if (in.is_none() || out.is_none() || in == out) return type;
  Container inside = *type.container;
  inside.length = symbols_.Length(index_);
  return context_->analysis().types().Make(std::move(inside));
}

}  // namespace dimwise
