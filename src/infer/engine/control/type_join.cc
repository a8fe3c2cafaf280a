#include "infer/engine/control/type_join.h"

#include <algorithm>
#include <utility>

namespace dimwise {
namespace {

bool ContainsSize(const Type& type, Dim d) {
  return type.is_tensor() && !type.shape.is_none() &&
         std::ranges::find(type.shape.dims(), d) != type.shape.dims().end();
}

bool ContainsSize(const Container& container, Dim d) {
  return std::ranges::any_of(container.elements, [&](const Type& t) { return ContainsSize(t, d); });
}

Type JoinHandles(InferenceContext* context, const Container& a, const Container& b) {
  if (a.elements.size() != b.elements.size()) return context->analysis().types().Handle({});
  Container joined;
  joined.kind = TypeKind::kHandle;
  joined.key = a.key == b.key ? a.key : ElementType::kUnknown;
  joined.length = a.length == b.length ? a.length : Dim();
  for (size_t i = 0; i < a.elements.size(); ++i)
    joined.elements.push_back(JoinTypes(context, a.elements[i], b.elements[i]));
  return context->analysis().types().Make(std::move(joined));
}

// Returns the join of the element types of both containers. An empty container contributes nothing.
Type JoinElements(InferenceContext* context, const Container& a, const Container& b) {
  Type joined;
  bool is_first = true;
  for (const Container* c : {&a, &b}) {
    if (c->length == Dim(0) && !(a.length == b.length)) continue;
    for (const Type& element : c->elements) {
      joined = is_first ? element : JoinTypes(context, joined, element);
      is_first = false;
    }
  }
  return joined;
}

// The result has one element type. Each-dimensions of both containers remain each-dimensions.
Type JoinContainers(InferenceContext* context, const Container& a, const Container& b) {
  if (a.kind == TypeKind::kHandle) return JoinHandles(context, a, b);
  Container joined;
  joined.kind = a.kind;
  joined.key = a.key == b.key ? a.key : ElementType::kUnknown;
  joined.length = a.length == b.length ? a.length : Dim();
  const Type element = JoinElements(context, a, b);
  joined.elements = {element};
  joined.each = a.each;
  joined.each.insert(joined.each.end(), b.each.begin(), b.each.end());
  // A symbol that the join created is one size for all elements of the joined type, but may differ between
  // the elements of a container. So it is an each-dimension.
  if (element.is_tensor() && !element.shape.is_none()) {
    for (const Dim d : element.shape.dims()) {
      if (d.is_expression() && !ContainsSize(a, d) && !ContainsSize(b, d)) joined.each.push_back(d);
    }
  }
  std::ranges::sort(joined.each, {}, &Dim::id);
  joined.each.erase(std::unique(joined.each.begin(), joined.each.end()), joined.each.end());
  return context->analysis().types().Make(std::move(joined));
}

}  // namespace

Type JoinTypes(InferenceContext* context, const Type& a, const Type& b) {
  if (a == b) return a;
  if (a.kind != b.kind || a.kind == TypeKind::kUnknown) return Type();
  if (!a.is_tensor()) return JoinContainers(context, *a.container, *b.container);
  Type joined = a;
  if (a.element != b.element) joined.element = ElementType::kUnknown;
  if (a.storage != b.storage) joined.storage = Storage();
  joined.shape = a.shape.is_none() || b.shape.is_none() ? Shape() : context->Relax(a.shape, b.shape);
  return joined;
}

Value JoinContents(InferenceContext* context, Value a, Value b) {
  if (a == b) return a;
  if (a.is_none() || b.is_none() || a.element() != b.element()) return Value();
  if (!std::ranges::equal(a.dims(), b.dims()) || a.size() > ValueTable::kMaxElements) return Value();
  std::vector<Dim> joined;
  for (int64_t i = 0; i < a.size(); ++i) {
    const Dim x = a.Integer(i), y = b.Integer(i);
    if (x.is_none() || y.is_none()) return Value();
    joined.push_back(context->Relax(x, y));
  }
  return context->analysis().values().Integers(a.element(), a.dims(), joined);
}

}  // namespace dimwise
