// Select denotes a choice between two expressions: a where `which` is 1, b where it is 0.
//
// The condition `which` is an expression: min(max(t + 1, 0), 1) is 1 where t >= 0, else 0. Some choices
// therefore have a closed form: the rows of kChoiceIdentities (identities.h). Each rule below proves the rows
// that its comment names, and returns none if the choice has another form.
//
// Any other choice is a symbol with a definition. It has bounds, and facts about `which` decide it. Expanding
// it to b + (a - b)*which would be correct but would not help a proof.
#include "core/dims/dim_select.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/hash_mix.h"
#include "core/dims/bounds.h"
#include "core/dims/condition_logic.h"
#include "core/dims/dim_table.h"
#include "core/dims/float_step.h"
#include "core/dims/limits.h"
#include "core/dims/rounding_up.h"
#include "core/dims/sample_points.h"

namespace dimwise {
namespace {

// Returns the p of each max(0, p) in a sum, including nested ones.
std::vector<Dim> SignsIn(const DimTable& table, Dim sum) {
  std::vector<Dim> found = {sum};
  for (size_t next = 0; next < std::min(found.size(), kMaxSignsOfCondition); ++next) {
    for (size_t i = 0; i < table.TermCount(found[next]); ++i) {
      const Term term = table.GetTerm(found[next], i);
      if (term.factors.size() == 1 && table.Kind(term.factors[0]) == DimKind::kMaxZero)
        found.push_back(table.Operands(term.factors[0])[0]);
    }
  }
  found.erase(found.begin());
  return found;
}

struct Choice {
  Dim which, a, b;
  Dim otherwise;  // 1 - which
  Dim apart;      // a - b
};

// ChoiceByRemainder. Decided by p % m == 0 or p % m != 0.
Dim ChoiceByRemainder(DimTable& table, const Choice& c) {
  for (const Dim p : SignsIn(table, c.which)) {
    for (const Dim t : {table.Add(p, 1), table.Subtract(1, p)}) {
      const std::optional<ExactDivision> r = AsRemainder(table, t);
      if (!r) continue;
      const Dim is_zero = table.Max(table.Subtract(1, t), 0);
      if (c.which == is_zero) return ByCeiling(table, *r, c.a, c.b);
      if (c.otherwise == is_zero) return ByCeiling(table, *r, c.b, c.a);
    }
  }
  return Dim();
}

bool IsCondition(DimTable& table, Dim d) {
  const Interval bounds = UniversalBounds(table, d);
  return bounds.lo >= 0 && bounds.hi <= 1;
}

// ChoiceAsOr, ChoiceAsAnd. A branch evaluates the second condition only if the first does not decide.
Dim ChoiceOfConditions(DimTable& table, const Choice& c) {
  if (c.a == Dim(1) && IsCondition(table, c.b)) return table.Max(c.which, c.b);
  if (c.b == Dim(0) && IsCondition(table, c.a)) return table.Multiply(c.which, c.a);
  if (c.a == Dim(0) && IsCondition(table, c.b)) return table.Multiply(c.otherwise, c.b);
  if (c.b == Dim(1) && IsCondition(table, c.a)) return table.Max(c.otherwise, c.a);
  return Dim();
}

// ChoiceByConstantDifference. The choice is b + (a - b)*which for all a and b; here this is short.
Dim ChoiceByConstantDifference(DimTable& table, const Choice& c) {
  return c.apart.is_constant() ? table.Add(c.b, table.Multiply(c.apart, c.which)) : Dim();
}

// ChoiceWhereDivisionIsExact. Both are equal wherever one of them is not chosen, since divisions in them are
// exact there.
Dim ChoiceWhereDivisionIsExact(DimTable& table, const Choice& c) {
  if (IsZeroUnless(table, c.which, c.apart)) return c.a;
  return IsZeroUnless(table, c.otherwise, c.apart) ? c.b : Dim();
}

// ChoiceByEquality.
Dim ChoiceByEquality(DimTable& table, const Choice& c) {
  const Dim are_equal = OneIfZero(table, c.apart);
  return c.which == are_equal ? c.b : c.otherwise == are_equal ? c.a : Dim();
}

// ChoiceWhereBothAreEqual, ChoiceOfSmaller, ChoiceOfLarger. Returns a closed form of a where t >= 0, else b.
Dim ChoiceBySign(DimTable& table, Dim t, Dim a, Dim b) {
  const Literal are_equal = Equal(table, a, b);
  if (IsImpliedBy(table, are_equal, AtLeast(table, t, 0))) return b;
  if (IsImpliedBy(table, are_equal, AtMost(table, t, -1))) return a;
  const Dim apart = table.Subtract(a, b);
  const Interval where = BoundsWhere(table, apart, t);
  const Interval elsewhere = BoundsWhere(table, apart, table.Subtract(table.Negate(t), 1));
  if (where.hi <= 0 && elsewhere.lo >= 0) return table.Min(a, b);
  return where.lo >= 0 && elsewhere.hi <= 0 ? table.Max(a, b) : Dim();
}

// Applies ChoiceBySign with each t whose sign decides the choice.
Dim ChoiceByAnySign(DimTable& table, const Choice& c) {
  for (const Dim p : SignsIn(table, c.which)) {
    for (const Dim t : {p, table.Subtract(p, 1), table.Negate(p), table.Subtract(table.Negate(p), 1)}) {
      const ImpliedSign said = SignImpliedBy(table, c.which, t),
                        else_said = SignImpliedBy(table, c.otherwise, t);
      if (!(said.not_negative && else_said.negative) && !(said.negative && else_said.not_negative)) continue;
      const Dim decides = OneIfNotNegative(table, t);
      Dim found;
      if (decides == c.which) found = ChoiceBySign(table, t, c.a, c.b);
      if (decides == c.otherwise) found = ChoiceBySign(table, t, c.b, c.a);
      if (!found.is_none()) return found;
    }
  }
  return Dim();
}

constexpr Dim (*kChoiceRules[])(DimTable&, const Choice&) = {
    ChoiceByRemainder,          ChoiceOfConditions, ChoiceByConstantDifference,
    ChoiceWhereDivisionIsExact, ChoiceByEquality,   ChoiceByAnySign};

const Definition* ChoiceOf(const DimTable& table, Dim symbol) {
  const Definition* definition = table.GetDefinition(symbol);
  return definition != nullptr && definition->operation == Operation::kSelect ? definition : nullptr;
}

// Expands choices. Nested choices share operands, so each choice is expanded once for each depth.
class Unfolder {
 public:
  explicit Unfolder(DimTable& table) : table_(table) {}

  Dim Run(Dim d, int depth) {
    const auto is_choice = [&](Dim symbol) { return ChoiceOf(table_, symbol) != nullptr; };
    if (depth == 0 || std::ranges::none_of(table_.SymbolsOf(d), is_choice)) return d;
    return table_.Substitute(d, [&](Dim atom) { return is_choice(atom) ? OfChoice(atom, depth) : Dim(); });
  }

 private:
  // Returns none if the expansion exceeds the cap on the size of expressions.
  Dim OfChoice(Dim symbol, int depth) {
    const auto [known, is_new] = done_.insert({{symbol, depth}, Dim()});
    if (!is_new) return known->second;
    const std::span<const Dim> operands = ChoiceOf(table_, symbol)->operands;
    const Dim which = Run(operands[0], depth - 1);
    const Dim a = Run(operands[1], depth - 1), b = Run(operands[2], depth - 1);
    const Dim whole = table_.Add(b, table_.Multiply(which, table_.Subtract(a, b)));
    const auto is_defined = [&](Dim s) {
      return table_.GetDefinition(s) != nullptr && !IsFloatStep(table_, s);
    };
    if (std::ranges::any_of(table_.SymbolsOf(whole), is_defined)) return Dim();
    return done_[{symbol, depth}] = whole;
  }

  struct Hash {
    size_t operator()(const std::pair<Dim, int>& key) const {
      return HashMix(key.first.id(), static_cast<uint64_t>(key.second));
    }
  };
  DimTable& table_;
  tsl::robin_map<std::pair<Dim, int>, Dim, Hash> done_;  // by choice and depth
};

}  // namespace

Dim OneIfNotNegative(DimTable& table, Dim t) { return table.Min(table.Max(table.Add(t, 1), 0), 1); }

ImpliedSign SignImpliedBy(const DimTable& table, Dim condition, Dim t) {
  const PointTruth truth = EvaluateAtPoints(table, {condition, Relation::kNotEqual}, kAllPoints),
                   sign = EvaluateAtPoints(table, {t, Relation::kAtLeast}, truth.holds);
  return {sign.holds == sign.computed, sign.holds == 0};
}

Dim OneIfZero(DimTable& table, Dim t) {
  return table.Max(table.Subtract(1, table.Max(t, table.Negate(t))), 0);
}

Dim Select(DimTable& table, Dim which, Dim a, Dim b) {
  if (which.is_none() || a.is_none() || b.is_none()) return Dim();
  if (which.is_constant()) return which == Dim(0) ? b : a;
  if (a == b) return a;  // ChoiceOfEqual
  const Choice choice{which, a, b, table.Subtract(1, which), table.Subtract(a, b)};
  for (const auto rule : kChoiceRules) {
    if (const Dim found = rule(table, choice); !found.is_none()) return found;
  }
  const Dim operands[] = {which, a, b};
  return table.Defined({Operation::kSelect, 0, operands});
}

Dim Unfold(DimTable& table, Dim d) { return Unfolder(table).Run(d, kMaxUnfoldedChoices); }

}  // namespace dimwise
