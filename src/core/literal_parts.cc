#include "core/literal_parts.h"

#include <algorithm>

#include "core/wide.h"

namespace dimwise {
namespace {

using IsPositive = FunctionRef<bool(Dim)>;

// The first factor of every term that is at least 1, else none.
Dim SharedFactor(const DimTable& table, Dim value, IsPositive is_positive) {
  if (!value.is_expression() || table.TermCount(value) < 2) return Dim();
  for (const Dim factor : table.GetTerm(value, 0).factors) {
    bool is_shared = true;
    for (size_t i = 1; is_shared && i < table.TermCount(value); ++i) {
      const std::span<const Dim> factors = table.GetTerm(value, i).factors;
      is_shared = std::ranges::find(factors, factor) != factors.end();
    }
    if (is_shared && is_positive(factor)) return factor;
  }
  return Dim();
}

// The remainders that must be 0 for the product of all p to be that of all d*floordiv(p, d), none of which is
// larger; nothing where the terms are not of this form.
std::vector<Literal> Remainders(DimTable& table, const Term& plain, const Term& rounded,
                                IsPositive is_positive) {
  std::vector<Dim> left(plain.factors.begin(), plain.factors.end());
  std::vector<Literal> parts;
  Wide scale = -Wide{plain.coefficient};
  for (const Dim factor : rounded.factors) {
    if (table.Kind(factor) != DimKind::kFloorDiv) return {};
    const std::span<const Dim> operands = table.Operands(factor);
    const Dim p = operands[0], d = operands[1];
    const auto at = std::ranges::find(left, p);
    if (at == left.end() || !d.is_constant() || !is_positive(p)) return {};
    left.erase(at);
    scale *= d.constant();
    if (!FitsInt64(scale)) return {};
    parts.push_back(Normalize(table, Equal(table, table.Mod(p, d), 0)));
  }
  return left.empty() && scale == rounded.coefficient ? parts : std::vector<Literal>();
}

}  // namespace

std::vector<Literal> PartsOf(DimTable& table, const Literal& literal, IsPositive is_positive) {
  Dim value = literal.value;
  while (true) {
    const Dim factor = SharedFactor(table, value, is_positive);
    const std::optional<Dim> rest = factor.is_none() ? std::nullopt : table.DivideExactly(value, factor);
    if (!rest) break;
    value = *rest;
  }
  if (literal.relation == Relation::kEqual && value.is_expression() && table.TermCount(value) == 2) {
    const Term a = table.GetTerm(value, 0), b = table.GetTerm(value, 1);
    for (const auto& [plain, rounded] : {std::pair(a, b), std::pair(b, a)}) {
      if (const std::vector<Literal> parts = Remainders(table, plain, rounded, is_positive); parts.size() > 1)
        return parts;
    }
  }
  return {Normalize(table, {value, literal.relation})};
}

}  // namespace dimwise
