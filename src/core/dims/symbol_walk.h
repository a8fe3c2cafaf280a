// Walks over the symbols of expressions and of their definitions. Chains of definitions have any length and
// share operands, so the walk visits each definition once and does not recurse.
#ifndef DIMWISE_CORE_DIMS_SYMBOL_WALK_H_
#define DIMWISE_CORE_DIMS_SYMBOL_WALK_H_

#include <tsl/robin_set.h>

#include <algorithm>
#include <vector>

#include "dimwise/dim.h"

namespace dimwise {

// Returns whether d itself contains the symbol, including inside atoms.
inline bool Mentions(const DimTable& dims, Dim d, Dim symbol) {
  return std::ranges::binary_search(dims.SymbolsOf(d), symbol.id(), {}, &Dim::id);
}

class SymbolWalk {
 public:
  explicit SymbolWalk(const DimTable& dims) : dims_(dims) {}

  // Calls `visit` for each symbol of d; symbols with a definition are visited once per walk. Stops when
  // `visit` returns false. Returns whether the walk was complete.
  template <typename Visitor>
  bool Visit(Dim d, Visitor visit) {
    std::vector<Dim> pending;
    if (!VisitOwn(d, visit, &pending)) return false;
    while (!pending.empty()) {
      const Definition* definition = dims_.GetDefinition(pending.back());
      pending.pop_back();
      for (const Dim operand : definition->operands) {
        if (!VisitOwn(operand, visit, &pending)) return false;
      }
    }
    return true;
  }

 private:
  template <typename Visitor>
  bool VisitOwn(Dim d, Visitor& visit, std::vector<Dim>* pending) {
    if (!d.is_expression()) return true;
    for (const Dim symbol : dims_.SymbolsOf(d)) {
      if (dims_.GetDefinition(symbol) != nullptr) {
        if (!seen_.insert(symbol).second) continue;
        pending->push_back(symbol);
      }
      if (!visit(symbol)) return false;
    }
    return true;
  }

  const DimTable& dims_;
  tsl::robin_set<Dim, std::hash<Dim>> seen_;
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_SYMBOL_WALK_H_
