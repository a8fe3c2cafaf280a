#include "core/facts/broadcastable_facts.h"

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "core/dims/broadcastable.h"

namespace dimwise {
namespace {

std::vector<const DerivedFacts*> FactsAbout(const DimTable& table, const FactSource& source, Dim d) {
  std::vector<const DerivedFacts*> found;
  for (const Dim symbol : table.SymbolsOf(d)) {
    if (const DerivedFacts* k = source.DerivedFactsAbout(symbol); k != nullptr) found.push_back(k);
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// Returns whether the facts contain a condition on each pair of the sizes.
bool AreBroadcastableByPairs(DimTable& table, std::span<const DerivedFacts* const> known,
                             std::span<const Dim> sizes) {
  const size_t needed = sizes.size() * (sizes.size() - 1) / 2;
  size_t clauses = 0;
  for (const DerivedFacts* k : known) clauses += k->open_clauses().size();
  if (clauses < needed) return false;
  std::set<Dim, decltype([](Dim a, Dim b) { return a.id() < b.id(); })> pairs;
  for (const DerivedFacts* k : known) {
    for (const Clause& clause : k->open_clauses()) {
      const Dim pair = ConflictOf(table, clause);
      if (pair.is_expression() && std::ranges::all_of(table.Operands(pair), [&](Dim d) {
            return std::ranges::find(sizes, d) != sizes.end();
          }))
        pairs.insert(pair);
    }
  }
  return pairs.size() == needed;
}

}  // namespace

bool AreBroadcastable(DimTable& table, const FactSource& source, Dim conflict) {
  const std::vector<const DerivedFacts*> known = FactsAbout(table, source, conflict);
  for (const DerivedFacts* k : known) {
    for (const Dim other : k->no_conflicts()) {
      if (ContainsSizes(table, other, conflict)) return true;
    }
  }
  return AreBroadcastableByPairs(table, known, table.Operands(conflict));
}

}  // namespace dimwise
