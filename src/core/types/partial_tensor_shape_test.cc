// The tests have the names of TensorFlow's partial_tensor_shape_test.cc, for comparison side by side.
#include <gtest/gtest.h>

#include <sstream>

#include "dimwise/tensor_shape.h"

namespace dimwise {
namespace {

PartialTensorShape MakePartial(std::initializer_list<int64_t> sizes) {
  return PartialTensorShape::BuildPartialTensorShape(sizes).value();
}

const PartialTensorShape kUnknownRank;

std::string Text(const Result<PartialTensorShape>& result) {
  return result ? result->DebugString() : result.error().message;
}

TEST(PartialTensorShapeTest, Default) {
  const PartialTensorShape s;
  EXPECT_TRUE(s.unknown_rank());
  EXPECT_EQ(s.dims(), -1);
  EXPECT_EQ(s.num_elements(), -1);
  EXPECT_EQ(s.dim_size(0), -1);
  EXPECT_EQ(s.DebugString(), "<unknown>");
}

TEST(PartialTensorShapeTest, Concatenate) {
  const PartialTensorShape s = MakePartial({10, 5, 20});
  EXPECT_EQ(Text(s.Concatenate(400)), "[10,5,20,400]");
  EXPECT_EQ(s.Concatenate(400)->num_elements(), 400000);
  EXPECT_EQ(Text(s.Concatenate(-1)), "[10,5,20,?]");
  EXPECT_EQ(s.Concatenate(-1)->num_elements(), -1);
  EXPECT_EQ(Text(s.Concatenate(MakePartial({-1, 10, 0}))), "[10,5,20,?,10,0]");
  EXPECT_EQ(Text(s.Concatenate(MakePartial({}))), "[10,5,20]");
  EXPECT_EQ(Text(s.Concatenate(kUnknownRank)), "<unknown>");
  EXPECT_EQ(Text(kUnknownRank.Concatenate(s)), "<unknown>");
  EXPECT_EQ(Text(kUnknownRank.Concatenate(1)), "<unknown>");
  EXPECT_EQ(Text(s.Concatenate(-2)),
            "the size of axis 3 is -2; it must be 0 or more, or -1 if it is unknown");
  EXPECT_FALSE(MakePartial({int64_t{1} << 40}).Concatenate(MakePartial({int64_t{1} << 40})));
}

TEST(PartialTensorShapeTest, InvalidShapeProto) {
  ShapeProto proto;
  EXPECT_TRUE(PartialTensorShape::IsValid(proto));
  proto.dims = {357, -1};
  EXPECT_TRUE(PartialTensorShape::IsValid(proto));
  proto.dims = {357, -357};
  EXPECT_FALSE(PartialTensorShape::IsValid(proto));
  EXPECT_FALSE(PartialTensorShape::BuildPartialTensorShape(proto));
  proto.dims.assign(255, -1);
  EXPECT_FALSE(PartialTensorShape::IsValid(proto));

  proto = ShapeProto{true, {}};
  EXPECT_TRUE(PartialTensorShape::IsValid(proto));
  EXPECT_TRUE(PartialTensorShape::BuildPartialTensorShape(proto)->unknown_rank());
  proto.dims = {1, -1};
  EXPECT_FALSE(PartialTensorShape::IsValid(proto));
  EXPECT_EQ(Text(PartialTensorShape::BuildPartialTensorShape(proto)),
            "the rank is unknown, but sizes are given: [1,?]");
}

TEST(PartialTensorShapeTest, PartialShapeFullyDefined) {
  EXPECT_TRUE(MakePartial({}).IsFullyDefined());
  EXPECT_TRUE(MakePartial({1, 0}).IsFullyDefined());
  EXPECT_FALSE(MakePartial({-1, 0}).IsFullyDefined());
  EXPECT_FALSE(MakePartial({1, -1}).IsFullyDefined());
  EXPECT_FALSE(kUnknownRank.IsFullyDefined());
}

TEST(PartialTensorShapeTest, ToTensorShape) {
  EXPECT_EQ(MakePartial({1, 0}).AsTensorShape().value(), TensorShape::BuildTensorShape({1, 0}).value());
  EXPECT_EQ(MakePartial({}).AsTensorShape().value(), TensorShape());
  EXPECT_EQ(MakePartial({-1, 0}).AsTensorShape().error().message, "not every size is known in [?,0]");
  EXPECT_EQ(kUnknownRank.AsTensorShape().error().message, "not every size is known in <unknown>");
}

TEST(PartialTensorShapeTest, PartialShapeIdenticalTo) {
  const PartialTensorShape shapes[] = {kUnknownRank,         MakePartial({}),      MakePartial({-1}),
                                       MakePartial({1}),     MakePartial({-1, 0}), MakePartial({1, 0}),
                                       MakePartial({1, -1}), MakePartial({-1, -1})};
  for (const PartialTensorShape& a : shapes) {
    for (const PartialTensorShape& b : shapes) {
      EXPECT_EQ(a.IsIdenticalTo(b), &a == &b) << a << " " << b;
    }
  }
}

TEST(PartialTensorShapeTest, PartialShapeCompatibleWith) {
  struct Case {
    PartialTensorShape a, b;
    bool compatible;
  };
  const Case cases[] = {
      {MakePartial({}), MakePartial({}), true},
      {MakePartial({-1}), MakePartial({1}), true},
      {MakePartial({-1}), MakePartial({-1}), true},
      {MakePartial({1}), MakePartial({2}), false},
      {MakePartial({0}), MakePartial({1}), false},
      {MakePartial({}), MakePartial({1}), false},
      {MakePartial({-1, -1}), MakePartial({-1}), false},
      {MakePartial({1, -1}), MakePartial({-1, 0}), true},
      {MakePartial({1, -1}), MakePartial({2, -1}), false},
      {kUnknownRank, MakePartial({}), true},
      {kUnknownRank, MakePartial({1, -1}), true},
      {kUnknownRank, kUnknownRank, true},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(c.a.IsCompatibleWith(c.b), c.compatible) << c.a << " " << c.b;
    EXPECT_EQ(c.b.IsCompatibleWith(c.a), c.compatible) << c.b << " " << c.a;
  }
}

TEST(PartialTensorShapeTest, ShapeCompatibleWith) {
  const TensorShape s = TensorShape::BuildTensorShape({8, 3}).value();
  EXPECT_TRUE(MakePartial({-1, 3}).IsCompatibleWith(s));
  EXPECT_TRUE(MakePartial({8, 3}).IsCompatibleWith(s));
  EXPECT_TRUE(kUnknownRank.IsCompatibleWith(s));
  EXPECT_FALSE(MakePartial({-1, 4}).IsCompatibleWith(s));
  EXPECT_FALSE(MakePartial({-1, -1, -1}).IsCompatibleWith(s));
  EXPECT_FALSE(MakePartial({}).IsCompatibleWith(s));
}

TEST(PartialTensorShapeTest, PartialShapeMergeWith) {
  struct Case {
    PartialTensorShape a, b;
    const char* merged;
  };
  const Case cases[] = {
      {kUnknownRank, kUnknownRank, "<unknown>"},
      {kUnknownRank, MakePartial({}), "[]"},
      {kUnknownRank, MakePartial({1, -1}), "[1,?]"},
      {MakePartial({-1, 0}), MakePartial({1, -1}), "[1,0]"},
      {MakePartial({-1, 0}), MakePartial({-1, 0}), "[?,0]"},
      {MakePartial({-1, -1}), MakePartial({-1, 0}), "[?,0]"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Text(c.a.MergeWith(c.b)), c.merged);
    EXPECT_EQ(Text(c.b.MergeWith(c.a)), c.merged);
    EXPECT_EQ(Text(c.a.MergeWith(c.a)), c.a.DebugString());
  }
  EXPECT_EQ(Text(MakePartial({1, -1}).MergeWith(MakePartial({2, -1}))),
            "[1,?] and [2,?] differ in axis 0: 1 is not 2");
  EXPECT_EQ(Text(MakePartial({1}).MergeWith(MakePartial({1, -1}))), "[1] has 1 dimensions and [1,?] has 2");
  // Each shape is valid alone, but their merge has too many elements.
  const int64_t big = int64_t{1} << 40;
  EXPECT_EQ(MakePartial({big, -1}).MergeWith(MakePartial({-1, big})).error().code, Code::kOverflow);
}

TEST(PartialTensorShapeTest, MakePartialShapeEmpty) {
  const auto s = PartialTensorShape::MakePartialShape(std::span<const int64_t>());
  ASSERT_TRUE(s);
  EXPECT_TRUE(s->IsFullyDefined()) << "an empty list of sizes is a scalar, not an unknown rank";
  EXPECT_EQ(s->dims(), 0);
}

TEST(PartialTensorShapeTest, MakePartialShapeFull) {
  const std::vector<int32_t> narrow = {8, -1, 0};
  const std::vector<int64_t> wide = {8, -1, int64_t{1} << 40};
  EXPECT_EQ(Text(PartialTensorShape::MakePartialShape(narrow)), "[8,?,0]");
  EXPECT_EQ(Text(PartialTensorShape::MakePartialShape(wide)), "[8,?,1099511627776]");
}

TEST(PartialTensorShapeTest, MakePartialShapeInvalid) {
  const std::vector<int32_t> narrow = {8, -2, 0};
  const std::vector<int64_t> wide = {8, INT64_MIN};
  EXPECT_EQ(Text(PartialTensorShape::MakePartialShape(narrow)),
            "the size of axis 1 is -2; it must be 0 or more, or -1 if it is unknown");
  EXPECT_FALSE(PartialTensorShape::MakePartialShape(wide));
}

TEST(PartialTensorShapeTest, Edits) {
  PartialTensorShape s = MakePartial({-1, 3});
  EXPECT_TRUE(s.AddDim(-1) && s.InsertDim(0, 2) && s.set_dim(1, 7) && s.RemoveDim(2));
  EXPECT_EQ(s.DebugString(), "[2,7,?]");
  EXPECT_TRUE(s.RemoveDimRange(0, 1) && s.RemoveLastDims(1));
  EXPECT_EQ(s.DebugString(), "[7]");
  EXPECT_FALSE(s.set_dim(0, -2));
  EXPECT_FALSE(s.set_dim(1, 2));
  EXPECT_TRUE(s.AppendShape(kUnknownRank));
  EXPECT_EQ(s.DebugString(), "<unknown>");
}

TEST(PartialTensorShapeTest, Edits_UnknownRank_StaysUnknown) {
  PartialTensorShape s;
  EXPECT_TRUE(s.AddDim(1) && s.InsertDim(5, 1) && s.set_dim(9, 1) && s.RemoveDim(0) && s.RemoveLastDims(3));
  EXPECT_TRUE(s.RemoveDimRange(2, 4) && s.AppendShape(MakePartial({1})));
  EXPECT_TRUE(s.IsIdenticalTo(kUnknownRank));
}

// An unknown size may be 0, so it is not certain that these shapes are too large.
TEST(PartialTensorShapeTest, Overflow_UnknownSizePresent_IsNoError) {
  const int64_t big = int64_t{1} << 40;
  EXPECT_EQ(Text(PartialTensorShape::BuildPartialTensorShape({big, big, -1})),
            "[1099511627776,1099511627776,?]");
  EXPECT_EQ(PartialTensorShape::BuildPartialTensorShape({big, big}).error().code, Code::kOverflow);
}

TEST(PartialTensorShapeTest, ProtoAndText) {
  for (const PartialTensorShape& s : {kUnknownRank, MakePartial({}), MakePartial({2, -1, 0})}) {
    EXPECT_TRUE(PartialTensorShape::BuildPartialTensorShape(s.AsProto())->IsIdenticalTo(s)) << s;
  }
  EXPECT_EQ(MakePartial({2, -1}).AsProto(), (ShapeProto{false, {2, -1}}));
  EXPECT_EQ(kUnknownRank.AsProto(), (ShapeProto{true, {}}));
  std::stringstream ss;
  ss << MakePartial({2, -1, 0}) << " " << kUnknownRank << " " << MakePartial({});
  EXPECT_EQ(ss.str(), "[2,?,0] <unknown> []");
}

}  // namespace
}  // namespace dimwise
