// Tests the sizes after some trips.
#include "infer/engine/control/loop_steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace dimwise {
namespace {

// Two sizes a and b in the body, and the symbol n from which both are computed.
struct LoopSizes {
  DimTable dims;
  Dim n = dims.Parse("N").value(), a = dims.Parse("a").value(), b = dims.Parse("b").value(),
      trip = dims.Parse("trip").value();

  LoopSteps Steps(std::string_view initial_a, std::string_view next_a, std::string_view initial_b,
                  std::string_view next_b) {
    LoopSteps steps(
        dims, [&](Dim d) { return std::ranges::all_of(dims.SymbolsOf(d), [&](Dim s) { return s == n; }); });
    steps.set_trip(trip);
    steps.Carry(a, dims.Parse(initial_a).value(), dims.Parse(next_a).value());
    steps.Carry(b, dims.Parse(initial_b).value(), dims.Parse(next_b).value());
    return steps;
  }
  std::string Text(Dim d) { return d.is_none() ? "none" : dims.ToString(d); }
};

TEST(LoopStepsTest, After_Trips_SubstitutesResults) {
  LoopSizes s;
  LoopSteps steps = s.Steps("1", "b", "N", "a + b");
  EXPECT_EQ(s.Text(steps.After(0, s.a)), "1");
  EXPECT_EQ(s.Text(steps.After(1, s.a)), "N");
  EXPECT_EQ(s.Text(steps.After(5, s.a)), "5*N + 3");
  EXPECT_EQ(s.Text(steps.InTrip(2, s.dims.Parse("a - b").value())), "-N");
  EXPECT_EQ(s.Text(steps.After(1000, s.a)), "none");
  EXPECT_FALSE(steps.Settles());
}

TEST(LoopStepsTest, After_TripNumber_IsSubstituted) {
  LoopSizes s;
  LoopSteps steps = s.Steps("N", "a + trip", "0", "0");
  EXPECT_EQ(s.Text(steps.After(4, s.a)), "N + 6");
  // The first two trips agree, but the third differs.
  EXPECT_EQ(s.Text(steps.After(1, s.a)), "N");
  EXPECT_FALSE(steps.Settles());
}

TEST(LoopStepsTest, UnknownSize_InBody_LeavesOtherSizesKnown) {
  LoopSizes s;
  LoopSteps steps = s.Steps("N", "a + other", "N", "2*b");
  EXPECT_EQ(s.Text(steps.After(1, s.a)), "none");
  EXPECT_EQ(s.Text(steps.After(2, s.a)), "none");
  EXPECT_EQ(s.Text(steps.After(2, s.b)), "4*N");
}

TEST(LoopStepsTest, Settles_TripWithoutChange_IsTrue) {
  LoopSizes s;
  EXPECT_EQ(s.Steps("1", "max(a, N)", "3", "a + 1").Settles(), 2);
  EXPECT_EQ(s.Steps("N", "a", "N", "b + 0").Settles(), 0);
  EXPECT_EQ(s.Steps("1", "max(a, N)", "N", "other").Settles(), 1);
}

}  // namespace
}  // namespace dimwise
