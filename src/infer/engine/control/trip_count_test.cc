// Compares inferred trip counts with loops that are executed.
#include "infer/engine/control/trip_count.h"

#include <gtest/gtest.h>

#include <random>

#include "core/dims/dim_select.h"

namespace dimwise {
namespace {

int64_t ValueOf(DimTable& dims, Dim d, Dim n, int64_t value) {
  const Dim at = dims.Substitute(d, [&](Dim atom) { return atom == n ? Dim(value) : Dim(); });
  EXPECT_TRUE(at.is_constant()) << dims.ToString(at);
  return at.is_constant() ? at.constant() : -1;
}

struct CountedLoop {
  int64_t initial, amount, bound, factor;  // while i < factor*n + bound
  bool at_most;                            // while i <= ...
};

// Returns 1 if i is below the bound, else 0.
Dim IsBelow(DimTable& dims, const CountedLoop& c, Dim i, Dim n) {
  const Dim bound = dims.Add(dims.Multiply(c.factor, n), c.bound);
  if (c.at_most) return OneIfNotNegative(dims, dims.Subtract(bound, i));
  return dims.Subtract(1, OneIfNotNegative(dims, dims.Subtract(i, bound)));
}

bool Holds(const CountedLoop& c, int64_t i, int64_t n) {
  const int64_t bound = c.factor * n + c.bound;
  return c.at_most ? i <= bound : i < bound;
}

TEST(TripCountTest, CountedLoop_Executed_HasInferredTripCount) {
  std::mt19937_64 random(7);
  const auto below = [&](int64_t limit) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(limit));
  };
  int found = 0;
  for (int round = 0; round < 400; ++round) {
    DimTable dims;
    const Dim n = dims.Symbol("N");
    std::vector<CountedLoop> cases(static_cast<size_t>(1 + below(2)));
    std::vector<LoopCounter> counters;
    Dim start = 1, goes_on = 1;
    const bool starts = below(3) == 0;
    for (CountedLoop& c : cases) {
      c = {below(7) - 3, 1 + below(3), below(7) - 3, 1 + below(2), below(2) == 0};
      const Dim i = dims.Fresh(INT64_MIN, INT64_MAX, {});
      counters.push_back({i, c.initial, c.amount});
      goes_on = dims.Multiply(goes_on, IsBelow(dims, c, dims.Add(i, c.amount), n));
      if (!starts) start = dims.Multiply(start, IsBelow(dims, c, c.initial, n));
    }
    const Dim trips = CountTrips(dims, start, goes_on, counters, [](Dim) { return true; });
    if (trips.is_none()) continue;
    ++found;
    for (int64_t value = 0; value < 12; ++value) {
      int64_t expected = 0;
      std::vector<int64_t> i;
      bool goes = true;
      for (const CountedLoop& c : cases) {
        i.push_back(c.initial);
        goes = goes && (starts || Holds(c, c.initial, value));
      }
      while (goes) {
        ++expected;
        for (size_t k = 0; k < cases.size(); ++k)
          goes = Holds(cases[k], i[k] += cases[k].amount, value) && goes;
      }
      ASSERT_EQ(ValueOf(dims, trips, n, value), expected)
          << dims.ToString(trips) << " at " << value << ", while " << dims.ToString(goes_on) << ", first "
          << dims.ToString(start);
    }
  }
  EXPECT_GT(found, 300);
}

TEST(TripCountTest, Condition_NotOnCounter_HasNoTripCount) {
  DimTable dims;
  const Dim n = dims.Symbol("N"), i = dims.Fresh(INT64_MIN, INT64_MAX, {}), u = dims.Fresh(0, 1, {});
  const LoopCounter up{i, 0, 1}, down{i, 0, -1};
  const auto always = [](Dim) { return true; };
  const Dim test = IsBelow(dims, {0, 1, 0, 1, false}, i, n);
  EXPECT_TRUE(CountTrips(dims, 1, u, {&up, 1}, always).is_none());
  EXPECT_TRUE(CountTrips(dims, 1, dims.Multiply(u, test), {&up, 1}, always).is_none());
  EXPECT_TRUE(CountTrips(dims, u, test, {&up, 1}, always).is_none());
  EXPECT_TRUE(CountTrips(dims, 1, test, {&down, 1}, always).is_none()) << "it never ends";
  EXPECT_TRUE(CountTrips(dims, 1, test, {}, always).is_none());
  EXPECT_TRUE(CountTrips(dims, 1, test, {&up, 1}, [](Dim) { return false; }).is_none());
  EXPECT_TRUE(CountTrips(dims, 1, Dim(), {&up, 1}, always).is_none());
  EXPECT_FALSE(CountTrips(dims, 1, test, {&up, 1}, always).is_none());
}

}  // namespace
}  // namespace dimwise
