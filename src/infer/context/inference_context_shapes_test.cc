// Tests derived shapes, new shapes, and conversion from and to integers.
#include <gtest/gtest.h>

#include "dimwise/inference_context.h"
#include "infer/context/inference_context_testing.h"

namespace dimwise {
namespace {

TEST_F(ShapeInferenceTest, Subshape_RangesAndStrides_GivesAxes) {
  InferenceContext c = Context({"[1, 2, 3, ?, 5]", "[*]"}, 2);
  const Shape s = c.input(0);
  const Shape unknown = c.input(1);
  EXPECT_EQ(c.Subshape(unknown, 0).value(), unknown);
  EXPECT_FALSE(c.Subshape(unknown, 1).value().has_rank());
  EXPECT_NE(c.Subshape(unknown, 1).value(), unknown);
  EXPECT_FALSE(c.Subshape(unknown, 200).value().has_rank());

  EXPECT_EQ(c.Subshape(s, 0).value(), s);
  EXPECT_EQ(c.Subshape(s, 0, 5).value(), s);
  EXPECT_EQ(c.Subshape(s, 0, 99).value(), s);
  EXPECT_EQ(c.Subshape(s, 1).value(), c.MakeShape({2, 3, s[3], 5}).value());
  EXPECT_EQ(c.Subshape(s, 0, 3).value(), S("[1, 2, 3]"));
  EXPECT_EQ(c.Subshape(s, 3).value(), c.Matrix(s[3], 5).value());
  EXPECT_EQ(c.Subshape(s, 2, 3).value(), S("[3]"));
  EXPECT_EQ(c.Subshape(s, 5).value(), c.Scalar());
  EXPECT_EQ(c.Subshape(s, 10).value(), c.Scalar());
  EXPECT_EQ(c.Subshape(s, 2, 2).value(), c.Scalar());
  // Positions from the end.
  EXPECT_EQ(c.Subshape(s, -2).value(), c.Matrix(s[3], 5).value());
  EXPECT_EQ(c.Subshape(s, -5).value(), s);
  EXPECT_EQ(c.Subshape(s, 0, -2).value(), S("[1, 2, 3]"));
  EXPECT_EQ(c.Subshape(s, -4, -2).value(), S("[2, 3]"));
  // Strides, also negative.
  EXPECT_EQ(c.Subshape(s, 0, 5, 2).value(), S("[1, 3, 5]"));
  EXPECT_EQ(c.Subshape(s, 1, InferenceContext::kEnd, 2).value(), c.Matrix(2, s[3]).value());
  EXPECT_EQ(c.Subshape(s, 2, 0, -1).value(), S("[3, 2]"));
  EXPECT_EQ(c.Subshape(s, InferenceContext::kEnd, 0, -2).value(), S("[5, 3]"));
  EXPECT_EQ(c.Subshape(s, -1, 1, -2).value(), S("[5, 3]"));
  EXPECT_EQ(c.Subshape(s, 0, 5, INT64_MAX).value(), S("[1]"));
  EXPECT_EQ(c.Subshape(s, 4, 0, INT64_MIN).value(), S("[5]"));
  EXPECT_EQ(c.Subshape(c.Scalar(), 0, InferenceContext::kEnd, -1).value(), c.Scalar());
  EXPECT_EQ(c.Subshape(c.Scalar(), 7, 0, -1).value(), c.Scalar());

  EXPECT_EQ(ErrorOf(c.Subshape(S("[1, 2]"), -3)),
            "axes from -3 of [1, 2], which has rank 2, whose axes are -2 .. 1");
  EXPECT_EQ(ErrorOf(c.Subshape(S("[1, 2]"), 0, -3)),
            "axes up to -3 of [1, 2], which has rank 2, whose axes are -2 .. 1");
  EXPECT_EQ(ErrorOf(c.Subshape(S("[1, 2]"), 2, 1)),
            "axes from 2 up to 1 of [1, 2]: the end is before the start");
  EXPECT_EQ(ErrorOf(c.Subshape(S("[1, 2]"), 0, 1, -1)),
            "axes from 0 down to 1 of [1, 2]: the end is before the start");
  EXPECT_EQ(ErrorOf(c.Subshape(s, 0, 1, 0)), "a stride must not be 0");
  EXPECT_FALSE(c.Subshape(s, INT64_MIN));
  EXPECT_FALSE(c.Subshape(s, 0, INT64_MIN));

  // For an unknown shape, the range of ranks is computed.
  const Shape tail = c.Subshape(c.UnknownShape(2, 4), 1).value();
  EXPECT_EQ(tail.min_rank(), 1);
  EXPECT_EQ(tail.max_rank(), 3);
  const Shape last_two = c.Subshape(unknown, -2).value();
  EXPECT_EQ(last_two.min_rank(), 2);
  EXPECT_EQ(last_two.max_rank(), 2);
  const Shape head = c.Subshape(unknown, 0, -2).value();
  EXPECT_EQ(head.min_rank(), 0);
  EXPECT_EQ(head.max_rank(), kMaxRank - 2);
}

TEST_F(ShapeInferenceTest, Concatenate_KnownAndUnknownShapes_GivesShape) {
  InferenceContext c = Context({"[1, ?, 3]", "[4, 5]", "[*]"}, 2);
  const Shape first = c.input(0);
  const Shape second = c.input(1);
  const Shape both = c.Concatenate(first, second).value();
  EXPECT_EQ(both, c.MakeShape({1, first[1], 3, 4, 5}).value());
  EXPECT_FALSE(c.Concatenate(c.input(2), first).value().has_rank());
  EXPECT_FALSE(c.Concatenate(first, c.input(2)).value().has_rank());
  EXPECT_EQ(c.Concatenate(first, c.input(2)).value().min_rank(), 3);
  EXPECT_EQ(c.Concatenate(c.Scalar(), c.input(2)).value(), c.input(2));
  EXPECT_EQ(c.Concatenate(first, c.Scalar()).value(), first);
  const Shape large = c.UnknownShapeOfRank(200).value();
  EXPECT_EQ(c.Concatenate(large, large).error().code, Code::kOutOfRange);
}

TEST_F(ShapeInferenceTest, ReplaceDim_AxisInOrOutOfRange_GivesShapeOrError) {
  InferenceContext c = Context({"[1, 2, 3]", "[*]"}, 2);
  const Shape s = c.input(0);
  const Dim n = D("N");
  EXPECT_EQ(c.ReplaceDim(s, 1, n).value(), c.MakeShape({1, n, 3}).value());
  EXPECT_EQ(c.ReplaceDim(s, 0, n).value(), c.MakeShape({n, 2, 3}).value());
  EXPECT_EQ(c.ReplaceDim(s, -1, n).value(), c.MakeShape({1, 2, n}).value());
  EXPECT_EQ(c.ReplaceDim(s, 1, 2).value(), s);
  EXPECT_FALSE(c.ReplaceDim(c.input(1), 0, n).value().has_rank());
  EXPECT_EQ(ErrorOf(c.ReplaceDim(s, 3, n)), "axis 3 of [1, 2, 3], which has rank 3, whose axes are -3 .. 2");
  EXPECT_FALSE(c.ReplaceDim(s, -4, n));
  EXPECT_FALSE(c.ReplaceDim(s, 0, -7));
  EXPECT_FALSE(c.ReplaceDim(s, 0, Dim()));
}

TEST_F(ShapeInferenceTest, MakeShape_Sizes_GivesInternedShape) {
  InferenceContext c = Context({"[1, 2, 3, ?, 5]"}, 2);
  const Shape s = c.input(0);
  std::vector<Dim> backwards(s.dims().rbegin(), s.dims().rend());
  const Shape reversed = c.MakeShape(backwards).value();
  EXPECT_EQ(c.DebugString(reversed), "[5, u1, 3, 2, 1]");
  EXPECT_EQ(reversed[1], s[3]);
  EXPECT_EQ(c.MakeShape(s.dims()).value(), s);  // equal sizes give the same shape
  EXPECT_EQ(c.MakeShape({}).value(), c.Scalar());
  EXPECT_EQ(ErrorOf(c.MakeShape({1, -2})), "axis 1 would have the negative size -2");
}

TEST_F(ShapeInferenceTest, UnknownShape_TwoCalls_GiveDistinctShapes) {
  InferenceContext c = Context({});
  const Shape u0 = c.UnknownShape();
  const Shape u1 = c.UnknownShape();
  EXPECT_EQ(c.DebugString(u0), "[*]");
  EXPECT_FALSE(c.RankKnown(u0));
  EXPECT_NE(u0, u1);
}

TEST_F(ShapeInferenceTest, ShapeHandleToProto_KnownShape_GivesSizes) {
  InferenceContext c = Context({"[1, 2, ?, 0]", "[]"});
  EXPECT_EQ(c.ShapeHandleToProto(c.input(0)), (ShapeProto{false, {1, 2, -1, 0}}));
  EXPECT_EQ(c.ShapeHandleToProto(c.input(1)), (ShapeProto{false, {}}));
}

TEST_F(ShapeInferenceTest, ShapeHandleToProto_UnknownShape_GivesUnknownRank) {
  InferenceContext c = Context({"[*]"});
  EXPECT_EQ(c.ShapeHandleToProto(c.input(0)), (ShapeProto{true, {}}));
  EXPECT_EQ(c.ShapeHandleToProto(Shape()), (ShapeProto{true, {}}));
}

TEST_F(ShapeInferenceTest, Scalar_TwoCalls_GiveSameShape) {
  InferenceContext c = Context({});
  EXPECT_EQ(c.DebugString(c.Scalar()), "[]");
  EXPECT_EQ(c.Scalar(), c.Scalar());
}

TEST_F(ShapeInferenceTest, Vector_Size_GivesRankOne) {
  InferenceContext c = Context({});
  const Dim unknown = c.UnknownDim();
  EXPECT_EQ(c.Vector(unknown).value()[0], unknown);
  EXPECT_EQ(c.DebugString(c.Vector(7).value()), "[7]");
  EXPECT_EQ(c.DebugString(c.Vector(0).value()), "[0]");
  EXPECT_FALSE(c.Vector(-1));
}

TEST_F(ShapeInferenceTest, Matrix_Sizes_GivesRankTwo) {
  InferenceContext c = Context({});
  const Dim unknown = c.UnknownDim();
  const Shape same = c.Matrix(unknown, unknown).value();
  EXPECT_EQ(same[0], unknown);
  EXPECT_EQ(same[0], same[1]);
  EXPECT_NE(c.Matrix(unknown, c.UnknownDim()).value()[1], unknown);
  EXPECT_EQ(c.DebugString(c.Matrix(7, 2).value()), "[7, 2]");
}

TEST_F(ShapeInferenceTest, MakeShapeFromPartialTensorShape_KnownAndUnknown_GivesShape) {
  InferenceContext c = Context({});
  EXPECT_EQ(c.DebugString(c.MakeShapeFromPartialTensorShape(PartialTensorShape()).value()), "[*]");
  const auto scalar = PartialTensorShape::BuildPartialTensorShape({}).value();
  EXPECT_EQ(c.MakeShapeFromPartialTensorShape(scalar).value(), c.Scalar());
  const auto partial = PartialTensorShape::BuildPartialTensorShape({-1, 0, 1, -1}).value();
  const Shape shape = c.MakeShapeFromPartialTensorShape(partial).value();
  EXPECT_EQ(c.ShapeHandleToProto(shape), (ShapeProto{false, {-1, 0, 1, -1}}));
  EXPECT_NE(shape[0], shape[3]);
}

TEST_F(ShapeInferenceTest, MakeShapeFromTensorShape_Sizes_GivesShape) {
  InferenceContext c = Context({});
  EXPECT_EQ(c.MakeShapeFromTensorShape(TensorShape()).value(), c.Scalar());
  const auto shape = TensorShape::BuildTensorShape({0, 7, 0}).value();
  EXPECT_EQ(c.DebugString(c.MakeShapeFromTensorShape(shape).value()), "[0, 7, 0]");
}

TEST_F(ShapeInferenceTest, MakeShapeFromShapeProto_ValidAndInvalid_GivesShapeOrError) {
  InferenceContext c = Context({});
  EXPECT_EQ(c.DebugString(c.MakeShapeFromShapeProto({true, {}}).value()), "[*]");
  EXPECT_EQ(c.MakeShapeFromShapeProto({false, {}}).value(), c.Scalar());
  const Shape shape = c.MakeShapeFromShapeProto({false, {0, -1, 10}}).value();
  EXPECT_EQ(c.ShapeHandleToProto(shape), (ShapeProto{false, {0, -1, 10}}));
  EXPECT_FALSE(c.MakeShapeFromShapeProto({true, {1}}));  // an unknown rank together with sizes
  EXPECT_FALSE(c.MakeShapeFromShapeProto({false, {1, -2}}));
  EXPECT_FALSE(c.MakeShapeFromShapeProto({false, std::vector<int64_t>(255, 1)}));
}

TEST_F(ShapeInferenceTest, MakeDim_EqualConstants_AreSameHandle) {
  InferenceContext c = Context({});
  const Dim d0 = c.MakeDim(1).value();
  const Dim d1 = c.MakeDim(1).value();
  const Dim d2 = c.MakeDim(2).value();
  EXPECT_EQ(c.Value(d0), 1);
  EXPECT_EQ(c.Value(d2), 2);
  EXPECT_EQ(d0, d1);  // a constant has no identity beyond its value
  EXPECT_NE(d0, d2);
}

TEST_F(ShapeInferenceTest, UnknownDim_TwoCalls_GiveDistinctSizes) {
  InferenceContext c = Context({});
  const Dim d0 = c.UnknownDim();
  const Dim d1 = c.UnknownDim();
  EXPECT_FALSE(c.ValueKnown(d0));
  EXPECT_EQ(c.Value(d0), std::nullopt);
  EXPECT_NE(d0, d1);
  EXPECT_EQ(c.AtLeast(d0, 0), Truth::kYes);
  EXPECT_EQ(c.facts().Bounds(c.UnknownDim(2, 5)), (SizeBounds{2, 5}));
}

TEST_F(ShapeInferenceTest, UnknownShapeOfRank_Rank_GivesUnknownSizes) {
  InferenceContext c = Context({});
  EXPECT_EQ(c.Rank(c.UnknownShapeOfRank(3).value()), 3);
  EXPECT_EQ(c.UnknownShapeOfRank(0).value(), c.Scalar());
  EXPECT_EQ(ErrorOf(c.UnknownShapeOfRank(-1)), "a rank is 0 .. 254, not -1");
  EXPECT_FALSE(c.UnknownShapeOfRank(255));
  EXPECT_FALSE(c.UnknownShapeOfRank(INT64_MAX));
}

// An owner gets the same unknowns in each run, so that runs agree.
TEST_F(ShapeInferenceTest, UnknownDim_SameOwner_IsSameInEachRun) {
  NodeDescription node = Node(2);
  node.owner = 7;
  const auto function = [](InferenceContext* c) -> Status {
    DIMWISE_ASSIGN_OR_RETURN(const Shape vector, c->Matrix(c->UnknownDim(), c->UnknownDim(1, 9)));
    c->set_output(0, vector);
    c->set_output(1, c->UnknownShape(1, 2));
    return {};
  };
  const std::vector<ShapeProto> inputs = {{false, {-1}}};
  InferenceContext c(analysis_, node, inputs);
  ASSERT_TRUE(c.Run(function));
  const Shape first = c.output(0);
  const Shape second = c.output(1);
  EXPECT_NE(first[0], c.input(0)[0]);
  EXPECT_NE(first[0], first[1]);
  ASSERT_TRUE(c.Run(function));
  EXPECT_EQ(c.output(0), first);
  EXPECT_EQ(c.output(1), second);
  InferenceContext again(analysis_, node, inputs);
  ASSERT_TRUE(again.Run(function));
  EXPECT_EQ(again.input(0), c.input(0));
  EXPECT_EQ(again.output(0), first);
  node.path = 99;
  InferenceContext elsewhere(analysis_, node, inputs);
  ASSERT_TRUE(elsewhere.Run(function));
  EXPECT_NE(elsewhere.output(0), first);
  // Other bounds give another symbol; the old symbol never gets bounds that may not hold.
  EXPECT_EQ(analysis_.facts().Bounds(first[1]), (SizeBounds{1, 9}));
}

}  // namespace
}  // namespace dimwise
