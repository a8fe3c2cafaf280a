// Tests Merge and Relax of sizes and shapes, and required ranks and sizes.
#include <gtest/gtest.h>

#include "dimwise/inference_context.h"
#include "infer/context/inference_context_testing.h"

namespace dimwise {
namespace {

TEST_F(ShapeInferenceTest, WithRank_KnownAndUnknownShapes_GivesShapeOrError) {
  InferenceContext c = Context({"[*]", "[1, ?, 3]"});
  const Shape unknown = c.input(0);
  const Shape shape = c.input(1);
  const Shape ranked = c.WithRank(unknown, 3).value();
  EXPECT_EQ(c.Rank(ranked), 3);
  EXPECT_FALSE(c.ValueKnown(ranked[0]));
  EXPECT_NE(ranked[0], ranked[1]);
  EXPECT_EQ(c.WithRank(unknown, 0).value(), c.Scalar());
  EXPECT_EQ(c.WithRank(shape, 3).value(), shape);
  EXPECT_EQ(ErrorOf(c.WithRank(shape, 4)), "[1, u1, 3] has rank 3; it must have rank 4");
  EXPECT_EQ(c.WithRank(shape, 4).error().code, Code::kRankMismatch);
  EXPECT_FALSE(c.WithRank(shape, INT64_MAX));
  // A range of ranks can also decide.
  EXPECT_EQ(ErrorOf(c.WithRank(c.UnknownShape(3, 4), 2)), "a shape of rank 3 .. 4 must have rank 2");
  EXPECT_TRUE(c.WithRank(c.UnknownShape(3, 4), 4));
}

TEST_F(ShapeInferenceTest, WithRankAtMost_KnownAndUnknownShapes_GivesShapeOrError) {
  InferenceContext c = Context({"[*]", "[1, ?, 3]"});
  EXPECT_EQ(c.WithRankAtMost(c.input(0), 1).value(), c.input(0));
  EXPECT_EQ(c.WithRankAtMost(c.input(1), 3).value(), c.input(1));
  EXPECT_EQ(c.WithRankAtMost(c.input(1), 4).value(), c.input(1));
  EXPECT_EQ(ErrorOf(c.WithRankAtMost(c.input(1), 2)), "[1, u1, 3] has rank 3; it must have rank 2 or less");
  EXPECT_FALSE(c.WithRankAtMost(c.UnknownShape(3), 2));
  EXPECT_FALSE(c.WithRankAtMost(c.input(0), -1));
}

TEST_F(ShapeInferenceTest, WithRankAtLeast_KnownAndUnknownShapes_GivesShapeOrError) {
  InferenceContext c = Context({"[*]", "[1, ?, 3]"});
  EXPECT_EQ(c.WithRankAtLeast(c.input(0), 1).value(), c.input(0));
  EXPECT_EQ(c.WithRankAtLeast(c.input(1), 3).value(), c.input(1));
  EXPECT_EQ(c.WithRankAtLeast(c.input(1), 2).value(), c.input(1));
  EXPECT_EQ(ErrorOf(c.WithRankAtLeast(c.input(1), 4)), "[1, u1, 3] has rank 3; it must have rank 4 or more");
  EXPECT_FALSE(c.WithRankAtLeast(c.UnknownShape(0, 2), 3));
  EXPECT_FALSE(c.WithRankAtLeast(c.input(0), 255));
  EXPECT_FALSE(c.WithRankAtLeast(c.input(0), INT64_MAX));
}

TEST_F(ShapeInferenceTest, WithValue_KnownAndUnknownSizes_GivesSizeOrError) {
  InferenceContext c = Context({"[1, ?]"});
  const Dim one = c.input(0)[0];
  const Dim unknown = c.input(0)[1];
  EXPECT_EQ(c.WithValue(one, 1).value(), one);
  EXPECT_EQ(c.WithValue(unknown, 3).value(), Dim(3));
  EXPECT_EQ(ErrorOf(c.WithValue(one, 3)), "the size is 1; it must be 3");
  EXPECT_EQ(c.WithValue(one, 3).error().code, Code::kSizeMismatch);
  // From now on the size is 3 and no other number.
  EXPECT_EQ(c.WithValue(unknown, 3).value(), Dim(3));
  EXPECT_FALSE(c.WithValue(unknown, 4));
  EXPECT_EQ(c.guards().size(), 1u);
}

TEST_F(ShapeInferenceTest, Merge_Sizes_GivesMeetOrError) {
  InferenceContext c = Context({"[2, ?, 2, 1, ?]"});
  const Dim d2 = c.input(0)[0];
  const Dim unknown = c.input(0)[1];
  const Dim d2_again = c.input(0)[2];
  const Dim d1 = c.input(0)[3];
  const Dim unknown2 = c.input(0)[4];
  EXPECT_EQ(c.Merge(d2, unknown).value(), d2);
  EXPECT_EQ(c.Merge(unknown, d2).value(), d2);
  EXPECT_EQ(c.Merge(d2, d2_again).value(), d2);
  EXPECT_EQ(c.Merge(unknown2, unknown2).value(), unknown2);
  EXPECT_EQ(ErrorOf(c.Merge(d2, d1)), "sizes 2 and 1 must be equal");
  EXPECT_EQ(c.Merge(d2, d1).error().code, Code::kSizeMismatch);
  // `unknown` was merged with 2, which TensorFlow does not record. The handle itself does not show it.
  EXPECT_EQ(ErrorOf(c.Merge(unknown, d1)), "sizes u1 (2 .. 2) and 1 must be equal");
  EXPECT_FALSE(c.ValueKnown(unknown));
  EXPECT_EQ(c.DebugString(unknown), "u1");
  // Two unknown sizes: the result is the first handle, and from now on they are equal.
  EXPECT_EQ(c.Merge(unknown2, unknown).value(), unknown2);
  EXPECT_FALSE(c.Merge(unknown2, 3));
  EXPECT_EQ(c.Equal(unknown2, 2), Truth::kYes);
  EXPECT_EQ(GuardsOf(c), (Texts{"u1 == 2", "u2 == u1"}));
  EXPECT_EQ(c.guards()[0].message, "sizes 2 and u1 must be equal");
}

TEST_F(ShapeInferenceTest, Relax_Sizes_GivesJoin) {
  InferenceContext c = Context({"[2, ?, 2, 1, ?]"});
  const Dim d2 = c.input(0)[0];
  const Dim unknown = c.input(0)[1];
  const Dim d1 = c.input(0)[3];
  const Dim unknown2 = c.input(0)[4];
  EXPECT_EQ(c.Relax(d2, d2), d2);
  EXPECT_EQ(c.Relax(unknown, unknown), unknown);
  // Neither of the two unknown sizes is valid for both.
  const Dim either = c.Relax(unknown, unknown2);
  EXPECT_FALSE(c.ValueKnown(either));
  EXPECT_NE(either, unknown);
  EXPECT_NE(either, unknown2);
  EXPECT_NE(c.Relax(unknown, d2), unknown);
  EXPECT_FALSE(c.ValueKnown(c.Relax(unknown, d2)));
  EXPECT_FALSE(c.ValueKnown(c.Relax(d2, unknown)));
  // The common bounds are 1 .. 2.
  const Dim one_or_two = c.Relax(d2, d1);
  EXPECT_FALSE(c.ValueKnown(one_or_two));
  EXPECT_EQ(c.facts().Bounds(one_or_two, c.scope()), (SizeBounds{1, 2}));
  // 4 or 10: the common congruence is 1 modulo 3.
  const Dim third = c.Relax(Dim(4), Dim(10));
  EXPECT_EQ(c.facts().CongruenceOf(third, c.scope()), (Congruence{6, 4}));
  // N .. 2*N, and even if both are even.
  const Dim grows = c.Relax(D("2*N"), D("4*N"));
  EXPECT_EQ(c.AtLeast(grows, D("2*N")), Truth::kYes);
  EXPECT_EQ(c.AtLeast(D("4*N"), grows), Truth::kYes);
  EXPECT_EQ(c.facts().CongruenceOf(grows, c.scope()), (Congruence{2, 0}));
  // Sizes that are equal by facts.
  ASSERT_TRUE(c.Merge(D("K"), D("L")));
  EXPECT_EQ(c.Relax(D("K"), D("L")), D("K"));
  ASSERT_TRUE(c.Merge(D("K"), 5));
  EXPECT_EQ(c.Relax(D("L"), 5), Dim(5));
  EXPECT_TRUE(c.Relax(Dim(), d2) == d2 && c.Relax(d2, Dim()) == d2);
}

TEST_F(ShapeInferenceTest, Relax_Shapes_GivesJoin) {
  InferenceContext c = Context({"[*]", "[1, 2]", "[?, 2]", "[1, ?]", "[1, 3]", "[*]", "[1]"});
  const Shape unknown = c.input(0);
  const Shape s12 = c.input(1);
  EXPECT_EQ(c.Relax(unknown, unknown), unknown);
  EXPECT_EQ(c.Relax(s12, S("[1, 2]")), s12);
  EXPECT_FALSE(c.Relax(unknown, s12).has_rank());
  EXPECT_FALSE(c.Relax(s12, unknown).has_rank());
  EXPECT_NE(c.Relax(unknown, c.input(5)), unknown);
  // Different ranks give an unknown shape of rank 1 .. 2.
  const Shape ranks = c.Relax(s12, c.input(6));
  EXPECT_FALSE(ranks.has_rank());
  EXPECT_EQ(ranks.min_rank(), 1);
  EXPECT_EQ(ranks.max_rank(), 2);
  // Relaxed axis by axis.
  const Shape first = c.Relax(s12, c.input(2));
  EXPECT_EQ(c.Rank(first), 2);
  EXPECT_FALSE(c.ValueKnown(first[0]));
  EXPECT_EQ(first[1], Dim(2));
  const Shape second = c.Relax(s12, c.input(4));
  EXPECT_EQ(second[0], Dim(1));
  EXPECT_EQ(c.facts().Bounds(second[1], c.scope()), (SizeBounds{2, 3}));
  const Shape both = c.Relax(c.input(2), c.input(3));
  EXPECT_FALSE(c.ValueKnown(both[0]) || c.ValueKnown(both[1]));
  // The alternative is the same for all axes.
  const Shape square = c.Relax(S("[N, N, 3]"), S("[M, M, 4]"));
  EXPECT_EQ(square[0], square[1]);
  EXPECT_NE(square[0], square[2]);
}

TEST_F(ShapeInferenceTest, Merge_Shapes_GivesMeetOrError) {
  InferenceContext c = Context({"[*]", "[1, 2]", "[?, 2]", "[1, ?]", "[1, 3]", "[?, 1]", "[?]", "[1]"}, 2);
  const Shape unknown = c.input(0);
  const Shape s12 = c.input(1);
  const Shape su2 = c.input(2);
  const Shape s1u = c.input(3);
  const Shape s13 = c.input(4);
  EXPECT_EQ(c.Merge(unknown, s12).value(), s12);
  EXPECT_EQ(c.Merge(s12, unknown).value(), s12);
  EXPECT_EQ(c.Merge(unknown, unknown).value(), unknown);
  EXPECT_EQ(c.Merge(s12, su2).value(), s12);
  EXPECT_EQ(c.Merge(su2, s12).value(), s12);
  EXPECT_EQ(c.Merge(s12, s1u).value(), s12);
  EXPECT_EQ(c.Merge(s1u, s12).value(), s12);
  EXPECT_EQ(c.Merge(su2, s1u).value(), s12);  // neither shape contains all information
  EXPECT_EQ(ErrorOf(c.Merge(s12, s13)), "sizes 2 and 3 must be equal at axis 1 of [1, 2] and [1, 3]");
  EXPECT_EQ(c.Merge(s12, s13).error().code, Code::kSizeMismatch);
  EXPECT_EQ(ErrorOf(c.Merge(s12, c.input(7))), "[1, 2] and [1] must have the same rank; they have 2 and 1");

  // Merge returns an argument that contains all information of the other.
  const Shape ab = S("[A, B]");
  const Shape cd = S("[C, D]");
  EXPECT_EQ(c.Merge(ab, cd).value(), ab);
  const Shape e5 = S("[E, 5]");
  const Shape fg = S("[F, G]");
  EXPECT_EQ(c.Merge(fg, e5).value(), e5);
  EXPECT_EQ(c.Merge(e5, fg).value(), e5);

  // Two unknown shapes: the result is the first, or the one with the narrower range of ranks.
  EXPECT_EQ(c.Merge(unknown, S("[*]")).value(), unknown);
  const Shape narrow = c.UnknownShape(1, 3);
  EXPECT_EQ(c.Merge(unknown, narrow).value(), narrow);
  const Shape meet = c.Merge(narrow, c.UnknownShape(2, 5)).value();
  EXPECT_EQ(meet.min_rank(), 2);
  EXPECT_EQ(meet.max_rank(), 3);
  EXPECT_EQ(ErrorOf(c.Merge(narrow, c.UnknownShape(4))),
            "[*] has rank 1 .. 3 and [*] has rank 4 or more; the ranks must be equal");
  EXPECT_FALSE(c.Merge(narrow, S("[1, 2, 3, 4]")));
}

TEST_F(ShapeInferenceTest, MergePrefix_KnownAndUnknownShapes_MergesBoth) {
  InferenceContext c =
      Context({"[*]", "[?, 2]", "[1, 2]", "[1, 2, 3, ?]", "[1, ?, 3]", "[?, 2, ?, 4]", "[9]"}, 2);
  const Shape unknown = c.input(0);
  const Shape s123u = c.input(3);
  // With an unknown shape, both stay unchanged.
  EXPECT_EQ(c.MergePrefix(unknown, s123u).value(), std::pair(unknown, s123u));
  EXPECT_EQ(c.MergePrefix(s123u, unknown).value(), std::pair(s123u, unknown));
  // An unknown size of the prefix follows from the shape.
  const auto completed_shape = c.MergePrefix(s123u, c.input(1)).value();
  EXPECT_EQ(completed_shape.first, s123u);
  EXPECT_EQ(completed_shape.second, c.input(2));
  // An unknown size of the shape follows from the prefix.
  const Shape su2u4 = c.input(5);
  const auto completed_prefix = c.MergePrefix(su2u4, S("[1, 2]")).value();
  EXPECT_EQ(completed_prefix.first, c.MakeShape({1, 2, su2u4[2], 4}).value());
  EXPECT_EQ(completed_prefix.second, S("[1, 2]"));
  EXPECT_EQ(c.MergePrefix(s123u, c.Scalar()).value(), std::pair(s123u, c.Scalar()));

  EXPECT_EQ(ErrorOf(c.MergePrefix(s123u, c.input(6))),
            "sizes 1 and 9 must be equal at axis 0 of [1] and [9]");
  EXPECT_EQ(ErrorOf(c.MergePrefix(c.input(2), S("[1, 2, 3]"))),
            "[1, 2] has rank 2; it must have rank 3 or more");
}

TEST_F(ShapeInferenceTest, CanMerge_AnyArguments_HasNoSideEffects) {
  InferenceContext c = Context({"[*]", "[N, N]", "[3, M]"});
  EXPECT_EQ(c.CanMerge(D("N"), D("N")), Truth::kYes);
  EXPECT_EQ(c.CanMerge(D("N"), 3), Truth::kMaybe);
  EXPECT_EQ(c.CanMerge(Dim(2), Dim(3)), Truth::kNo);
  EXPECT_EQ(c.CanMerge(D("N"), D("N + 1")), Truth::kNo);
  EXPECT_EQ(c.CanMerge(c.input(0), c.input(1)), Truth::kMaybe);
  EXPECT_EQ(c.CanMerge(c.input(1), c.input(2)), Truth::kMaybe);
  EXPECT_EQ(c.CanMerge(c.input(1), S("[3, 4]")), Truth::kNo);  // each axis alone could be merged
  EXPECT_EQ(c.CanMerge(c.input(1), S("[3]")), Truth::kNo);
  EXPECT_TRUE(c.guards().empty());
  EXPECT_EQ(analysis_.facts().constraint_count(), 0u);
  ASSERT_TRUE(c.Merge(D("N"), 3));
  EXPECT_EQ(c.CanMerge(D("N"), 3), Truth::kYes);
  EXPECT_EQ(c.CanMerge(D("N"), 4), Truth::kNo);
}

}  // namespace
}  // namespace dimwise
