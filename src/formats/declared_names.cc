#include "formats/declared_names.h"

#include <tsl/robin_set.h>

#include <vector>

#include "core/types/known_parts.h"

namespace dimwise {
namespace {

bool IsSymbolOf(DimTable& dims, Dim size, bool of_user) {
  return size.is_expression() && dims.Kind(size) == DimKind::kSymbol &&
         dims.GetSymbol(size).of_user == of_user;
}

}  // namespace

DeclaredNames::DeclaredNames(const Graph& graph, const std::function<Type(ValueId)>& type_of)
    : graph_(graph) {
  DimTable& dims = graph.analysis().dims();
  tsl::robin_set<Dim, std::hash<Dim>> taken;
  for (const ValueId input : graph.inputs(graph.body())) {
    if (!IsRanked(graph.declared(input))) continue;
    for (const Dim size : graph.declared(input).shape.dims()) {
      if (!size.is_expression()) continue;
      for (const Dim symbol : dims.SymbolsOf(size)) taken.insert(symbol);
    }
  }
  for (uint32_t v = 0; v < graph.value_count(); ++v) {
    if (graph.role(ValueId{v}) != ValueRole::kResult) continue;
    const Type claimed = graph.declared(ValueId{v});
    if (!IsRanked(claimed)) continue;
    const Type found = type_of(ValueId{v});
    if (!IsRanked(found) || found.shape.rank() != claimed.shape.rank()) continue;
    for (int axis = 0; axis < found.shape.rank(); ++axis) {
      const Dim name = claimed.shape[axis], size = found.shape[axis];
      if (!IsSymbolOf(dims, name, true) || !IsSymbolOf(dims, size, false) || names_.contains(size)) continue;
      if (taken.insert(name).second) names_[size] = name;
    }
  }
}

Type DeclaredNames::Renamed(Type type) const {
  if (names_.empty() || !IsRanked(type) || type.shape.is_constant()) return type;
  std::vector<Dim> sizes;
  for (const Dim size : type.shape.dims()) {
    sizes.push_back(graph_.analysis().dims().Substitute(size, [&](Dim atom) {
      const auto it = names_.find(atom);
      return it == names_.end() ? Dim() : it->second;
    }));
  }
  type.shape = graph_.analysis().shapes().Make(sizes);
  return type;
}

}  // namespace dimwise
