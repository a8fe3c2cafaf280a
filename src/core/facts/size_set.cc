#include "core/facts/size_set.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/base/wide.h"
#include "core/facts/limits.h"

namespace dimwise {
namespace {

// A function of n = 0, 1, ...: from `start` on, f(n + period) == f(n) + rise.
struct Staircase {
  uint64_t start = 0;
  Wide rise = 0;
  std::vector<Wide> values{0};  // f(n) for n < start, and for one period

  uint64_t period() const { return values.size() - start; }
  Wide At(uint64_t n) const {
    if (n < values.size()) return values[n];
    return values[start + (n - start) % period()] + rise * static_cast<Wide>((n - start) / period());
  }
};

using Steps = std::optional<Staircase>;

bool IsSmall(Wide number) { return number <= kMaxSizeSetNumber && number >= -kMaxSizeSetNumber; }

Steps IfSmall(Staircase f) {
  if (!IsSmall(f.rise) || !std::ranges::all_of(f.values, IsSmall)) return std::nullopt;
  return f;
}

// Returns an equal function with a later start and a multiple of its period.
Steps Restated(const Staircase& f, uint64_t start, uint64_t period) {
  if (start > kMaxSizeSetSpan || period > kMaxSizeSetSpan - start) return std::nullopt;
  Staircase restated{start, f.rise * static_cast<Wide>(period / f.period()), {}};
  restated.values.resize(start + period);
  for (uint64_t n = 0; n < restated.values.size(); ++n) restated.values[n] = f.At(n);
  return IfSmall(std::move(restated));
}

// Returns an equal function with a start from which on the values have the sign of its rise. REQUIRES: f.rise
// != 0.
Steps WithSignOfRise(const Staircase& f) {
  Wide missing = 0;  // the largest distance of a value in the period from the sign of the rise
  for (uint64_t n = f.start; n < f.values.size(); ++n)
    missing = std::max(missing, f.rise > 0 ? 1 - f.values[n] : 1 + f.values[n]);
  const Wide size = f.rise > 0 ? f.rise : -f.rise, periods = (missing + size - 1) / size;
  if (periods > static_cast<Wide>(kMaxSizeSetSpan)) return std::nullopt;
  return Restated(f, f.start + static_cast<uint64_t>(periods) * f.period(), f.period());
}

Steps AddScaled(const Staircase& f, Wide factor, const Staircase& g) {
  const uint64_t start = std::max(f.start, g.start), period = std::lcm(f.period(), g.period());
  Steps sum = Restated(f, start, period);
  const Steps other = Restated(g, start, period);
  if (!sum || !other) return std::nullopt;
  sum->rise += factor * other->rise;
  for (uint64_t n = 0; n < sum->values.size(); ++n) sum->values[n] += factor * other->values[n];
  return IfSmall(std::move(*sum));
}

Steps FloorQuotient(const Staircase& f, int64_t divisor) {
  if (divisor <= 0 || divisor > static_cast<int64_t>(kMaxSizeSetSpan)) return std::nullopt;
  const auto size = static_cast<int64_t>(f.rise > 0 ? f.rise : -f.rise);
  const auto times = static_cast<uint64_t>(divisor / std::gcd(divisor, size));
  Steps quotient = Restated(f, f.start, f.period() * times);
  if (!quotient) return std::nullopt;
  quotient->rise /= divisor;
  for (Wide& value : quotient->values) value = FloorDiv(value, divisor);
  return quotient;
}

Steps MaxZero(const Staircase& f) {
  Steps result = f.rise == 0 ? Steps(f) : WithSignOfRise(f);
  if (!result) return std::nullopt;
  result->rise = std::max(result->rise, Wide{0});
  for (Wide& value : result->values) value = std::max(value, Wide{0});
  return result;
}

class StaircaseBuilder {
 public:
  StaircaseBuilder(const DimTable& table, Dim symbol) : table_(table), symbol_(symbol) {}

  Steps Of(Dim d) const {
    Staircase sum;
    for (size_t i = 0; i < table_.TermCount(d); ++i) {
      const Term term = table_.GetTerm(d, i);
      if (term.factors.size() > 1 || !IsSmall(term.coefficient)) return std::nullopt;
      const Steps factor = term.factors.empty() ? Staircase{0, 0, {1}} : OfAtom(term.factors[0]);
      const Steps more = factor ? AddScaled(sum, term.coefficient, *factor) : std::nullopt;
      if (!more) return std::nullopt;
      sum = *more;
    }
    return sum;
  }

 private:
  Steps OfAtom(Dim atom) const {
    if (atom == symbol_) return Staircase{0, 1, {0}};
    const DimKind kind = table_.Kind(atom);
    if (kind != DimKind::kFloorDiv && kind != DimKind::kMaxZero) return std::nullopt;
    const std::span<const Dim> operands = table_.Operands(atom);
    const Steps inner = Of(operands[0]);
    if (!inner) return std::nullopt;
    if (kind == DimKind::kMaxZero) return MaxZero(*inner);
    return operands[1].is_constant() ? FloorQuotient(*inner, operands[1].constant()) : std::nullopt;
  }

  const DimTable& table_;
  const Dim symbol_;
};

bool Holds(Wide value, Relation relation) {
  switch (relation) {
    case Relation::kEqual:
      return value == 0;
    case Relation::kNotEqual:
      return value != 0;
    case Relation::kAtLeast:
      return value >= 0;
  }
  return false;
}

}  // namespace

std::optional<SizeSet> SizeSet::From(uint64_t least) {
  if (least >= kMaxSizeSetSpan) return std::nullopt;
  SizeSet set;
  set.start_ = least;
  set.has_.resize(least + 1);
  set.has_[least] = true;
  return set;
}

std::optional<SizeSet> SizeSet::Of(const DimTable& table, const Clause& clause, Dim symbol) {
  std::optional<SizeSet> result;
  for (const Literal& literal : clause) {
    if (literal.value.is_none()) return std::nullopt;
    Steps steps = StaircaseBuilder(table, symbol).Of(literal.value);
    if (steps && steps->rise != 0) steps = WithSignOfRise(*steps);
    if (!steps) return std::nullopt;
    SizeSet set;
    set.start_ = steps->start;
    for (const Wide value : steps->values) set.has_.push_back(Holds(value, literal.relation));
    result = result ? Either(*result, set) : set;
    if (!result) return std::nullopt;
  }
  return result;
}

bool SizeSet::Contains(uint64_t size) const {
  return has_[size < has_.size() ? size : start_ + (size - start_) % period()];
}

std::optional<std::vector<SizeSet::Range>> SizeSet::Gaps() const {
  const auto period = has_.begin() + static_cast<ptrdiff_t>(start_);
  if (std::find(period, has_.end(), !*period) != has_.end()) return std::nullopt;
  std::vector<Range> gaps;
  const auto index = [&](auto place) { return static_cast<uint64_t>(place - has_.begin()); };
  for (auto first = has_.begin(); (first = std::find(first, has_.end(), false)) != has_.end();) {
    const auto end = std::find(first, has_.end(), true);
    gaps.push_back({index(first), end == has_.end() ? std::nullopt : std::optional(index(end) - 1)});
    first = end;
  }
  return gaps;
}

template <typename Op>
std::optional<SizeSet> SizeSet::Combined(const SizeSet& a, const SizeSet& b, Op op) {
  const uint64_t start = std::max(a.start_, b.start_), period = std::lcm(a.period(), b.period());
  if (period > kMaxSizeSetSpan || start > kMaxSizeSetSpan - period) return std::nullopt;
  SizeSet set;
  set.start_ = start;
  set.has_.resize(start + period);
  for (uint64_t n = 0; n < set.has_.size(); ++n) set.has_[n] = op(a.Contains(n), b.Contains(n));
  return set;
}

std::optional<SizeSet> SizeSet::Both(const SizeSet& a, const SizeSet& b) {
  return Combined(a, b, std::logical_and<bool>());
}

std::optional<SizeSet> SizeSet::Either(const SizeSet& a, const SizeSet& b) {
  return Combined(a, b, std::logical_or<bool>());
}

std::optional<bool> SizeSet::IsWithin(const SizeSet& other) const {
  const std::optional<SizeSet> without = Combined(*this, other, std::less_equal<bool>());
  if (!without) return std::nullopt;
  return std::ranges::all_of(without->has_, [](bool implied) { return implied; });
}

}  // namespace dimwise
