// Removes the sign of a remainder from a sum. With r = p % m, floordiv(p, m) is ceildiv(p, m) if r is 0, else
// ceildiv(p, m) - 1. A case distinction by r is therefore often one expression of ceildiv(p, m): N + (8 - N %
// 8)*min(N % 8, 1) is 8*ceildiv(N, 8).
//
// Such sums contain the sign of r as max(0, r - 1). It is removed if one expression fits both cases
// (FloorToCeiling, RemainderToCeiling and ChoiceByRemainder in identities.h). The laws hold for all integers,
// so the result is a normal form.
#include "core/dims/rounding_up.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/dims/bounds.h"
#include "core/dims/dim_table.h"
#include "core/dims/limits.h"

namespace dimwise {
namespace {

// If a sum is atom + constant, as floordiv(N + 8, 8) is floordiv(N, 8) + 1, returns the atom, else none.
Dim AtomIn(const DimTable& table, Dim sum) {
  Dim atom;
  for (size_t i = 0; i < table.TermCount(sum); ++i) {
    const Term term = table.GetTerm(sum, i);
    if (term.factors.empty()) continue;
    if (!atom.is_none() || term.factors.size() != 1 || term.coefficient != 1) return Dim();
    atom = term.factors[0];
  }
  return atom;
}

Dim Replaced(DimTable& table, Dim d, Dim atom, Dim by) {
  return table.Substitute(d, [&](Dim x) { return x == atom ? by : Dim(); });
}

bool IsZeroWhereExact(DimTable& table, Dim d, const ExactDivision& division) {
  return TimesDivisor(table, d, division, kMaxPowerOfQuotient) == Dim(0);
}

// Returns d simplified for `rest` >= 1, where `rest` is a remainder: max(0, t) is t if t >= rest - 1.
Dim WherePositive(DimTable& table, Dim d, Dim rest) {
  return table.Substitute(d, [&](Dim atom) -> Dim {
    if (table.Kind(atom) != DimKind::kMaxZero) return Dim();
    const Dim t = WherePositive(table, table.Operands(atom)[0], rest);
    const Dim over = table.Subtract(t, table.Subtract(rest, 1));
    return UniversalBounds(table, over).lo >= 0 ? t : table.Max(t, 0);
  });
}

// Returns whether d, which is 0 or 1, is 1 wherever whole % divisor is not 0.
bool IsOneUnlessExact(DimTable& table, Dim d, Dim whole, int64_t divisor) {
  const Dim floor = table.FloorDivide(whole, divisor), ceiling = table.CeilDivide(whole, divisor);
  const Dim atom = AtomIn(table, ceiling);
  if (atom.is_none()) return false;
  const Dim offset = table.Subtract(ceiling, atom);
  const Dim by_floor = Replaced(table, d, atom, table.Subtract(table.Add(floor, 1), offset));
  const Dim there = WherePositive(table, by_floor, table.Mod(whole, divisor));
  return there == Dim(1) || (there.is_expression() && UniversalBounds(table, there).lo >= 1);
}

// Returns the divisions by constants that are factors in d.
std::vector<Dim> DivisionsIn(const DimTable& table, Dim d) {
  std::vector<Dim> found;
  for (size_t i = 0; i < table.TermCount(d); ++i) {
    for (const Dim f : table.GetTerm(d, i).factors) {
      if (table.Kind(f) == DimKind::kFloorDiv && table.Operands(f)[1].is_constant() &&
          std::ranges::find(found, f) == found.end())
        found.push_back(f);
    }
  }
  return found;
}

}  // namespace

std::optional<ExactDivision> AsRemainder(DimTable& table, Dim d) {
  for (size_t i = 0; i < table.TermCount(d); ++i) {
    const Term term = table.GetTerm(d, i);
    if (term.coefficient >= 0 || term.factors.size() != 1) continue;
    const Dim quotient = term.factors[0];
    if (table.Kind(quotient) != DimKind::kFloorDiv) continue;
    const Dim p = table.Operands(quotient)[0];
    if (table.Operands(quotient)[1] != Dim(-term.coefficient)) continue;
    if (table.Mod(p, -term.coefficient) == d) return ExactDivision{quotient, -term.coefficient, p};
  }
  return std::nullopt;
}

Dim ByCeiling(DimTable& table, const ExactDivision& r, Dim at_zero, Dim otherwise) {
  const Dim ceiling = table.CeilDivide(r.whole, r.divisor), atom = AtomIn(table, ceiling);
  if (atom.is_none()) return Dim();
  const Dim found = Replaced(table, otherwise, r.quotient, table.Subtract(ceiling, 1));
  const Dim offset = table.Subtract(ceiling, atom);
  const Dim then = Replaced(table, found, atom, table.Subtract(r.quotient, offset));
  return IsZeroWhereExact(table, table.Subtract(then, at_zero), r) ? found : Dim();
}

bool IsZeroUnless(DimTable& table, Dim which, Dim d) {
  const std::vector<Dim> divisions = DivisionsIn(table, d);
  if (divisions.size() > kMaxDivisionsOfChoice) return false;
  for (const Dim quotient : divisions) {
    const Dim p = table.Operands(quotient)[0];
    const int64_t m = table.Operands(quotient)[1].constant();
    for (const Dim whole : {p, table.Subtract(p, m - 1)}) {  // rounded down, or up
      if (!IsOneUnlessExact(table, which, whole, m)) continue;
      d = TimesDivisor(table, d, {quotient, m, whole}, kMaxPowerOfQuotient);
      break;
    }
  }
  return d == Dim(0);
}

void DimTable::Impl::NoteRemainderSign(Dim atom) {
  if (!atom.is_expression() || At(atom).kind != DimKind::kMaxZero) return;
  const Dim t = At(atom).operands[0];
  for (const bool is_one_at_zero : {false, true}) {
    const Dim r = is_one_at_zero ? table->Subtract(1, t) : table->Add(t, 1);
    if (const std::optional<ExactDivision> division = AsRemainder(*table, r))
      remainder_signs.insert_or_assign(atom.id(), RemainderSign{*division, is_one_at_zero});
  }
}

// Returns d with the sign of a remainder eliminated from its factors, if that leaves one expression; else d.
Dim DimTable::Impl::WithoutRemainderSigns(Dim d) {
  std::vector<Dim> atoms;
  for (size_t i = 0; i < table->TermCount(d); ++i) {
    for (const Dim f : table->GetTerm(d, i).factors) {
      if (At(f).kind == DimKind::kMaxZero && remainder_signs.contains(f.id()) &&
          std::ranges::find(atoms, f) == atoms.end())
        atoms.push_back(f);
    }
  }
  if (atoms.size() > kMaxRemainderSigns) return d;
  for (const Dim atom : atoms) {
    const RemainderSign sign = remainder_signs.at(atom.id());
    const Dim at_zero = Replaced(*table, d, atom, sign.is_one_at_zero ? 1 : 0);
    const Dim otherwise = Replaced(*table, d, atom, sign.is_one_at_zero ? Dim(0) : table->Operands(atom)[0]);
    if (const Dim found = ByCeiling(*table, sign.division, at_zero, otherwise); !found.is_none())
      return found;
  }
  return d;
}

}  // namespace dimwise
