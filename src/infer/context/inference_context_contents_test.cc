// Tests shapes and sizes read from the contents of inputs.
#include <gtest/gtest.h>

#include "dimwise/inference_context.h"
#include "infer/context/inference_context_testing.h"

namespace dimwise {
namespace {

TEST_F(ShapeInferenceTest, InputTensor_Request_IsRecorded) {
  const Value first = Integers({2}, {7, 8});
  InferenceContext c = Context({"[2]", "[3]", "[4]"}, 1, {first});
  EXPECT_FALSE(c.requested_input_tensor(0));
  EXPECT_FALSE(c.requested_input_tensor(1));
  EXPECT_EQ(c.input_tensor(0), first);
  EXPECT_TRUE(c.input_tensor(1).is_none());
  EXPECT_TRUE(c.requested_input_tensor(0));
  EXPECT_TRUE(c.requested_input_tensor(1));
  EXPECT_FALSE(c.requested_input_tensor(2));
  const Value second = Integers({3}, {1, 2, 3});
  c.set_input_tensors(std::vector<Value>{first, second});
  EXPECT_EQ(c.input_tensor(1), second);
  EXPECT_TRUE(c.input_tensor(99).is_none());
  EXPECT_FALSE(c.requested_input_tensor(99));
}

TEST_F(ShapeInferenceTest, MakeShapeFromShapeTensor_TableOfContents_GivesShape) {
  const auto create = [&](std::string_view shape, Value tensor, Shape as_shape = {}) {
    InferenceContext c = Context({shape}, 1, {tensor}, {as_shape});
    const Result<Shape> result = c.MakeShapeFromShapeTensor(0);
    return result ? ToString(analysis_.dims(), *result) : result.error().message;
  };
  EXPECT_EQ(create("[3]", Integers({3}, {1, 2, 3})), "[1, 2, 3]");
  EXPECT_EQ(create("[3]", Integers({3}, {1, 2, 3}, ElementType::kI32)), "[1, 2, 3]");
  EXPECT_EQ(create("[0]", Integers({0}, {})), "[]");
  EXPECT_EQ(create("[2]", Integers({2}, {D("N"), D("2*N")})), "[N, 2*N]");
  // -1 is an unknown size; so is an element that is unknown or may be -1.
  EXPECT_EQ(create("[2]", Integers({2}, {-1, 3})), "[u1, 3]");
  EXPECT_EQ(create("[2]", Integers({2}, {D("N - 1"), Dim()})), "[u2, u3]");
  // Without contents, at most the number of sizes is known.
  EXPECT_EQ(create("[2]", {}), "[u4, u5]");
  EXPECT_EQ(create("[?]", {}), "[*]");
  EXPECT_EQ(create("[*]", {}), "[*]");
  // Contents known as a shape.
  EXPECT_EQ(create("[2]", {}, S("[N, 7]")), "[N, 7]");
  EXPECT_EQ(create("[?]", {}, S("[N, 7, 8]")), "[N, 7, 8]");
  EXPECT_EQ(create("[2]", {}, S("[*]")), "[u6, u7]");

  EXPECT_EQ(create("[1]", Integers({1}, {-2})),
            "element 0 of a shape is -2; it is a size, or -1 for an unknown one");
  EXPECT_EQ(create("[1, 2]", Integers({1, 2}, {1, 2})), "[1, 2] has rank 2; it must have rank 1");
  EXPECT_EQ(create("[]", Integers({}, {1})), "[] has rank 0; it must have rank 1");
  EXPECT_EQ(create("[1]", Integers({1}, {2}, ElementType::kI8)),
            "a shape is read from a tensor of i32 or i64, not i8");
  EXPECT_EQ(create("[300]", {}), "a rank is 0 .. 254, not 300");
  EXPECT_EQ(create("-", {}), "a shape is read from input 0, which is not given");

  // The length of the list bounds the rank.
  InferenceContext c = Context({"[R]"});
  analysis_.facts().Assert(Clause{AtMost(analysis_.dims(), D("R"), 4)}, FactKind::kGiven, 0);
  const Shape bounded = c.input_as_shape(0).value();
  EXPECT_EQ(bounded.max_rank(), 4);

  // A scalar -1 is an unknown shape, if the operator allows it.
  const auto scalar = [&](std::string_view shape, Value tensor) {
    InferenceContext s = Context({shape}, 1, {tensor});
    const Result<Shape> result = s.MakeShapeFromShapeTensorTreatScalarAsUnknownShape(0);
    return result ? ToString(analysis_.dims(), *result) : result.error().message;
  };
  EXPECT_EQ(scalar("[]", Integers({}, {-1})), "[*]");
  EXPECT_EQ(scalar("[]", {}), "[*]");
  EXPECT_EQ(scalar("[1]", Integers({1}, {5})), "[5]");
  EXPECT_EQ(scalar("[]", Integers({}, {1})),
            "a shape is read from a list of sizes, or from the scalar -1, not from 1");
  EXPECT_EQ(scalar("[1, 2]", {}), "[1, 2] has rank 2; it must have rank 1 or less");
}

TEST_F(ShapeInferenceTest, MakeShapeFromShapeTensor_Request_IsRecorded) {
  InferenceContext c = Context({"[2]", "[2]"});
  EXPECT_FALSE(c.requested_input_tensor_as_partial_shape(0));
  ASSERT_TRUE(c.MakeShapeFromShapeTensor(0));
  EXPECT_TRUE(c.requested_input_tensor_as_partial_shape(0));
  EXPECT_FALSE(c.requested_input_tensor_as_partial_shape(1));
  c.set_input_tensors_as_shapes(std::vector<Shape>{S("[4, 5]")});
  EXPECT_EQ(c.MakeShapeFromShapeTensor(0).value(), S("[4, 5]"));
}

TEST_F(ShapeInferenceTest, MakeDimForScalarInput_TableOfContents_GivesSize) {
  InferenceContext c =
      Context({"[]", "[]", "[]", "[]", "[1]", "[]"}, 1,
              {Integers({}, {20}, ElementType::kI32), Integers({}, {-1}), Value(), Integers({}, {D("N - 2")}),
               Integers({1}, {3}), Integers({}, {3}, ElementType::kU8)});
  EXPECT_EQ(c.MakeDimForScalarInput(0).value(), Dim(20));
  EXPECT_TRUE(c.requested_input_tensor(0));
  EXPECT_EQ(ErrorOf(c.MakeDimForScalarInput(1)), "the size in input 1 is -1; it must not be negative");
  EXPECT_FALSE(c.ValueKnown(c.MakeDimForScalarInput(2).value()));
  EXPECT_TRUE(c.guards().empty());
  // An element that may be negative becomes the size, with a guard.
  EXPECT_EQ(c.MakeDimForScalarInput(3).value(), D("N - 2"));
  EXPECT_EQ(GuardsOf(c), Texts{"N >= 2"});
  EXPECT_EQ(ErrorOf(c.MakeDimForScalarInput(4)),
            "a number is read from a scalar, not from a tensor of rank 1");
  EXPECT_EQ(ErrorOf(c.MakeDimForScalarInput(5)), "a number is read from a tensor of i32 or i64, not u8");
  EXPECT_FALSE(c.MakeDimForScalarInput(6));
}

TEST_F(ShapeInferenceTest, MakeDimForScalarInput_NegativeIndex_CountsFromEnd) {
  InferenceContext c =
      Context({"[]", "[]", "[]", "[]"}, 1, {Integers({}, {1}), Integers({}, {-1}), Integers({}, {D("N")})});
  EXPECT_EQ(c.MakeDimForScalarInputWithNegativeIndexing(0, 2).value(), Dim(1));
  EXPECT_EQ(c.MakeDimForScalarInputWithNegativeIndexing(1, 2).value(), Dim(1));
  EXPECT_EQ(c.MakeDimForScalarInputWithNegativeIndexing(0, InferenceContext::kUnknownRank).value(), Dim(1));
  EXPECT_FALSE(
      c.ValueKnown(c.MakeDimForScalarInputWithNegativeIndexing(1, InferenceContext::kUnknownRank).value()));
  EXPECT_FALSE(c.ValueKnown(c.MakeDimForScalarInputWithNegativeIndexing(2, 3).value()));
  EXPECT_FALSE(c.ValueKnown(c.MakeDimForScalarInputWithNegativeIndexing(3, 3).value()));
  EXPECT_EQ(ErrorOf(c.MakeDimForScalarInputWithNegativeIndexing(0, 1)),
            "the axis in input 0 is 1; for rank 1 it must be in -1 .. 0");
  EXPECT_EQ(ErrorOf(c.MakeDimForScalarInputWithNegativeIndexing(1, 0)),
            "the axis in input 1 is -1; a tensor of rank 0 has no axes");
  EXPECT_FALSE(c.MakeDimForScalarInputWithNegativeIndexing(9, 1));
}

TEST_F(ShapeInferenceTest, GetScalarFromTensor_TableOfContents_GivesInteger) {
  InferenceContext c = Context({});
  EXPECT_EQ(c.GetScalarFromTensor(Integers({}, {5})).value(), Dim(5));
  EXPECT_EQ(c.GetScalarFromTensor(Integers({}, {-5}, ElementType::kI32)).value(), Dim(-5));
  EXPECT_EQ(c.GetScalarFromTensor(Integers({}, {D("N")})).value(), D("N"));
  const Dim unknown = c.GetScalarFromTensor(Integers({}, {Dim()})).value();
  EXPECT_EQ(c.AtLeast(unknown, 0), Truth::kMaybe);  // contents may be negative
  EXPECT_EQ(c.GetScalarFromTensor(Value()).error().code, Code::kBadHandle);
}

}  // namespace
}  // namespace dimwise
