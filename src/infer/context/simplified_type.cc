#include "infer/context/simplified_type.h"

#include <vector>

#include "core/dims/dim_select.h"

namespace dimwise {

Type SimplifiedType(Analysis& analysis, Type type, ScopeId scope) {
  return SimplifiedType(analysis, type, scope, [](Dim d) { return d; });
}

Type SimplifiedType(Analysis& analysis, Type type, ScopeId scope, FunctionRef<Dim(Dim)> first) {
  if (type.container != nullptr) {
    Container inside = *type.container;
    for (Type& t : inside.elements) t = SimplifiedType(analysis, t, scope, first);
    return analysis.types().Make(std::move(inside));
  }
  if (!type.is_tensor() || type.shape.is_none() || type.shape.is_constant() || !type.shape.has_rank())
    return type;
  std::vector<Dim> sizes;
  sizes.reserve(type.shape.dims().size());
  bool changed = false;
  for (const Dim d : type.shape.dims()) {
    sizes.push_back(Unfold(analysis.dims(), analysis.facts().Simplify(first(d), scope)));
    changed |= sizes.back() != d;
  }
  if (changed) type.shape = analysis.shapes().Make(sizes);
  return type;
}

}  // namespace dimwise
