#include "core/dims/float_step.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/base/rounds_testing.h"
#include "core/dims/bounds.h"
#include "core/dims/limits.h"

namespace dimwise {
namespace {

double RunReal(FloatStep step, double a, double b) {
  return RealOfBits(RunFloatStep(step, BitsOfReal(a), BitsOfReal(b)).value());
}

// A number >= 0 of f32 of any magnitude.
float RandomF32(std::mt19937_64& random) {
  const auto bits = static_cast<uint32_t>(random());
  const float x = std::fabs(std::bit_cast<float>(bits));
  return std::isfinite(x) ? x : 1.0F;
}

TEST(FloatStepTest, RunFloatStep_RandomNumbersOfF32_RoundsLikeF32) {
  std::mt19937_64 random(1);
  for (int round = 0; round < Rounds(20000); ++round) {
    const float a = RandomF32(random), b = RandomF32(random), near = a * (1 + 1e-3F);
    ASSERT_EQ(RunReal(FloatStep::kMultiplyF32, a, b), a * b) << a << " " << b;
    ASSERT_EQ(RunReal(FloatStep::kAddF32, a, near), a + near) << a;
    ASSERT_EQ(RunReal(FloatStep::kMin, a, b), std::fmin(a, b));
    ASSERT_EQ(RunReal(FloatStep::kMax, a, b), std::fmax(a, b));
    if (b > 0) {
      ASSERT_EQ(RunReal(FloatStep::kDivideF32, a, b), a / b) << a << " " << b;
    }
    const auto n = static_cast<int64_t>(random() >> (1 + random() % 63));
    ASSERT_EQ(RealOfBits(RunFloatStep(FloatStep::kToF32, n, n).value()), static_cast<float>(n)) << n;
    ASSERT_EQ(RealOfBits(RunFloatStep(FloatStep::kToF64, n, n).value()), static_cast<double>(n)) << n;
  }
}

TEST(FloatStepTest, RunFloatStep_ToInteger_RoundsInEachDirection) {
  struct Case {
    double x;
    int64_t floor, ceil, nearest;
  };
  for (const Case& c :
       {Case{0, 0, 0, 0}, Case{0.5, 0, 1, 0}, Case{1.5, 1, 2, 2}, Case{2.5, 2, 3, 2}, Case{2.75, 2, 3, 3},
        Case{1e15, 1000000000000000, 1000000000000000, 1000000000000000}}) {
    const int64_t bits = BitsOfReal(c.x);
    EXPECT_EQ(RunFloatStep(FloatStep::kFloor, bits, bits), c.floor) << c.x;
    EXPECT_EQ(RunFloatStep(FloatStep::kCeil, bits, bits), c.ceil) << c.x;
    EXPECT_EQ(RunFloatStep(FloatStep::kNearest, bits, bits), c.nearest) << c.x;
  }
}

TEST(FloatStepTest, RunFloatStep_WithoutResult_ReturnsNone) {
  const int64_t infinite = BitsOfReal(INFINITY), zero = BitsOfReal(0), large = BitsOfReal(0x1p63);
  EXPECT_EQ(RunFloatStep(FloatStep::kMultiplyF32, infinite, zero), std::nullopt);
  EXPECT_EQ(RunFloatStep(FloatStep::kDivideF32, zero, zero), std::nullopt);
  EXPECT_EQ(RunFloatStep(FloatStep::kFloor, infinite, infinite), std::nullopt);
  EXPECT_EQ(RunFloatStep(FloatStep::kFloor, large, large), std::nullopt);
  EXPECT_EQ(RunFloatStep(FloatStep::kToF32, -1, -1), std::nullopt);
}

// The scale of a detection model: the shorter side becomes 800, but the longer one at most 1333.
class ScaledSize {
 public:
  Dim ToF32(Dim d) { return MakeFloatStep(dims, FloatStep::kToF32, d); }
  Dim Quotient(double x, Dim d) {
    return MakeFloatStep(dims, FloatStep::kDivideF32, BitsOfReal(x), ToF32(d));
  }

  DimTable dims;
  const Dim h = dims.Symbol("H"), w = dims.Symbol("W");
  const Dim scale =
      MakeFloatStep(dims, FloatStep::kMin, Quotient(800, dims.Min(h, w)), Quotient(1333, dims.Max(h, w)));
  const Dim product = MakeFloatStep(dims, FloatStep::kMultiplyF32, ToF32(h), scale);
  const Dim size = MakeFloatStep(dims, FloatStep::kFloor, product);
};

TEST(FloatStepTest, ScaledSize_HasTextBoundsAndValue) {
  ScaledSize s;
  EXPECT_EQ(FloatStepText(s.dims, *s.dims.GetDefinition(s.size)),
            "floor(f32_mul(min(f32_div(1333, f32(max(H, W))), f32_div(800, f32(min(H, W)))), f32(H)))");
  EXPECT_EQ(IntrinsicBounds(s.dims, s.size), (Interval{0, 1333}));
  EXPECT_TRUE(IsReal(s.dims, s.scale));
  EXPECT_FALSE(IsReal(s.dims, s.size));
  EXPECT_EQ(MakeFloatStep(s.dims, FloatStep::kMultiplyF32, s.scale, s.ToF32(s.h)), s.product);
  std::mt19937_64 random(1);
  for (int round = 0; round < Rounds(2000); ++round) {
    const auto h = static_cast<int64_t>(1 + random() % 3000), w = static_cast<int64_t>(1 + random() % 3000);
    const auto size_of = [&](Dim symbol) -> std::optional<int64_t> {
      return symbol == s.h ? std::optional(h) : symbol == s.w ? std::optional(w) : std::nullopt;
    };
    const float scale =
        std::fmin(800.0F / static_cast<float>(std::min(h, w)), 1333.0F / static_cast<float>(std::max(h, w)));
    ASSERT_EQ(s.dims.Evaluate(s.size, size_of), static_cast<int64_t>(static_cast<float>(h) * scale))
        << h << " " << w;
  }
}

TEST(FloatStepTest, SizeTimesMultipleOfReciprocal_IsBounded) {
  ScaledSize s;
  const Dim ratio =
      MakeFloatStep(s.dims, FloatStep::kMultiplyF32, s.Quotient(1, s.dims.Max(s.h, s.w)), BitsOfReal(1333));
  const Dim product = MakeFloatStep(s.dims, FloatStep::kMultiplyF32, s.ToF32(s.w), ratio);
  EXPECT_EQ(IntrinsicBounds(s.dims, MakeFloatStep(s.dims, FloatStep::kFloor, product)), (Interval{0, 1333}));
}

// Random steps over a few sizes: each value lies in the bounds of its step.
TEST(FloatStepTest, BoundsOfFloat_RandomSteps_ContainAllValues) {
  std::mt19937_64 random(2);
  const auto pick = [&](uint64_t n) { return static_cast<size_t>(random() % n); };
  for (int round = 0; round < Rounds(500); ++round) {
    DimTable dims;
    const Dim sizes[] = {dims.Symbol("H"), dims.Symbol("W")};
    std::vector<Dim> reals;
    for (const Dim size : {sizes[0], sizes[1], dims.Max(sizes[0], sizes[1]), dims.Min(sizes[0], sizes[1])})
      reals.push_back(MakeFloatStep(dims, pick(2) == 0 ? FloatStep::kToF32 : FloatStep::kToF64, size));
    reals.push_back(BitsOfReal(static_cast<double>(pick(1000)) / 64));
    std::vector<Dim> integers;
    for (int k = 0; k < 6; ++k) {
      const auto step = static_cast<FloatStep>(3 + pick(8));
      const Dim d = MakeFloatStep(dims, step, reals[pick(reals.size())], reals[pick(reals.size())]);
      if (d.is_none()) continue;
      reals.push_back(d);
      integers.push_back(MakeFloatStep(dims, static_cast<FloatStep>(11 + pick(3)), d));
    }
    for (int sample = 0; sample < 20; ++sample) {
      const int64_t values[] = {static_cast<int64_t>(random() >> (1 + pick(63))),
                                static_cast<int64_t>(random() >> (1 + pick(63)))};
      const auto size_of = [&](Dim s) -> std::optional<int64_t> {
        return s == sizes[0]   ? std::optional(values[0])
               : s == sizes[1] ? std::optional(values[1])
                               : std::nullopt;
      };
      for (const std::vector<Dim>& all : {reals, integers}) {
        for (const Dim d : all) {
          const std::optional<int64_t> value = d.is_none() ? std::nullopt : dims.Evaluate(d, size_of);
          if (!value) continue;
          ASSERT_TRUE(IntrinsicBounds(dims, d).Contains(*value))
              << RealText(dims, d) << " at " << values[0] << ", " << values[1];
        }
      }
    }
  }
}

TEST(FloatStepTest, MakeFloatStep_PossiblyNegativeOrTooLong_ReturnsNone) {
  DimTable dims;
  const Dim n = dims.Symbol("N");
  EXPECT_TRUE(MakeFloatStep(dims, FloatStep::kToF32, dims.Subtract(n, 1)).is_none());
  Dim sum = MakeFloatStep(dims, FloatStep::kToF32, n);
  size_t count = 1;
  for (Dim next = sum; !next.is_none(); ++count) {
    sum = next;
    next = MakeFloatStep(dims, FloatStep::kAddF32, sum, BitsOfReal(1));
  }
  EXPECT_EQ(count, kMaxFloatSteps + 1);
}

TEST(FloatStepTest, MakeFloatStep_Constants_IsConstant) {
  DimTable dims;
  const Dim third = MakeFloatStep(dims, FloatStep::kDivideF32, BitsOfReal(1), BitsOfReal(3));
  EXPECT_EQ(RealText(dims, third), "0.3333333432674408");
  EXPECT_EQ(MakeFloatStep(dims, FloatStep::kCeil, third), Dim(1));
}

}  // namespace
}  // namespace dimwise
