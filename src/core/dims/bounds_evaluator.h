// Evaluates the bounds of one expression. bounds.h describes the method.
#ifndef DIMWISE_CORE_DIMS_BOUNDS_EVALUATOR_H_
#define DIMWISE_CORE_DIMS_BOUNDS_EVALUATOR_H_

#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "core/base/scratch_array.h"
#include "core/dims/bounds.h"
#include "core/dims/bounds_from_least.h"
#include "core/dims/dim_table.h"
#include "core/dims/float_step.h"
#include "core/dims/limits.h"

namespace dimwise {

// Works on Sum values that are not interned, so that a rewriting does not fill the table with intermediate
// results.
class BoundsEvaluator {
 public:
  BoundsEvaluator(DimTable& table, const BoundsSource& source) : impl_(table.impl()), source_(source) {}

  Interval OfDimPlainly(Dim d) {
    plainly_ = true;
    return OfDim(d);
  }

  Interval OfDim(Dim d, const EnoughBounds* enough = nullptr) {
    if (d.is_constant()) return Interval::Of(d.constant());
    if (d.is_none()) return {};
    if (impl_.IsAtom(d)) return OfAtom(d);
    StoredTerm one;
    if (plainly_) return Plain(impl_.Terms(d, &one));
    Sum sum;
    impl_.AddScaled(&sum, d, 1);
    return OfSum(sum, enough);
  }

  // Returns the number of atoms and sums visited so far.
  uint32_t steps() const { return steps_; }

 private:
  using Sum = DimTable::Impl::Sum;

  // Caches the bounds of atoms, because the rewritings of a sum query the same few atoms repeatedly.
  Interval OfAtom(Dim d) {
    for (size_t i = 0; i < known_count_; ++i) {
      if (known_[i].atom == d && known_[i].definition_depth == definition_depth_) return known_[i].bounds;
    }
    const uint64_t key = uint64_t{d.id()} << 8 | static_cast<uint64_t>(definition_depth_);
    if (known_count_ == known_.size()) {
      if (const auto more = more_known_.find(key); more != more_known_.end()) return more->second;
    }
    const Interval result = OfAtomUncached(d);
    if (known_count_ < known_.size()) {
      known_[known_count_++] = {d, definition_depth_, result};
    } else {
      more_known_.insert({key, result});
    }
    return result;
  }

  Interval OfAtomUncached(Dim d) {
    ++steps_;
    const Entry e = impl_.At(d);
    Interval result;
    switch (e.kind) {
      case DimKind::kSymbol:
        return OfSymbol(d, e);
      case DimKind::kFloorDiv:
        result = FloorDivide(OfDim(e.operands[0]), OfDim(e.operands[1]));
        break;
      case DimKind::kMaxZero:
        result = MaxZero(OfDim(e.operands[0]));
        break;
      case DimKind::kConflict:
        result = {0, 1};
        break;
      default:
        result = OfDim(e.operands[0]);
        for (uint32_t i = 1; i < e.count; ++i) result = result.Hull(OfDim(e.operands[i]));
    }
    return source_.has_forms() && !plainly_ ? result.Intersect(source_.OfForm(d)) : result;
  }

  Interval OfSymbol(Dim d, const Entry& e) {
    Interval result = source_.OfSymbol(d);
    // A float step has the bounds that were found when it was created: facts seldom improve them.
    const bool is_entered = e.symbol->defined && e.symbol->definition.operation != Operation::kFloat;
    if (is_entered && definition_depth_ < kMaxBoundedDefinitions && steps_ < kMaxBoundSteps) {
      ++definition_depth_;
      result = result.Intersect(OfDefinition(e.symbol->definition));
      --definition_depth_;
    }
    return result;
  }

 public:
  Interval OfDefinition(const Definition& definition) {
    const std::span<const Dim> x = definition.operands;
    switch (definition.operation) {
      case Operation::kAdd:
        return OfDim(x[0]) + OfDim(x[1]);
      case Operation::kMultiply:
        return OfDim(x[0]) * OfDim(x[1]);
      case Operation::kFloorDiv:
        return FloorDivide(OfDim(x[0]), OfDim(x[1]));
      case Operation::kMaxZero:
        return MaxZero(OfDim(x[0]));
      case Operation::kBroadcast: {
        Interval hull = OfDim(x[0]);
        for (Dim d : x) hull = hull.Hull(OfDim(d));
        return hull;
      }
      case Operation::kSelect:
        return OfDim(x[1]).Hull(OfDim(x[2]));
      case Operation::kFloat:
        return BoundsOfFloat(*impl_.table, definition, [&](Dim d) { return OfDim(d); });
    }
    return {};
  }

 private:
  Interval OfProduct(ProductId id) {
    const Product p = impl_.products[id];
    if (p.count == 0) return Interval::Of(1);
    Interval result = OfAtom(p.factors[0]);
    for (uint32_t i = 1; i < p.count; ++i) result = result * OfAtom(p.factors[i]);
    return result;
  }

  Interval Plain(std::span<const StoredTerm> terms) {
    const bool has_constant = !terms.empty() && terms[0].product == kOne;
    Interval result = Interval::Of(has_constant ? terms[0].coefficient : 0);
    for (const StoredTerm& t : terms.subspan(has_constant ? 1 : 0)) {
      result = result + Interval::Of(t.coefficient) * OfProduct(t.product);
    }
    return result;
  }

  Interval OfSum(const Sum& sum, const EnoughBounds* enough = nullptr) {
    const auto is_done = [&](const Interval& bounds) {
      return bounds.is_point() || (enough && (*enough)(bounds));
    };
    if (sum.overflow) return {};
    if (sum.is_constant()) return Interval::Of(sum.constant_term());
    Interval result = Plain(sum.view());
    if (IsOneAtom(sum)) return result;
    if (source_.has_forms()) result = result.Intersect(LookUp(sum));
    if (is_done(result) || --budget_ <= 0 || ++steps_ > kMaxBoundSteps) return result;
    // The symbol of a definition already has the bounds of its operands, found when it was created.
    if (definition_depth_ > 0 && sum.count > kMaxTermsInDefinition) return result;
    if (Sum joined; JoinHalves(sum, &joined)) return result.Intersect(OfSum(joined, enough));
    result = result.Intersect(Factored(sum)).Intersect(WithoutFloorDivisions(sum, enough));
    if (is_done(result)) return result;
    const auto of_atom = [&](Dim atom) { return OfAtom(atom); };
    result = result.Intersect(Clamped(sum)).Intersect(BoundsFromLeast(impl_, sum, of_atom));
    if (is_done(result)) return result;
    Interval parts;
    if (MaxCount(sum) >= kManyMaxima && InParts(sum, &parts)) return result.Intersect(parts);
    return result.Intersect(BothCases(sum, enough));
  }

  int MaxCount(const Sum& sum) const {
    int count = 0;
    for (const StoredTerm& t : sum.view()) {
      const Product& p = impl_.products[t.product];
      count += std::any_of(p.factors, p.factors + p.count,
                           [&](Dim f) { return impl_.At(f).kind == DimKind::kMaxZero; });
    }
    return count;
  }

  // Bounds the parts of the sum that share no symbol separately, so that the case distinctions of the parts
  // do not multiply. Returns false if there is only one part.
  bool InParts(const Sum& sum, Interval* result) {
    const uint32_t begin = sum.terms[0].product == kOne ? 1 : 0;
    std::array<uint32_t, Sum::kCapacity>
        part;  // part[i]: the index of the first term of the part that contains term i
    uint32_t count = 0;
    for (uint32_t i = begin; i < sum.count; ++i) {
      part[i] = i;
      ++count;
      for (uint32_t j = begin; j < i; ++j) {
        if (part[j] == part[i] || !ShareSymbol(sum.terms[i].product, sum.terms[j].product)) continue;
        const auto [first, second] = std::minmax(part[i], part[j]);
        std::replace(part.begin() + begin, part.begin() + i + 1, uint32_t{second}, uint32_t{first});
        --count;
      }
    }
    if (count < 2) return false;
    *result = Interval::Of(sum.constant_term());
    for (uint32_t i = begin; i < sum.count; ++i) {
      if (part[i] != i) continue;
      Sum own;
      for (uint32_t j = i; j < sum.count; ++j) {
        if (part[j] == i) own.Add(sum.terms[j].product, sum.terms[j].coefficient);
      }
      *result = *result + OfSum(own);
    }
    return true;
  }

  bool ShareSymbol(ProductId a, ProductId b) const {
    const Product p = impl_.products[a], q = impl_.products[b];
    for (const Dim f : std::span(p.factors, p.count)) {
      const std::span<const Dim> symbols = impl_.table->SymbolsOf(f);
      for (const Dim g : std::span(q.factors, q.count)) {
        const std::span<const Dim> others = impl_.table->SymbolsOf(g);
        if (std::ranges::find_first_of(symbols, others) != symbols.end()) return true;
      }
    }
    return false;
  }

  // Returns whether the sum is c*atom + constant. Then no rewriting of the sum helps; rewriting continues
  // inside the atom.
  bool IsOneAtom(const Sum& sum) const {
    const uint32_t begin = sum.terms[0].product == kOne ? 1 : 0;
    return sum.count == begin + 1 && impl_.products[sum.terms[begin].product].count == 1;
  }

  // Returns the interval that the source has recorded for the form of this sum.
  Interval LookUp(const Sum& sum) {
    Sum form;
    int64_t scale, constant;
    if (!Canonical(sum, &form, &scale, &constant)) return {};
    const Dim d = impl_.Find(form);
    if (d.is_none() || !d.is_expression()) return {};
    return source_.OfForm(d) * Interval::Of(scale) + Interval::Of(constant);
  }

  // Factors out a factor of every term except the constant: factor * rest + constant.
  Interval Factored(const Sum& sum) {
    const uint32_t begin = sum.terms[0].product == kOne ? 1 : 0;
    if (sum.count < begin + 2) return {};
    const Product first = impl_.products[sum.terms[begin].product];
    for (uint32_t i = 0; i < first.count; ++i) {
      const Dim factor = first.factors[i];
      Sum rest;
      bool shared = true;
      for (const StoredTerm& t : sum.view().subspan(begin)) {
        ProductId without;
        if (!(shared = Without(t.product, factor, &without))) break;
        rest.Add(without, t.coefficient);
      }
      if (shared) return OfAtom(factor) * OfSum(rest) + Interval::Of(sum.constant_term());
    }
    return {};
  }

  bool Without(ProductId product, Dim factor, ProductId* result) {
    const Product p = impl_.products[product];
    std::array<Dim, DimTable::kMaxFactors> factors;
    uint32_t n = 0;
    bool found = false;
    for (uint32_t i = 0; i < p.count; ++i) {
      if (!found && p.factors[i] == factor) {
        found = true;
      } else {
        factors[n++] = p.factors[i];
      }
    }
    if (found) *result = impl_.InternProduct(std::span<const Dim>(factors.data(), n));
    return found;
  }

  // Returns the sum with the first `atom` of each term replaced by `d`.
  Sum Replace(const Sum& sum, Dim atom, Dim d) {
    Sum out;
    for (const StoredTerm& t : sum.view()) {
      ProductId cofactor;
      if (!Without(t.product, atom, &cofactor)) {
        out.Add(t.product, t.coefficient);
        continue;
      }
      StoredTerm one;
      for (const StoredTerm& s : impl_.Terms(d, &one)) {
        ProductId product;
        if (!impl_.MultiplyProducts(cofactor, s.product, &product)) {
          out.overflow = true;
          return out;
        }
        out.Add(product, Wide{t.coefficient} * s.coefficient);
      }
    }
    return out;
  }

  // Replaces a pair floordiv(p, 2*m) + floordiv(p + m, 2*m) by floordiv(p, m). Returns false if the sum has
  // no such pair.
  bool JoinHalves(const Sum& sum, Sum* joined) {
    for (uint32_t i = 0; i < sum.count; ++i) {
      for (uint32_t j = i + 1; j < sum.count; ++j) {
        const StoredTerm &a = sum.terms[i], &b = sum.terms[j];
        const Entry *first = impl_.FloorDivAlone(a.product), *second = impl_.FloorDivAlone(b.product);
        if (first == nullptr) break;
        if (second == nullptr || a.coefficient != b.coefficient) continue;
        const Dim p = first->operands[0], q = second->operands[0];
        const int64_t divisor = first->operands[1].constant();
        if (second->operands[1] != Dim(divisor) || divisor % 2 != 0) continue;
        const Dim apart = impl_.table->Subtract(q, p);
        if (apart != Dim(divisor / 2) && apart != Dim(-(divisor / 2))) continue;
        for (uint32_t k = 0; k < sum.count; ++k) {
          if (k != i && k != j) joined->Add(sum.terms[k].product, sum.terms[k].coefficient);
        }
        const Dim lower = apart.constant() > 0 ? p : q;
        impl_.AddScaled(joined, impl_.table->FloorDivide(lower, divisor / 2), a.coefficient);
        return !joined->overflow;
      }
    }
    return false;
  }

  // Bounds max(0, p) - max(0, p - k) by 0 .. k: the difference is p clamped to this interval.
  Interval Clamped(const Sum& sum) {
    for (const StoredTerm& t : sum.view()) {
      const Entry* first = impl_.MaxZeroAlone(t.product);
      if (first == nullptr || t.coefficient == INT64_MIN) continue;
      const Dim p = first->operands[0];
      for (const StoredTerm& u : sum.view()) {
        const Entry* second = u.coefficient == -t.coefficient ? impl_.MaxZeroAlone(u.product) : nullptr;
        if (second == nullptr) continue;
        const Dim k = impl_.table->Subtract(p, second->operands[0]);
        if (!k.is_constant() || k.constant() < 0) continue;
        Sum rest;
        for (const StoredTerm& other : sum.view()) {
          if (other.product != t.product && other.product != u.product)
            rest.Add(other.product, other.coefficient);
        }
        return OfSum(rest) + Interval::Of(t.coefficient) * Interval{0, k.constant()};
      }
    }
    return {};
  }

  // Evaluates the sum with max(0, t) replaced by t and by 0. If the maximum occurs linearly, the sum is
  // monotone in it, and both cases bound one side.
  Interval BothCases(const Sum& sum, const EnoughBounds* enough) {
    for (const StoredTerm& t : sum.view()) {
      const Product p = impl_.products[t.product];
      for (uint32_t i = 0; i < p.count; ++i) {
        const Entry e = impl_.At(p.factors[i]);
        if (e.kind != DimKind::kMaxZero) continue;
        const Sum positive = Replace(sum, p.factors[i], e.operands[0]), zero = Replace(sum, p.factors[i], 0);
        if (positive.overflow || zero.overflow) return {};
        const bool monotone = p.count == 1 && !AppearsElsewhere(sum, t.product, p.factors[i]);
        const auto one_side = [&](const Interval& x) {
          return t.coefficient > 0 ? Interval{x.lo, Interval::kInfinity}
                                   : Interval{-Interval::kInfinity, x.hi};
        };
        const auto is_enough = [&](const Interval& x) {
          return enough && monotone && (*enough)(one_side(x));
        };
        const EnoughBounds enough_of_one = is_enough;
        const Interval a = OfSum(positive, &enough_of_one);
        if (is_enough(a)) return one_side(a);
        const Interval b = OfSum(zero, &enough_of_one);
        if (is_enough(b)) return one_side(b);
        // The first case has t >= 0, the second has t <= 0.
        const Interval cases = a.Intersect(Given(positive, e.operands[0], {0, Interval::kInfinity}))
                                   .Hull(b.Intersect(Given(zero, e.operands[0], {-Interval::kInfinity, 0})));
        if (!monotone) return cases;
        if (t.coefficient > 0) return cases.Intersect({std::max(a.lo, b.lo), std::max(a.hi, b.hi)});
        return cases.Intersect({std::min(a.lo, b.lo), std::min(a.hi, b.hi)});
      }
    }
    return {};
  }

  // Bounds the sum as k*t + rest, where t lies in `interval`. Tries each k that removes a product of t from
  // the rest.
  Interval Given(const Sum& sum, Dim t, Interval interval) {
    Interval result;
    StoredTerm one;
    for (const StoredTerm& x : impl_.Terms(t, &one)) {
      if (x.product == kOne) continue;
      for (const StoredTerm& y : sum.view()) {
        if (y.product != x.product || Wide{y.coefficient} % x.coefficient != 0) continue;
        const Wide k = Wide{y.coefficient} / x.coefficient;
        Sum rest = sum;
        impl_.AddScaled(&rest, t, -k);
        if (!rest.overflow) result = result.Intersect(Plain(rest.view()) + Interval::Of(k) * interval);
      }
    }
    return result;
  }

  bool AppearsElsewhere(const Sum& sum, ProductId except, Dim atom) const {
    for (const StoredTerm& t : sum.view()) {
      const Product& p = impl_.products[t.product];
      if (t.product != except && std::find(p.factors, p.factors + p.count, atom) != p.factors + p.count)
        return true;
    }
    return false;
  }

  // Multiplies by the least common multiple L of the divisors. Replaces each L*floordiv(p, d) by (L/d)*p
  // minus a remainder. Then divides by L and rounds inwards. Also handles q*floordiv(p, q) for a symbolic q >
  // 0.
  Interval WithoutFloorDivisions(const Sum& sum, const EnoughBounds* enough) {
    Wide lcm = 1;
    bool found = false;
    for (const StoredTerm& t : sum.view()) {
      if (const Entry* e = impl_.FloorDivAlone(t.product)) {
        const Wide d = e->operands[1].constant();
        lcm = lcm / std::gcd(static_cast<int64_t>(lcm), static_cast<int64_t>(d)) * d;
        found = true;
        if (lcm > kMaxCommonMultiple) return {};
      } else if (SymbolicDivisor(t.product)) {
        found = true;
      }
    }
    if (!found) return {};
    Sum scaled;
    Interval slack = Interval::Of(0);
    for (const StoredTerm& t : sum.view()) {
      if (const Entry* e = impl_.FloorDivAlone(t.product)) {
        const Wide d = e->operands[1].constant(), c = t.coefficient * (lcm / d);
        impl_.AddScaled(&scaled, e->operands[0], c);
        slack = slack + Interval::Of(-c) * Interval{0, d - 1};
      } else if (const Entry* s = SymbolicDivisor(t.product)) {
        const Entry entry = *s;
        const Interval q = OfDim(entry.operands[1]);
        if (q.lo < 1) return {};
        const Wide c = t.coefficient * lcm;
        impl_.AddScaled(&scaled, entry.operands[0], c);
        slack = slack + Interval::Of(-c) * Interval{0, q.has_hi() ? q.hi - 1 : Interval::kInfinity};
      } else {
        scaled.Add(t.product, t.coefficient * lcm);
      }
      if (scaled.overflow) return {};
    }
    const auto unscaled = [&](const Interval& bounds) -> Interval {
      const Interval r = bounds + slack;
      return {r.has_lo() ? -FloorDiv(-r.lo, lcm) : r.lo, r.has_hi() ? FloorDiv(r.hi, lcm) : r.hi};
    };
    const auto is_enough = [&](const Interval& bounds) { return enough && (*enough)(unscaled(bounds)); };
    const EnoughBounds enough_scaled = is_enough;
    return unscaled(OfSum(scaled, &enough_scaled));
  }

  // Returns the entry of floordiv(p, q) in a product q*floordiv(p, q), or null.
  const Entry* SymbolicDivisor(ProductId product) const {
    const Product& p = impl_.products[product];
    if (p.count != 2) return nullptr;
    for (int i = 0; i < 2; ++i) {
      const Entry& e = impl_.At(p.factors[i]);
      if (e.kind == DimKind::kFloorDiv && e.operands[1] == p.factors[1 - i]) return &e;
    }
    return nullptr;
  }

 public:
  // Computes sum = scale*form + constant. Returns false if the sum is constant or a number does not fit.
  static bool Canonical(const Sum& sum, Sum* form, int64_t* scale, int64_t* constant) {
    if (sum.overflow || sum.is_constant()) return false;
    uint64_t g = 0;
    bool negative = false, first = true;
    for (const StoredTerm& t : sum.view()) {
      if (t.product == kOne) continue;
      if (t.coefficient == INT64_MIN) return false;
      if (first) negative = t.coefficient < 0;
      first = false;
      g = std::gcd(g, static_cast<uint64_t>(t.coefficient < 0 ? -t.coefficient : t.coefficient));
    }
    *scale = negative ? -static_cast<int64_t>(g) : static_cast<int64_t>(g);
    *constant = sum.constant_term();
    for (const StoredTerm& t : sum.view()) {
      if (t.product != kOne) form->Add(t.product, t.coefficient / *scale);
    }
    return true;
  }

 private:
  DimTable::Impl& impl_;
  const BoundsSource& source_;
  bool plainly_ = false;
  int budget_ = kMaxRewritings;
  uint32_t steps_ = 0;
  int definition_depth_ = 0;
  struct KnownAtom {
    Dim atom;
    int definition_depth;
    Interval bounds;
  };
  ScratchArray<KnownAtom, 16> known_;
  size_t known_count_ = 0;
  tsl::robin_map<uint64_t, Interval> more_known_;  // by ID and depth, when known_ is full
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_BOUNDS_EVALUATOR_H_
