#include "infer/engine/control/trip_count.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/dims/dim_select.h"

namespace dimwise {
namespace {

constexpr size_t kMaxTests = 4;   // in one condition
constexpr size_t kMaxAtoms = 16;  // examined in one condition

// Returns the operand p of each max(0, p) in an expression, inner ones first.
std::vector<Dim> MaximaIn(const DimTable& dims, Dim d) {
  std::vector<Dim> found = {d};
  for (size_t next = 0; next < found.size() && found.size() < kMaxAtoms; ++next) {
    for (size_t i = 0; i < dims.TermCount(found[next]); ++i) {
      for (const Dim factor : dims.GetTerm(found[next], i).factors) {
        if (dims.Kind(factor) == DimKind::kMaxZero) found.push_back(dims.Operands(factor)[0]);
      }
    }
  }
  found.erase(found.begin());
  std::ranges::reverse(found);
  return found;
}

// Splits a condition into a factor that is 1 if a test is >= 0, else 0, and the product of the other factors.
// Returns the test and sets *condition to the other factors. Returns none if the condition is no such
// product.
Dim TakeTest(DimTable& dims, Dim* condition) {
  for (const Dim p : MaximaIn(dims, *condition)) {
    const Dim minus = dims.Negate(p);
    for (const Dim t : {dims.Subtract(p, 1), p, dims.Subtract(minus, 1), minus}) {
      const ImpliedSign said = SignImpliedBy(dims, *condition, t);
      if (!said.not_negative && !said.negative) continue;
      const Dim holds = OneIfNotNegative(dims, t), fails = dims.Subtract(1, holds);
      for (const Dim factor : {holds, fails}) {
        const bool may_divide =
            factor.is_expression() && (factor == holds ? said.not_negative : said.negative);
        const std::optional<Dim> rest = may_divide ? dims.DivideExactly(*condition, factor) : std::nullopt;
        if (!rest) continue;
        *condition = *rest;
        return factor == holds ? t : dims.Subtract(dims.Negate(t), 1);
      }
    }
  }
  return Dim();
}

Dim InFirstTrip(DimTable& dims, Dim d, std::span<const LoopCounter> counters) {
  return dims.Substitute(d, [&](Dim atom) {
    const auto counter = std::ranges::find(counters, atom, &LoopCounter::symbol);
    return counter == counters.end() ? Dim() : counter->initial;
  });
}

Dim InNextTrip(DimTable& dims, Dim d, std::span<const LoopCounter> counters) {
  return dims.Substitute(d, [&](Dim atom) {
    const auto counter = std::ranges::find(counters, atom, &LoopCounter::symbol);
    return counter == counters.end() ? Dim() : dims.Add(counter->symbol, counter->amount);
  });
}

}  // namespace

std::optional<std::vector<Dim>> TestsOf(DimTable& dims, Dim condition) {
  std::vector<Dim> tests;
  while (condition != Dim(1)) {
    const bool may_be = condition.is_expression() && tests.size() < kMaxTests;
    tests.push_back(may_be ? TakeTest(dims, &condition) : Dim());
    if (tests.back().is_none()) return std::nullopt;
  }
  return tests;
}

Dim CountTrips(DimTable& dims, Dim start, Dim goes_on, std::span<const LoopCounter> counters,
               const std::function<bool(Dim)>& is_invariant) {
  const std::optional<std::vector<Dim>> tests = TestsOf(dims, goes_on), first = TestsOf(dims, start);
  if (!tests || !first || tests->empty()) return Dim();
  Dim trips;
  std::vector<Dim> unmatched = *first;  // tests of the first trip that later trips do not have
  for (const Dim test : *tests) {
    const Dim step = dims.Subtract(test, InNextTrip(dims, test, counters));
    const Dim at_first = InFirstTrip(dims, test, counters);
    if (!step.is_constant() || step.constant() <= 0 || at_first.is_none() || !is_invariant(at_first))
      return Dim();
    // The test as it is before the first trip. `start` may contain it.
    const Dim at_start = dims.Add(at_first, step);
    const bool is_first = std::ranges::find(*first, at_start) != first->end();
    if (!is_first && start != Dim(1)) return Dim();
    std::erase(unmatched, at_start);
    const Dim passed = dims.FloorDivide(is_first ? at_start : at_first, step);
    const Dim count = dims.Add(dims.Max(dims.Add(passed, 1), 0), is_first ? 0 : 1);
    if (count.is_none()) return Dim();
    trips = trips.is_none() ? count : dims.Min(trips, count);
  }
  return unmatched.empty() ? trips : Dim();
}

std::vector<Dim> TestsBeforeTrips(DimTable& dims, Dim start, Dim goes_on,
                                  std::span<const LoopCounter> counters,
                                  const std::function<bool(Dim)>& holds_at_first) {
  const std::optional<std::vector<Dim>> tests = TestsOf(dims, goes_on);
  if (!tests) return {};
  const std::vector<Dim> first = TestsOf(dims, start).value_or(std::vector<Dim>());
  std::vector<Dim> before;
  for (const Dim test : *tests) {
    const Dim step = dims.Subtract(test, InNextTrip(dims, test, counters));
    if (!step.is_constant() || step == Dim(0)) continue;
    const Dim now = dims.Add(test, step), at_start = InFirstTrip(dims, now, counters);
    if (now.is_none() || at_start.is_none()) continue;
    if (std::ranges::find(first, at_start) != first.end() || holds_at_first(at_start)) before.push_back(now);
  }
  return before;
}

}  // namespace dimwise
