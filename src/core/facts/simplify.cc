// Simplifies an expression by facts. The rules are kFactIdentities (core/dims/identities.h).
//
// Atoms are simplified from the inside out:
// - A symbol becomes its constant, or the equal symbol that comes first. A nameless size becomes an
//   expression of named sizes. For proofs, any solution replaces the symbol. A choice (dim_select.cc) becomes
//   the operand that the facts choose. A symbol that represents an expression beyond the cap on its size
//   becomes that expression if facts about its operands make it short enough.
// - floordiv(p, q): known remainders of p are subtracted, and factors of p and q cancel if they are not 0.
// - max(0, t) becomes t or 0 if the sign is known.
// - broadcast(...): operands that are 1, and those that another operand absorbs, are removed. An operand that
//   is not 1 is the result.
// - conflict(...): operands that cannot be the cause of a conflict are removed.
// Then m*floordiv(p, m) becomes p - r if p % m is known to be r. For a symbolic m, r must be 0.
#include <algorithm>
#include <array>
#include <numeric>

#include "core/dims/broadcast_order.h"
#include "core/dims/float_step.h"
#include "core/facts/clear_divisions.h"
#include "core/facts/entailment.h"
#include "core/facts/limits.h"
#include "core/facts/residue.h"
#include "dimwise/small_list.h"

namespace dimwise {
namespace {

class Simplifier {
 public:
  Simplifier(DimTable& table, const FactSource& source, bool solve)
      : table_(table), source_(source), solve_(solve) {}

  Dim Run(Dim d) {
    if (!d.is_expression()) return d;
    if (source_.is_exhausted()) return d;
    if (const auto known = source_.RecallSimplified(d, solve_)) {
      source_.CountSteps(known->steps);
      return source_.is_exhausted() ? d : known->answer;
    }
    for (const FactSource::UnderWay* u = source_.under_way; u != nullptr; u = u->outer) {
      if (u->d == d && u->solve == solve_) return d;  // the facts lead back to d: a cycle
    }
    const FactSource::UnderWay here{d, solve_, source_.under_way};
    source_.under_way = &here;
    const uint64_t before = source_.steps();
    const Dim result = Passes(d);
    source_.under_way = here.outer;
    if (source_.is_exhausted()) return d;
    source_.StoreSimplified(d, solve_, {result, static_cast<uint32_t>(source_.steps() - before)});
    return result;
  }

 private:
  Dim Passes(Dim d) {
    for (int pass = 0; pass < kMaxSimplifierPasses && d.is_expression(); ++pass) {
      const Dim before = d;
      d = table_.Substitute(d, [&](Dim atom) { return OfAtom(atom); });
      if (d.is_none()) return before;
      d = CancelDivisors(d);
      if (d == before) break;
    }
    return d;
  }

  // Returns the simplified atom, or none if nothing changes.
  Dim OfAtom(Dim atom) {
    source_.CountSteps(1);
    switch (table_.Kind(atom)) {
      case DimKind::kSymbol: {
        if (const Dim found = OfDefinition(atom); !found.is_none()) return found;
        const DerivedFacts* k = source_.DerivedFactsAbout(atom);
        if (k == nullptr) return Dim();
        const Dim s = k->SolutionOf(atom);
        const bool is_short = s.is_constant() || table_.Kind(s) == DimKind::kSymbol;
        if (solve_ || is_short || (table_.GetSymbol(atom).is_nameless && IsOfNames(s))) return s;
        return k->EqualSymbolOf(atom);
      }
      case DimKind::kFloorDiv:
        return OfFloorDivision(Run(table_.Operands(atom)[0]), Run(table_.Operands(atom)[1]));
      case DimKind::kMaxZero: {
        const Dim t = Run(table_.Operands(atom)[0]);
        if (SamplesOf(t).has_both_signs()) return table_.Max(t, 0);
        const auto has_sign = [](const Interval& bounds) {
          return !bounds.empty() && (bounds.lo >= 0 || bounds.hi <= 0);
        };
        const EnoughBounds enough = has_sign;
        const Interval b = BoundsByFacts(table_, source_, t, &enough);
        if (b.empty()) return table_.Max(t, 0);
        return b.lo >= 0 ? t : b.hi <= 0 ? Dim(0) : table_.Max(t, 0);
      }
      case DimKind::kBroadcast:
        return OfBroadcast(table_.Operands(atom));
      case DimKind::kConflict:
        return OfConflict(table_.Operands(atom));
      default:
        return Dim();
    }
  }

  bool IsOfNames(Dim d) const {
    return d.is_expression() && std::ranges::all_of(table_.SymbolsOf(d), [&](Dim symbol) {
             const SymbolInfo info = table_.GetSymbol(symbol);
             return info.of_user && !info.is_nameless;
           });
  }

  // Returns a simpler form of a symbol with a definition, or none.
  Dim OfDefinition(Dim symbol) {
    const Definition* definition = table_.GetDefinition(symbol);
    if (definition == nullptr) return Dim();
    const std::span<const Dim> operands = definition->operands;
    if (definition->operation == Operation::kSelect) {
      const Dim which = Run(operands[0]);
      return which.is_constant() ? Run(operands[which == Dim(0) ? 2 : 1]) : Dim();
    }
    if (table_.DefinitionDepth(symbol) > kMaxSimplifiedDefinitions) return Dim();
    internal::SmallList<Dim, 4> simple;
    for (const Dim d : operands) simple.push_back(Run(d));
    if (std::ranges::equal(simple, operands)) return Dim();
    const Dim found = Computed(*definition, {simple.begin(), simple.size()});
    const auto is_defined = [&](Dim s) {
      return table_.GetDefinition(s) != nullptr && !IsFloatStep(table_, s);
    };
    if (found.is_none()) return Dim();
    // Facts about a float step are about this symbol, so it is not replaced by another step.
    if (definition->operation == Operation::kFloat) return found.is_constant() ? found : Dim();
    return std::ranges::any_of(table_.SymbolsOf(found), is_defined) ? Dim() : found;
  }

  Dim Computed(const Definition& definition, std::span<const Dim> operands) {
    switch (definition.operation) {
      case Operation::kAdd:
        return table_.Add(operands[0], operands[1]);
      case Operation::kMultiply:
        return table_.Multiply(operands[0], operands[1]);
      case Operation::kFloorDiv:
        return OfFloorDivision(operands[0], operands[1]);
      case Operation::kMaxZero:
        return table_.Max(operands[0], 0);
      case Operation::kBroadcast:
        return OfBroadcast(operands);
      case Operation::kFloat:
        return MakeFloatStep(table_, StepOf(definition), operands[0], operands.back());
      case Operation::kSelect:
        return Dim();
    }
    return Dim();
  }

  SampleRange SamplesOf(Dim d) const { return RangeAt(table_, d, PointsByFacts(table_, source_, d)); }

  Truth Query(const Literal& l) { return Entails(table_, source_, l); }

  // QuotientOfProduct, QuotientWithCommonFactor, QuotientOfKnownRemainder, QuotientOfMultiples,
  // QuotientOfSmaller.
  Dim OfFloorDivision(Dim p, Dim q) {
    if (q == Dim(0)) return p;  // undefined: a divisor of 0 counts as 1, as for bounds
    if (q.is_constant()) {
      if (q.constant() > 0) p = table_.Subtract(p, KnownRemainder(p, q.constant()));
    } else {
      CancelCommonFactors(&p, &q);
      const bool not_zero = Query(NotEqual(table_, q, 0)) == Truth::kYes;
      if (not_zero) {
        if (const std::optional<Dim> exact = table_.DivideExactly(p, q)) return *exact;
        std::array<Dim, 2> both{p, q};
        if (ClearDivisions(table_, source_, both)) {
          if (const std::optional<Dim> exact = table_.DivideExactly(both[0], both[1])) return *exact;
        }
        const Dim whole = QuotientOfMultiples(p, q), rest = table_.Subtract(p, table_.Multiply(whole, q));
        if (whole != Dim(0) && !rest.is_none()) return table_.Add(whole, OfFloorDivision(rest, q));
      }
      if (Query(AtLeast(table_, p, 0)) == Truth::kYes && Query(LessThan(table_, p, q)) == Truth::kYes)
        return 0;
    }
    const Dim result = table_.FloorDivide(p, q);
    if (!result.is_expression() || SamplesOf(result).has_two()) return result;
    const Interval b = FloorDivide(BoundsByFacts(table_, source_, p), BoundsByFacts(table_, source_, q));
    return b.is_point() && FitsInt64(b.lo) ? Dim(static_cast<int64_t>(b.lo)) : result;
  }

  // Returns the sum of the terms of p that are multiples of q, divided by q: for N*M + K and N, M. Returns 0
  // if q has several terms.
  Dim QuotientOfMultiples(Dim p, Dim q) {
    Dim whole = 0;
    if (table_.TermCount(q) != 1) return whole;
    for (size_t i = 0; i < table_.TermCount(p); ++i) {
      const Term t = table_.GetTerm(p, i);
      if (t.factors.empty()) continue;
      Dim term = t.coefficient;
      for (const Dim factor : t.factors) term = table_.Multiply(term, factor);
      if (const std::optional<Dim> exact = table_.DivideExactly(term, q)) whole = table_.Add(whole, *exact);
    }
    return whole;
  }

  // Returns p % g for the largest g that divides the divisor and for which p % g is known.
  int64_t KnownRemainder(Dim p, int64_t divisor) {
    if (p.is_constant()) return 0;
    const Congruence c = CongruenceByFacts(table_, source_, p);
    const int64_t g = c.modulus == 0 ? divisor : std::gcd(c.modulus, divisor);
    return g > 1 ? PositiveMod(c.remainder, g) : 0;
  }

  // Divides both by the factors that all terms share and that cannot be 0.
  void CancelCommonFactors(Dim* p, Dim* q) {
    for (size_t i = 0; table_.TermCount(*q) > 0 && i < table_.GetTerm(*q, 0).factors.size();) {
      const Dim f = table_.GetTerm(*q, 0).factors[i];
      const std::optional<Dim> a = table_.DivideExactly(*p, f), b = table_.DivideExactly(*q, f);
      if (a && b && Query(NotEqual(table_, f, 0)) == Truth::kYes) {
        *p = *a;
        *q = *b;
        i = 0;
      } else {
        ++i;
      }
    }
  }

  // BroadcastWithOne, BroadcastOfNotOne, BroadcastOfLarger, BroadcastOfMinimumWithSize.
  Dim OfBroadcast(std::span<const Dim> operands) {
    std::array<Dim, DimTable::kMaxTerms> left;
    size_t n = 0;
    Dim winner;
    for (Dim operand : operands) {
      const Dim d = Run(operand);
      if (Query(Equal(table_, d, 1)) == Truth::kYes) continue;
      if (Query(NotEqual(table_, d, 1)) == Truth::kYes && (winner.is_none() || table_.Order(d, winner) < 0))
        winner = d;
      left[n++] = d;
    }
    if (!winner.is_none()) return winner;
    if (n > kMaxComparedOperands) return table_.Broadcast(std::span<const Dim>(left.data(), n));
    for (size_t i = 0; n > 1 && i < n;) {
      const auto others = std::span<const Dim>(left.data(), n);
      const bool gives_way =
          std::ranges::any_of(others, [&](Dim x) { return x != left[i] && Absorbs(x, left[i]); });
      if (gives_way) {
        left[i] = left[--n];
      } else {
        ++i;
      }
    }
    return table_.Broadcast(std::span<const Dim>(left.data(), n));
  }

  // BroadcastableWithoutOnes, BroadcastableByOneSize: removes sizes that are 1, and those that are 1 or equal
  // to a size that is not 1. Returns 1 if such a size is neither.
  Dim OfConflict(std::span<const Dim> sizes) {
    std::vector<Dim> left;
    Dim common;
    for (const Dim size : sizes) {
      const Dim d = Run(size);
      if (Query(Equal(table_, d, 1)) == Truth::kYes) continue;
      if (common.is_none() && Query(NotEqual(table_, d, 1)) == Truth::kYes) common = d;
      left.push_back(d);
    }
    bool is_conflict = false;
    if (!common.is_none()) {
      std::erase_if(left, [&](Dim d) {
        if (d == common) return false;
        const Literal is_common = Equal(table_, d, common), is_one = Equal(table_, d, 1);
        const Truth truth = Query(is_common);
        is_conflict = is_conflict || (truth == Truth::kNo && Query(is_one) == Truth::kNo);
        return truth == Truth::kYes || Entails(table_, source_, Clause{is_common, is_one}) == Truth::kYes;
      });
    }
    return is_conflict ? Dim(1) : table_.Conflict(left);
  }

  bool Absorbs(Dim x, Dim d) {
    return dimwise::Absorbs(table_, x, d, [&](const Literal& l) { return Query(l) == Truth::kYes; });
  }

  // MultipleOfExactQuotient, MultipleOfRoundedQuotient, MultipleOfNestedQuotient, ProductOfExactQuotient:
  // c*x*floordiv(p, m) is (c/m)*x*(p - r) if m divides c and p % m is known to be r. For a symbolic m, r must
  // be 0: H*floordiv(D, H) is D.
  Dim CancelDivisors(Dim d) {
    if (!d.is_expression() || table_.Kind(d) != DimKind::kSum) return d;
    for (size_t i = 0; i < table_.TermCount(d); ++i) {
      const Term t = table_.GetTerm(d, i);
      for (Dim f : t.factors) {
        if (table_.Kind(f) != DimKind::kFloorDiv) continue;
        const Dim p = table_.Operands(f)[0], q = table_.Operands(f)[1];
        Dim whole, divisor = q;
        if (q.is_constant()) {
          const std::optional<ExactDivision> division = t.coefficient % q.constant() == 0
                                                            ? AsExactDivision(table_, source_, f)
                                                            : FromQuotient(table_, source_, f);
          if (!division || t.coefficient % division->divisor != 0) continue;
          whole = division->whole;
          divisor = division->divisor;
        }
        Dim old = t.coefficient;
        for (const Dim x : t.factors) old = table_.Multiply(old, x);
        const Dim product = table_.Multiply(divisor, f);
        const std::optional<Dim> others = table_.DivideExactly(old, product);
        if (!others) continue;
        if (!q.is_constant()) {
          if (Query(Equal(table_, p, product)) != Truth::kYes) continue;
          whole = p;
        }
        const Dim result = table_.Add(table_.Subtract(d, old), table_.Multiply(*others, whole));
        return result.is_none() ? d : CancelDivisors(result);
      }
    }
    return d;
  }

  DimTable& table_;
  const FactSource& source_;
  const bool solve_;
};

}  // namespace

Dim SimplifyByFacts(DimTable& table, const FactSource& source, Dim d, bool solve) {
  return Simplifier(table, source, solve).Run(d);
}

}  // namespace dimwise
