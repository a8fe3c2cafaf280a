// The rows Broadcastable... of kConditionIdentities (identities.h).
#include "core/dims/broadcastable.h"

#include <algorithm>
#include <vector>

#include "core/dims/dim_table.h"

namespace dimwise {
namespace {

// The order of the operands of a conflict: by ID. A constant is the last one.
bool ComesBefore(Dim x, Dim y) {
  if (x.is_constant() != y.is_constant()) return y.is_constant();
  return x.bits() < y.bits();
}

// Returns the possible x of a literal x == 1: the normal form may have changed the sign.
std::vector<Dim> EqualToOne(DimTable& table, const Literal& literal) {
  if (literal.relation != Relation::kEqual) return {};
  const int64_t constant = table.ConstantTerm(literal.value);
  if (constant == -1) return {table.Add(literal.value, 1)};
  return constant == 1 ? std::vector<Dim>{table.Subtract(1, literal.value)} : std::vector<Dim>();
}

}  // namespace

// Unlike in a broadcast, no operand absorbs another one: that is what the condition tests.
Dim DimTable::Conflict(std::span<const Dim> sizes) {
  std::vector<Dim> flat;
  for (const Dim d : sizes) {
    if (d.is_none()) return Dim();
    if (Kind(d) == DimKind::kBroadcast) {
      const std::span<const Dim> inner = Operands(d);
      flat.insert(flat.end(), inner.begin(), inner.end());
    } else if (d != Dim(1)) {
      flat.push_back(d);
    }
  }
  std::ranges::sort(flat, ComesBefore);
  flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  if (flat.size() <= 1) return 0;
  if (flat[flat.size() - 2].is_constant()) return 1;
  return impl_->InternAtom(DimKind::kConflict, flat);
}

Clause Broadcastable(DimTable& table, std::span<const Dim> sizes) {
  const Literal all{table.Conflict(sizes), Relation::kEqual};
  std::span<const Dim> pair = BroadcastableSizes(table, all);
  if (pair.size() != 2) return {all};
  const auto is_broadcast = [&](Dim d) { return table.Kind(d) == DimKind::kBroadcast; };
  if (sizes.size() == 2 && std::ranges::none_of(sizes, is_broadcast)) pair = sizes;
  return {Equal(table, pair[0], pair[1]), Equal(table, pair[0], 1), Equal(table, pair[1], 1)};
}

Dim ConflictOf(DimTable& table, const Clause& clause) {
  if (clause.size() == 1) {
    const bool is_positive = clause[0].relation == Relation::kEqual;
    return is_positive && table.Kind(clause[0].value) == DimKind::kConflict ? clause[0].value : Dim();
  }
  if (clause.size() != 3) return Dim();
  for (size_t rest = 0; rest < 3; ++rest) {
    for (const Dim a : EqualToOne(table, clause[(rest + 1) % 3])) {
      for (const Dim b : EqualToOne(table, clause[(rest + 2) % 3])) {
        const Dim sizes[] = {a, b};
        if (Normalize(table, Equal(table, a, b)) == clause[rest]) return table.Conflict(sizes);
      }
    }
  }
  return Dim();
}

bool ContainsSizes(const DimTable& table, Dim conflict, Dim part) {
  return std::ranges::includes(table.Operands(conflict), table.Operands(part), ComesBefore);
}

}  // namespace dimwise
