#include "infer/engine/join.h"

#include <algorithm>

namespace dimwise {
namespace {

Type JoinContainers(InferenceContext* context, const Type& a, const Type& b) {
  const Container &x = *a.container, &y = *b.container;
  Container joined;
  joined.kind = x.kind;
  joined.key = x.key == y.key ? x.key : ElementType::kUnknown;
  joined.length = x.length == y.length ? x.length : Dim();
  if (x.kind == TypeKind::kHandle) {
    if (x.elements.size() != y.elements.size()) return context->analysis().types().Handle({});
    for (size_t i = 0; i < x.elements.size(); ++i) {
      joined.elements.push_back(JoinTypes(context, x.elements[i], y.elements[i]));
    }
    return context->analysis().types().Make(std::move(joined));
  }
  // Elements of either may be any of both; what is new for each element stays so. One that has none adds
  // nothing.
  Type element;
  bool first = true;
  const bool one_is_empty = x.length == Dim(0) || y.length == Dim(0);
  for (const Container* c : {&x, &y}) {
    if (one_is_empty && c->length == Dim(0) && !(x.length == y.length)) continue;
    for (const Type& t : c->elements) {
      element = first ? t : JoinTypes(context, element, t);
      first = false;
    }
  }
  joined.elements = {element};
  joined.each = x.each;
  joined.each.insert(joined.each.end(), y.each.begin(), y.each.end());
  // A join that was made up for all elements holds for each of them apart.
  if (element.is_tensor() && !element.shape.is_none()) {
    for (const Dim d : element.shape.dims()) {
      const bool of_either = [&] {
        for (const Container* c : {&x, &y}) {
          for (const Type& t : c->elements) {
            if (t.is_tensor() && !t.shape.is_none() &&
                std::ranges::find(t.shape.dims(), d) != t.shape.dims().end())
              return true;
          }
        }
        return false;
      }();
      if (!of_either && d.is_expression()) joined.each.push_back(d);
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
  if (!a.is_tensor()) return JoinContainers(context, a, b);
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
