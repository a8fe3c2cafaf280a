// Tests arithmetic on sizes: constants as in TensorFlow, expressions with their guards.
#include <gtest/gtest.h>

#include "dimwise/inference_context.h"
#include "infer/context/inference_context_testing.h"

namespace dimwise {
namespace {

TEST_F(ShapeInferenceTest, Divide_ConstantsAndSymbols_GivesQuotientOrGuard) {
  InferenceContext c = Context({"[6, ?, 1, 2, 0]"});
  const Shape s = c.input(0);
  const Dim d6 = s[0], unknown = s[1], d1 = s[2], d2 = s[3], d0 = s[4];
  for (const bool evenly : {true, false}) {
    EXPECT_EQ(c.Divide(d6, 2, evenly).value(), Dim(3));
    EXPECT_EQ(c.Divide(d6, d2, evenly).value(), Dim(3));
    EXPECT_EQ(c.Divide(unknown, 1, evenly).value(), unknown);
    EXPECT_EQ(c.Divide(d6, d1, evenly).value(), d6);
    EXPECT_EQ(ErrorOf(c.Divide(d6, 0, evenly)), "6 is divided by 0; the divisor must be positive");
    EXPECT_EQ(ErrorOf(c.Divide(d6, d0, evenly)), "6 is divided by 0; the divisor must be positive");
    EXPECT_EQ(ErrorOf(c.Divide(d6, -1, evenly)), "6 is divided by -1; the divisor must be positive");
  }
  EXPECT_EQ(c.Divide(d6, 4, false).value(), Dim(1));
  EXPECT_EQ(ErrorOf(c.Divide(d6, 4, true)), "size 6 must be a multiple of 4");
  EXPECT_TRUE(c.guards().empty());
  // For symbols the quotient is exact if that is certain, else with a guard.
  EXPECT_EQ(c.Divide(D("6*N"), 2, true).value(), D("3*N"));
  EXPECT_TRUE(c.guards().empty());
  EXPECT_EQ(c.Divide(D("N"), 2, false).value(), D("N//2"));
  EXPECT_TRUE(c.guards().empty());
  EXPECT_EQ(c.Divide(D("N"), 2, true).value(), D("N//2"));
  EXPECT_EQ(GuardsOf(c), Texts{"N % 2 == 0"});
  EXPECT_EQ(c.guards()[0].message, "size N must be a multiple of 2");
  EXPECT_EQ(c.Divide(d6, D("M"), false).value(), D("6//M"));
  EXPECT_EQ(GuardsOf(c).back(), "M >= 1");
}

TEST_F(ShapeInferenceTest, Add_ConstantsAndSymbols_GivesSum) {
  InferenceContext c = Context({"[6, ?, 0]"});
  const Dim d6 = c.input(0)[0], unknown = c.input(0)[1], d0 = c.input(0)[2];
  EXPECT_EQ(c.Add(d6, 0).value(), d6);
  EXPECT_EQ(c.Add(d6, d0).value(), d6);
  EXPECT_EQ(c.Add(d0, d6).value(), d6);
  EXPECT_EQ(c.Add(unknown, 0).value(), unknown);
  EXPECT_EQ(c.Add(d0, unknown).value(), unknown);
  EXPECT_EQ(c.Add(d6, 4).value(), Dim(10));
  EXPECT_FALSE(c.ValueKnown(c.Add(unknown, d6).value()));
  EXPECT_EQ(c.Add(D("N"), D("M")).value(), D("N + M"));
  EXPECT_TRUE(c.guards().empty());
  const Result<Dim> overflow = c.Add(Dim(INT64_MAX), 1);
  EXPECT_EQ(ErrorOf(overflow), "the size 9223372036854775807 + 1 does not fit into a 64-bit integer");
  EXPECT_EQ(overflow.error().code, Code::kOverflow);
  EXPECT_EQ(c.Add(Dim(INT64_MAX - 6), d6).value(), Dim(INT64_MAX));
  EXPECT_EQ(ErrorOf(c.Add(d6, -7)), "the size 6 + -7 would be negative");
}

TEST_F(ShapeInferenceTest, Subtract_ConstantsAndSymbols_GivesDifferenceOrGuard) {
  InferenceContext c = Context({"[6, ?, 0, 5]"});
  const Dim d6 = c.input(0)[0], unknown = c.input(0)[1], d0 = c.input(0)[2], d5 = c.input(0)[3];
  EXPECT_EQ(c.Subtract(d6, 0).value(), d6);
  EXPECT_EQ(c.Subtract(d6, d0).value(), d6);
  EXPECT_EQ(c.Subtract(unknown, d0).value(), unknown);
  EXPECT_EQ(c.Subtract(unknown, unknown).value(), Dim(0));
  EXPECT_EQ(c.Subtract(d6, d5).value(), Dim(1));
  const Result<Dim> negative = c.Subtract(d5, d6);
  EXPECT_EQ(ErrorOf(negative), "the size 5 - 6 would be negative");
  EXPECT_EQ(negative.error().code, Code::kNegativeSize);
  EXPECT_TRUE(c.guards().empty());
  // A difference that may be negative has a guard, only once.
  EXPECT_EQ(c.Subtract(D("N"), D("M")).value(), D("N - M"));
  EXPECT_EQ(c.Subtract(D("N"), D("M")).value(), D("N - M"));
  EXPECT_EQ(GuardsOf(c), Texts{"N >= M"});
  EXPECT_EQ(c.guards()[0].message, "the size N - M would be negative");
  EXPECT_EQ(c.guards()[0].code, Code::kNegativeSize);
  EXPECT_FALSE(c.Subtract(D("N"), D("N + 1")));
  EXPECT_FALSE(c.Subtract(D("M"), D("N + 1")));  // M <= N holds by the guard
  EXPECT_EQ(c.Subtract(Dim(INT64_MIN), 1).error().code, Code::kOverflow);
}

TEST_F(ShapeInferenceTest, Multiply_ConstantsAndSymbols_GivesProduct) {
  InferenceContext c = Context({"[6, ?, 0, 1]"});
  const Dim d6 = c.input(0)[0], unknown = c.input(0)[1], d0 = c.input(0)[2], d1 = c.input(0)[3];
  EXPECT_EQ(c.Multiply(d6, 2).value(), Dim(12));
  EXPECT_EQ(c.Multiply(d6, d0).value(), d0);
  EXPECT_EQ(c.Multiply(unknown, 0).value(), d0);
  EXPECT_EQ(c.Multiply(d0, unknown).value(), d0);
  EXPECT_EQ(c.Multiply(unknown, d1).value(), unknown);
  EXPECT_EQ(c.Multiply(d1, unknown).value(), unknown);
  EXPECT_FALSE(c.ValueKnown(c.Multiply(unknown, d6).value()));
  EXPECT_EQ(c.Multiply(D("N"), D("M + 1")).value(), D("N*M + N"));
  EXPECT_EQ(c.Multiply(Dim(INT64_MAX), 2).error().code, Code::kOverflow);
  EXPECT_EQ(c.Multiply(d6, -1).error().code, Code::kNegativeSize);
  EXPECT_TRUE(c.guards().empty());
}

TEST_F(ShapeInferenceTest, Min_ConstantsAndSymbols_GivesMinimum) {
  InferenceContext c = Context({"[1, 2, ?, 0]"});
  const Dim d1 = c.input(0)[0], d2 = c.input(0)[1], unknown = c.input(0)[2], d0 = c.input(0)[3];
  EXPECT_EQ(c.Min(d1, d2).value(), d1);
  EXPECT_EQ(c.Min(d2, d1).value(), d1);
  EXPECT_EQ(c.Min(d1, 2).value(), d1);
  EXPECT_EQ(c.Min(d2, 1).value(), Dim(1));
  EXPECT_EQ(c.Min(unknown, d0).value(), d0);
  EXPECT_EQ(c.Min(d0, unknown).value(), d0);
  EXPECT_EQ(c.Min(unknown, unknown).value(), unknown);
  EXPECT_FALSE(c.ValueKnown(c.Min(unknown, d1).value()));
  EXPECT_EQ(c.Min(D("N"), D("N + 1")).value(), D("N"));
  EXPECT_EQ(c.Min(D("N"), D("M")).value(), D("min(N, M)"));
  EXPECT_TRUE(c.guards().empty());
  EXPECT_FALSE(c.Min(d1, -1));
}

TEST_F(ShapeInferenceTest, Max_ConstantsAndSymbols_GivesMaximum) {
  InferenceContext c = Context({"[1, 2, ?, 0]"});
  const Dim d1 = c.input(0)[0], d2 = c.input(0)[1], unknown = c.input(0)[2], d0 = c.input(0)[3];
  EXPECT_EQ(c.Max(d1, d2).value(), d2);
  EXPECT_EQ(c.Max(d2, d1).value(), d2);
  EXPECT_EQ(c.Max(d2, 1).value(), d2);
  EXPECT_EQ(c.Max(d1, 2).value(), Dim(2));
  EXPECT_EQ(c.Max(unknown, d0).value(), unknown);
  EXPECT_EQ(c.Max(unknown, unknown).value(), unknown);
  EXPECT_FALSE(c.ValueKnown(c.Max(unknown, d1).value()));
  EXPECT_EQ(c.Max(D("N"), D("N + 1")).value(), D("N + 1"));
  EXPECT_EQ(c.Max(D("N"), D("M")).value(), D("max(N, M)"));
  EXPECT_EQ(c.Max(D("N"), -1).value(), D("N"));
  EXPECT_TRUE(c.guards().empty());
}

}  // namespace
}  // namespace dimwise
