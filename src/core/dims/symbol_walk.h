// The symbols that expressions speak of, and those that the definitions of these speak of: definitions stand
// in chains of any length, and share what they are made of.
#ifndef DIMWISE_CORE_DIMS_SYMBOL_WALK_H_
#define DIMWISE_CORE_DIMS_SYMBOL_WALK_H_

#include <tsl/robin_set.h>

#include <algorithm>
#include <vector>

#include "dimwise/dim.h"

namespace dimwise {

// Whether d itself speaks of a symbol, also inside atoms.
inline bool Mentions(const DimTable& dims, Dim d, Dim symbol) {
  return std::ranges::binary_search(dims.SymbolsOf(d), symbol.id(), {}, &Dim::id);
}

class SymbolWalk {
 public:
  explicit SymbolWalk(const DimTable& dims) : dims_(dims) {}

  // Visits those of d; a symbol that has a definition only once in the whole walk. Ends where `visit` answers
  // false, and answers whether it came to the end.
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
