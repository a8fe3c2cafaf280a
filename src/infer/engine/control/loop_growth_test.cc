// Tests sizes as expressions in the trip number.
#include "infer/engine/control/loop_growth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace dimwise {
namespace {

struct GrowthRow {
  const char* initial_a;
  const char* next_a;
  const char* initial_b;
  const char* next_b;
  const char* b_after;  // after T trips
  const char* b_after_last;
};

// Two sizes a and b in the body. Expressions of N are loop-invariant.
TEST(LoopGrowthTest, Amounts_OfEachTrip_AreSummed) {
  const GrowthRow rows[] = {
      {"0", "a", "N", "b + 3", "N + 3*T", "N + 3*T"},
      {"0", "a", "N", "b + trip", "N - T + (T*T + T)//2", "N - T + (T*T + T)//2"},
      {"0", "a", "N", "b + 2*N*trip + 1", "N*T*T - N*T + N + T", "N*T*T - N*T + N + T"},
      {"5", "a + 2", "N", "b + a", "T*T + N + 4*T", "T*T + N + 4*T"},
      {"0", "a", "0", "b + (trip + 1)*N//3 - trip*N//3", "N*T//3", "N*T//3"},
      {"0", "a", "0", "b + min(N, 4*trip + 4) - min(N, 4*trip)", "max(N, 0) - max(N - 4*T, 0)",
       "max(N, 0) - max(N - 4*T, 0)"},
      {"N", "a + 1", "N", "a", "none", "N + T - 1"},  // the value of a one trip before
      {"0", "a", "N", "2*b", "none", "none"},
      {"0", "a", "N", "b + trip*trip", "none", "none"},
      {"0", "a", "N", "b + max(N - trip, 0)", "none", "none"},
  };
  for (const GrowthRow& row : rows) {
    DimTable dims;
    const auto parse = [&](const char* text) { return dims.Parse(text).value(); };
    const Dim n = parse("N"), t = parse("T"), a = parse("a"), b = parse("b"), trip = parse("trip");
    LoopGrowth growth(
        dims,
        [&](Dim d) {
          return std::ranges::all_of(dims.SymbolsOf(d), [&](Dim s) { return s == n || s == t; });
        },
        [](Dim) { return false; });
    growth.set_trip(trip);
    growth.Carry(a, parse(row.initial_a), parse(row.next_a));
    growth.Carry(b, parse(row.initial_b), parse(row.next_b));
    const auto text = [&](Dim d) { return d.is_none() ? "none" : dims.ToString(d); };
    EXPECT_EQ(text(growth.After(t, b)), row.b_after) << row.next_b;
    EXPECT_EQ(text(growth.AfterLast(t, b)), row.b_after_last) << row.next_b;
  }
}

// Slices of N: min(N - 4*trip, 4), where the trip count keeps the first operand non-negative.
TEST(LoopGrowthTest, Slice_OfRest_IsCutAtEnd) {
  DimTable dims;
  const Dim n = dims.Symbol("N"), b = dims.Symbol("b"), trip = dims.Symbol("trip");
  LoopGrowth growth(
      dims, [&](Dim d) { return std::ranges::all_of(dims.SymbolsOf(d), [&](Dim s) { return s == n; }); },
      [&](Dim d) { return d == dims.Subtract(n, dims.Multiply(trip, 4)); });
  growth.set_trip(trip);
  growth.Carry(b, 1, dims.Parse("b + min(N - 4*trip, 4)").value());
  EXPECT_EQ(dims.ToString(growth.After(dims.Parse("(N + 3)//4").value(), b)), "max(N, 0) + 1");
}

}  // namespace
}  // namespace dimwise
