// Tests that INFER_OK and INFER_ERROR fail for each kind of mismatch, with a specific message.
#include "infer/context/shape_fn_testing.h"

#include <gtest/gtest.h>

#include <functional>

namespace dimwise {
namespace {

ShapeFnTestOp OpWith(ShapeFn fn, int outputs = 1) {
  OpDef def;
  def.set = "tensorflow";
  def.name = "Test";
  for (int i = 0; i < 3; ++i) {
    def.inputs.emplace_back();
    def.inputs.back().name = "x" + std::to_string(i);
    def.inputs.back().any_type = def.inputs.back().optional = true;
  }
  for (int i = 0; i < outputs; ++i) {
    def.outputs.emplace_back();
    def.outputs.back().name = "y" + std::to_string(i);
    def.outputs.back().any_type = true;
  }
  return ShapeFnTestOp({std::move(def), std::move(fn)});
}

ShapeFnTestOp OpThatGives(std::function<Result<Shape>(InferenceContext*)> make) {
  return OpWith([make = std::move(make)](InferenceContext* c) -> Status {
    DIMWISE_ASSIGN_OR_RETURN(const Shape shape, make(c));
    c->set_output(0, shape);
    return {};
  });
}

TEST(ShapeInferenceTestutilTest, InferShapes_EachMismatch_HasMessage) {
  ShapeFnTestOp copy = OpThatGives([](InferenceContext* c) { return c->input(0); });
  ShapeFnTestOp two = OpWith(
      [](InferenceContext* c) -> Status {
        c->set_output(0, c->input(0));
        c->set_output(1, c->input(1));
        return {};
      },
      2);
  ShapeFnTestOp nothing = OpWith([](InferenceContext*) -> Status { return {}; });
  ShapeFnTestOp fails = OpThatGives([](InferenceContext* c) { return c->WithRank(c->input(0), 7); });
  ShapeFnTestOp unknown = OpThatGives([](InferenceContext* c) { return c->UnknownShape(); });
  ShapeFnTestOp fresh = OpThatGives([](InferenceContext* c) { return c->Matrix(c->UnknownDim(), 2); });

  // Matching cases.
  INFER_OK(copy, "[1,?]", "in0");
  INFER_OK(copy, "[1,?];[2]", "[1,d0_1]");
  INFER_OK(copy, "?", "in0");
  INFER_OK(copy, "[N,N + 1];[N]", "[d1_0|d0_1,N + 1]");
  INFER_OK(copy, "[];-;[1]", "[]");
  INFER_OK(two, "[1];?", "in1|in0;in1");
  INFER_OK(unknown, "?", "?");
  INFER_OK(fresh, "[?]", "[?,2]");
  INFER_ERROR("it must have rank 7", fails, "[1]");

  // The result of the function.
  EXPECT_EQ(InferShapes(fails, "[1]", "?"), "the shape function fails: [1] has rank 1; it must have rank 7");
  EXPECT_EQ(InferError(copy, "[1]", "rank 7"),
            "an error is expected (rank 7); the answer is tensorflow.Test 'test' ([1]) -> ([1])");
  EXPECT_EQ(InferError(fails, "[1]", "size 7"),
            "an error with 'size 7' is expected; it is: [1] has rank 1; it must have rank 7");
  EXPECT_EQ(InferShapes(nothing, "[1]", "?"), "output 0 is not set");
  EXPECT_EQ(InferShapes(two, "[1];[2]", "?"), "1 outputs are expected; there are 2");

  // Shapes.
  EXPECT_EQ(InferShapes(copy, "[1]", "?"), "output 0: an unknown rank is expected; it is [1]");
  EXPECT_EQ(InferShapes(copy, "?", "?"),
            "output 0: an unknown rank of its own is expected; it is that of in0");
  EXPECT_EQ(InferShapes(two, "?;[2]", "in0;in0"), "output 1: the shape of in0 is expected; it is [2]");
  EXPECT_EQ(InferShapes(two, "[1];[2]", "in1;in1"), "output 0: the shape of in1 is expected; it is [1]");
  EXPECT_EQ(InferShapes(unknown, "?", "in0"), "output 0: the shape of in0 is expected; it is [*]");
  EXPECT_EQ(InferShapes(copy, "?", "[1,2]"), "output 0: [1,2] is expected; its rank is unknown");
  EXPECT_EQ(InferShapes(copy, "[1,2]", "[1]"), "output 0: rank 1 is expected; it is [1, 2]");

  // Sizes.
  EXPECT_EQ(InferShapes(copy, "[1,2]", "[1,3]"), "output 0, axis 1: 3 is expected; it is 2");
  EXPECT_EQ(InferShapes(copy, "[1,2]", "[1,?]"), "output 0, axis 1: an unknown size is expected; it is 2");
  EXPECT_EQ(InferShapes(copy, "[1,N]", "[1,?]"),
            "output 0, axis 1: an unknown size of its own is expected; it is N, which is d0_1");
  EXPECT_EQ(InferShapes(copy, "[N,M];[K]", "[d0_1|d1_0,M]"),
            "output 0, axis 0: the size d0_1|d1_0 is expected; it is N");
  EXPECT_EQ(InferShapes(copy, "[N]", "[N + 1]"), "output 0, axis 0: N + 1 is expected; it is N");

  // Errors in the notation.
  EXPECT_EQ(InferShapes(copy, "[1", "?"), "the inputs cannot be read: '[1' is no shape");
  EXPECT_TRUE(InferShapes(copy, "[1 +]", "?").starts_with("the inputs cannot be read: "));
  EXPECT_EQ(InferShapes(copy, "[1]", "1"), "output 0: '1' is no notation of a shape");
  EXPECT_EQ(InferShapes(copy, "[1]", "in3"), "output 0: 'in3' names no input");
  EXPECT_EQ(InferShapes(copy, "[1]", "inx"), "output 0: 'inx' names no input");
  EXPECT_EQ(InferShapes(copy, "[1]", "[d0_1]"), "output 0, axis 0: 'd0_1' names no size of an input");
  EXPECT_EQ(InferShapes(copy, "[1]", "[d7_0]"), "output 0, axis 0: 'd7_0' names no size of an input");
  EXPECT_EQ(InferShapes(copy, "[1]", "[d0]"), "output 0, axis 0: 'd0' names no size of an input");
  EXPECT_EQ(InferShapes(copy, "[1]", "[1 +]"), "output 0, axis 0: '1 +' is no notation of a size");
}

TEST(ShapeInferenceTestutilTest, InferShapes_Cases_DoNotShareFacts) {
  ShapeFnTestOp merge = OpThatGives([](InferenceContext* c) { return c->Merge(c->input(0), c->input(1)); });
  INFER_OK(merge, "[N];[M]", "in0");
  EXPECT_EQ(merge.guards, std::vector<std::string>{"N == M"});
  INFER_OK(merge, "[M];[N]", "in0");
  EXPECT_EQ(merge.guards, std::vector<std::string>{"M == N"});
  INFER_OK(merge, "[2];[2]", "in0");
  EXPECT_TRUE(merge.guards.empty());
}

}  // namespace
}  // namespace dimwise
