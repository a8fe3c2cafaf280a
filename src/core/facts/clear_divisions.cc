#include "core/facts/clear_divisions.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/facts/entailment.h"
#include "core/facts/limits.h"
#include "core/facts/residue.h"

namespace dimwise {
namespace {

// Returns a division with a known remainder that is a factor in one of the sums.
std::optional<ExactDivision> FindExactDivision(DimTable& table, const FactSource& source,
                                               std::span<const Dim> sums) {
  for (const Dim sum : sums) {
    for (size_t i = 0; i < table.TermCount(sum); ++i) {
      for (const Dim factor : table.GetTerm(sum, i).factors) {
        if (const std::optional<ExactDivision> division = AsExactDivision(table, source, factor))
          return division;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<ExactDivision> FromQuotient(DimTable& table, const FactSource& source, Dim atom) {
  const std::span<const Dim> symbols = table.SymbolsOf(atom);
  const DerivedFacts* k = symbols.empty() ? nullptr : source.DerivedFactsAbout(symbols[0]);
  if (k == nullptr) return std::nullopt;
  const int64_t m = table.Operands(atom)[1].constant();
  for (const Dim quotient : k->divided_quotients()) {
    const Dim part = table.Operands(quotient)[1];
    if (!part.is_constant() || part.constant() >= m || m % part.constant() != 0) continue;
    const int64_t rest = m / part.constant();
    const Dim apart = table.Subtract(table.Operands(atom)[0], table.Operands(quotient)[0]);
    if (!apart.is_constant() || apart.constant() % part.constant() != 0) continue;
    const Dim divided = table.Add(quotient, apart.constant() / part.constant());
    const Congruence c = CongruenceByFacts(table, source, divided);
    if (c.modulus == 0 || c.modulus % rest != 0 || table.FloorDivide(divided, rest) != atom) continue;
    return ExactDivision{atom, rest, table.Subtract(divided, PositiveMod(c.remainder, rest))};
  }
  return std::nullopt;
}

std::optional<ExactDivision> AsExactDivision(DimTable& table, const FactSource& source, Dim atom) {
  if (table.Kind(atom) != DimKind::kFloorDiv || !table.Operands(atom)[1].is_constant()) return std::nullopt;
  const Dim p = table.Operands(atom)[0];
  const int64_t m = table.Operands(atom)[1].constant();
  const Congruence c = CongruenceByFacts(table, source, p);
  if (m <= 1) return std::nullopt;
  if (c.modulus == 0 || c.modulus % m != 0) return FromQuotient(table, source, atom);
  return ExactDivision{atom, m, table.Subtract(p, PositiveMod(c.remainder, m))};
}

bool ClearDivisions(DimTable& table, const FactSource& source, std::span<Dim> sums) {
  bool is_cleared = false;
  for (int step = 0; step < kMaxClearedDivisions; ++step) {
    const std::optional<ExactDivision> division = FindExactDivision(table, source, sums);
    if (!division) break;
    std::vector<Dim> without;
    for (const Dim sum : sums) without.push_back(TimesDivisor(table, sum, *division));
    if (std::ranges::any_of(without, [](Dim d) { return d.is_none(); })) break;
    std::ranges::copy(without, sums.begin());
    is_cleared = true;
  }
  return is_cleared;
}

}  // namespace dimwise
