// Select denotes a choice between two expressions: a where `which` is 1, b where it is 0.
//
// The condition `which` is an expression: min(max(t + 1, 0), 1) is 1 where t >= 0, else 0. Some choices
// therefore have a closed form:
//     a and b differ by a constant c             b + c*which       (N + 9 where N < 0, else N)
//     always the smaller (or the larger) one     min or max        (N where N < 5, else 5: min(N, 5))
//     equal wherever one is not chosen           the other         (min(N, 5) where N > 5, else N: min(N, 5))
//     decided by a remainder                     with ceildiv      (0 where N % 8 is 0, else 8 - N % 8:
//                                                                   8*ceildiv(N, 8) - N)
//     equal where a division is exact            the other         (8*ceildiv(N, 8) where N % 8 or M % 8 is
//                                                                   not 0, else N: 8*ceildiv(N, 8))
//     both conditions, one of them constant      and, or           (1 where N > 5, else M > 5: their max)
// Any other choice is a symbol with a definition. It has bounds, and facts about `which` decide it. Expanding
// it to b + (a - b)*which would be correct but would not help a proof.
#include "core/dims/dim_select.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/dims/bounds.h"
#include "core/dims/condition_logic.h"
#include "core/dims/dim_table.h"
#include "core/dims/rounding_up.h"
#include "core/dims/sample_points.h"

namespace dimwise {
namespace {

constexpr int kMaxUnfolding = 8;  // depth of nested choices

// Returns the p of each max(0, p) in a sum, including nested ones.
std::vector<Dim> SignsIn(const DimTable& table, Dim sum) {
  std::vector<Dim> found = {sum};
  for (size_t next = 0; next < std::min<size_t>(found.size(), 4); ++next) {
    for (size_t i = 0; i < table.TermCount(found[next]); ++i) {
      const Term term = table.GetTerm(found[next], i);
      if (term.factors.size() == 1 && table.Kind(term.factors[0]) == DimKind::kMaxZero)
        found.push_back(table.Operands(term.factors[0])[0]);
    }
  }
  found.erase(found.begin());
  return found;
}

// Returns a where t >= 0 and b elsewhere, as min(a, b) or max(a, b). Returns none if the choice is not always
// the smaller or always the larger one.
Dim TakenByOrder(DimTable& table, Dim t, Dim a, Dim b) {
  const Dim apart = table.Subtract(a, b);
  const Interval where = BoundsWhere(table, apart, t);
  const Interval elsewhere = BoundsWhere(table, apart, table.Subtract(table.Negate(t), 1));
  if (where.hi <= 0 && elsewhere.lo >= 0) return table.Min(a, b);
  return where.lo >= 0 && elsewhere.hi <= 0 ? table.Max(a, b) : Dim();
}

bool IsCondition(DimTable& table, Dim d) {
  const Interval bounds = UniversalBounds(table, d);
  return bounds.lo >= 0 && bounds.hi <= 1;
}

// Returns `and` and `or` in the form of branches, where the second condition is evaluated only if the first
// does not decide.
Dim JoinedConditions(DimTable& table, Dim which, Dim a, Dim b) {
  if (a == Dim(1) && IsCondition(table, b)) return table.Max(which, b);
  if (b == Dim(0) && IsCondition(table, a)) return table.Multiply(which, a);
  if (a == Dim(0) && IsCondition(table, b)) return table.Multiply(table.Subtract(1, which), b);
  if (b == Dim(1) && IsCondition(table, a)) return table.Max(table.Subtract(1, which), a);
  return Dim();
}

// Returns the closed form of a choice by p % m == 0 or p % m != 0, or none.
Dim ChosenByRemainder(DimTable& table, Dim which, Dim a, Dim b) {
  for (const Dim p : SignsIn(table, which)) {
    for (const Dim t : {table.Add(p, 1), table.Subtract(1, p)}) {
      const std::optional<ExactDivision> r = AsRemainder(table, t);
      if (!r) continue;
      const Dim is_zero = table.Max(table.Subtract(1, t), 0);
      const bool direct = which == is_zero;
      if (!direct && table.Subtract(1, which) != is_zero) continue;
      return ByCeiling(table, *r, direct ? a : b, direct ? b : a);
    }
  }
  return Dim();
}

const Definition* ChoiceOf(const DimTable& table, Dim symbol) {
  const Definition* definition = table.GetDefinition(symbol);
  return definition != nullptr && definition->operation == Operation::kSelect ? definition : nullptr;
}

Dim UnfoldTo(DimTable& table, Dim d, int depth) {
  if (depth == 0 ||
      std::ranges::none_of(table.SymbolsOf(d), [&](Dim s) { return ChoiceOf(table, s) != nullptr; }))
    return d;
  return table.Substitute(d, [&](Dim atom) -> Dim {
    const Definition* choice = ChoiceOf(table, atom);
    if (choice == nullptr) return Dim();
    const Dim which = UnfoldTo(table, choice->operands[0], depth - 1);
    const Dim a = UnfoldTo(table, choice->operands[1], depth - 1),
              b = UnfoldTo(table, choice->operands[2], depth - 1);
    const Dim whole = table.Add(b, table.Multiply(which, table.Subtract(a, b)));
    const bool fits = std::ranges::none_of(table.SymbolsOf(whole),
                                           [&](Dim s) { return table.GetDefinition(s) != nullptr; });
    return fits ? whole : Dim();  // past the cap on the size of expressions
  });
}

}  // namespace

Dim OneIfNotNegative(DimTable& table, Dim t) { return table.Min(table.Max(table.Add(t, 1), 0), 1); }

SignSaid SignSaidBy(const DimTable& table, Dim condition, Dim t) {
  const Tried truth = TryOut(table, {condition, Relation::kNotEqual}, kAllPoints),
              sign = TryOut(table, {t, Relation::kAtLeast}, truth.holds);
  return {sign.holds == sign.computed, sign.holds == 0};
}

Dim OneIfZero(DimTable& table, Dim t) {
  return table.Max(table.Subtract(1, table.Max(t, table.Negate(t))), 0);
}

Dim Select(DimTable& table, Dim which, Dim a, Dim b) {
  if (which.is_none() || a.is_none() || b.is_none()) return Dim();
  if (which.is_constant()) return which == Dim(0) ? b : a;
  if (a == b) return a;
  if (const Dim found = ChosenByRemainder(table, which, a, b); !found.is_none()) return found;
  if (const Dim joined = JoinedConditions(table, which, a, b); !joined.is_none()) return joined;
  const Dim apart = table.Subtract(a, b);
  if (apart.is_constant()) return table.Add(b, table.Multiply(apart, which));
  if (IsZeroUnless(table, which, apart)) return a;
  if (IsZeroUnless(table, table.Subtract(1, which), apart)) return b;
  if (which == OneIfZero(table, apart)) return b;
  if (table.Subtract(1, which) == OneIfZero(table, apart)) return a;
  const Literal same = Equal(table, a, b);
  const Dim otherwise = table.Subtract(1, which);
  for (const Dim p : SignsIn(table, which)) {
    for (const Dim t : {p, table.Subtract(p, 1), table.Negate(p), table.Subtract(table.Negate(p), 1)}) {
      const SignSaid said = SignSaidBy(table, which, t), else_said = SignSaidBy(table, otherwise, t);
      if (!(said.not_negative && else_said.negative) && !(said.negative && else_said.not_negative)) continue;
      const Dim decides = OneIfNotNegative(table, t);
      const bool direct = decides == which;
      if (!direct && table.Subtract(1, decides) != which) continue;
      if (Follows(table, same, AtLeast(table, t, 0))) return direct ? b : a;
      if (Follows(table, same, AtMost(table, t, -1))) return direct ? a : b;
      const Dim taken = TakenByOrder(table, t, direct ? a : b, direct ? b : a);
      if (!taken.is_none()) return taken;
    }
  }
  const Dim operands[] = {which, a, b};
  return table.Defined({Operation::kSelect, 0, operands});
}

Dim Unfold(DimTable& table, Dim d) { return UnfoldTo(table, d, kMaxUnfolding); }

}  // namespace dimwise
