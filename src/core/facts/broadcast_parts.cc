#include "core/facts/broadcast_parts.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace dimwise {
namespace {

struct BroadcastEquality {
  Dim atom;                   // broadcast(N, M)
  Dim result;                 // N, one of the operands
  std::vector<Dim> operands;  // the other operands
};

bool HasBroadcast(const DimTable& table, Dim d) {
  for (size_t i = 0; i < table.TermCount(d); ++i) {
    const Term term = table.GetTerm(d, i);
    if (term.factors.size() == 1 && table.Kind(term.factors[0]) == DimKind::kBroadcast) return true;
  }
  return false;
}

// Returns the equality broadcast(N, M) == N in the literal. Without one, the result has no operands.
BroadcastEquality BroadcastEqualityOf(DimTable& table, const Literal& literal) {
  if (literal.relation != Relation::kEqual || !literal.value.is_expression()) return {};
  if (!HasBroadcast(table, literal.value)) return {};
  const Dim value = Normalize(table, literal).value;
  for (size_t i = 0; i < table.TermCount(value); ++i) {
    const Term term = table.GetTerm(value, i);
    if (term.factors.size() != 1 || table.Kind(term.factors[0]) != DimKind::kBroadcast) continue;
    if (term.coefficient != 1 && term.coefficient != -1) continue;
    const Dim atom = term.factors[0];
    const Dim result = term.coefficient == 1 ? table.Subtract(atom, value) : table.Add(value, atom);
    const std::span<const Dim> sizes = table.Operands(atom);
    if (std::ranges::find(sizes, result) == sizes.end()) continue;
    BroadcastEquality found{atom, result, {}};
    std::ranges::remove_copy(sizes, std::back_inserter(found.operands), result);
    return found;
  }
  return {};
}

}  // namespace

std::vector<Clause> WithoutBroadcasts(DimTable& table, const Clause& clause) {
  for (size_t i = 0; i < clause.size(); ++i) {
    const BroadcastEquality equality = BroadcastEqualityOf(table, clause[i]);
    std::vector<Clause> clauses;
    for (const Dim operand : equality.operands) {
      Clause& each = clauses.emplace_back(clause);
      each[i] = Equal(table, operand, 1);
      each.push_back(Equal(table, operand, equality.result));
      // If the broadcast is 1, so is each operand.
      std::erase_if(each, [&](const Literal& other) {
        return other.relation == Relation::kEqual && (other.value == table.Subtract(equality.atom, 1) ||
                                                      other.value == table.Subtract(1, equality.atom));
      });
    }
    if (!clauses.empty()) return clauses;
  }
  return {};
}

}  // namespace dimwise
