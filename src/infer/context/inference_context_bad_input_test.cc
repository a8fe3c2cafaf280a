// Tests that bad input is an error and never a crash: null handles, indices out of range, huge counts, wrong
// arity.
#include <gtest/gtest.h>

#include "dimwise/inference_context.h"
#include "infer/context/inference_context_testing.h"

namespace dimwise {
namespace {

TEST_F(ShapeInferenceTest, AnyMethod_NullHandle_IsError) {
  InferenceContext c = Context({"-", "[2]"});
  const Shape none;
  const Shape some = c.input(1);
  const auto code = [](const auto& result) { return result ? Code{} : result.error().code; };
  EXPECT_TRUE(c.input(0).is_none());
  EXPECT_FALSE(c.has_input(0));
  EXPECT_EQ(c.Rank(none), InferenceContext::kUnknownRank);
  EXPECT_FALSE(c.RankKnown(none));
  EXPECT_FALSE(c.FullyDefined(none));
  EXPECT_FALSE(c.ValueKnown(Dim()));
  EXPECT_EQ(c.Value(Dim()), std::nullopt);
  EXPECT_EQ(c.DebugString(none), "none");
  EXPECT_EQ(c.DebugString(Dim()), "none");
  EXPECT_EQ(c.DebugString(), "node 'n' (not given, [2]) -> (?)");

  EXPECT_EQ(code(c.Dim(none, 0)), Code::kBadHandle);
  EXPECT_EQ(code(c.NumElements(none)), Code::kBadHandle);
  EXPECT_EQ(code(c.WithRank(none, 1)), Code::kBadHandle);
  EXPECT_EQ(code(c.WithRankAtLeast(none, 1)), Code::kBadHandle);
  EXPECT_EQ(code(c.WithRankAtMost(none, 1)), Code::kBadHandle);
  EXPECT_EQ(code(c.WithValue(Dim(), 1)), Code::kBadHandle);
  EXPECT_EQ(code(c.Merge(none, some)), Code::kBadHandle);
  EXPECT_EQ(code(c.Merge(some, none)), Code::kBadHandle);
  EXPECT_EQ(code(c.Merge(Dim(), 1)), Code::kBadHandle);
  EXPECT_EQ(code(c.Merge(Dim(1), Dim())), Code::kBadHandle);
  EXPECT_EQ(code(c.MergePrefix(none, some)), Code::kBadHandle);
  EXPECT_EQ(code(c.MergePrefix(some, none)), Code::kBadHandle);
  EXPECT_EQ(code(c.Subshape(none, 0)), Code::kBadHandle);
  EXPECT_EQ(code(c.Concatenate(none, some)), Code::kBadHandle);
  EXPECT_EQ(code(c.Concatenate(some, none)), Code::kBadHandle);
  EXPECT_EQ(code(c.ReplaceDim(none, 0, 1)), Code::kBadHandle);
  EXPECT_EQ(code(c.ReplaceDim(some, 0, Dim())), Code::kBadHandle);
  EXPECT_EQ(code(c.MakeShape({Dim()})), Code::kBadHandle);
  EXPECT_EQ(code(c.MakeDim(Dim())), Code::kBadHandle);
  EXPECT_EQ(code(c.MakeShapeFromTensor(Value(), none)), Code::kBadHandle);
  for (const Dim other : {Dim(), Dim(1), D("N")}) {
    EXPECT_EQ(code(c.Divide(Dim(), other, true)), Code::kBadHandle);
    EXPECT_EQ(code(c.Add(Dim(), other)), Code::kBadHandle);
    EXPECT_EQ(code(c.Subtract(other, Dim())), Code::kBadHandle);
    EXPECT_EQ(code(c.Multiply(Dim(), other)), Code::kBadHandle);
    EXPECT_EQ(code(c.Min(other, Dim())), Code::kBadHandle);
    EXPECT_EQ(code(c.Max(Dim(), other)), Code::kBadHandle);
  }
  EXPECT_EQ(code(c.Require(Literal{Dim(), Relation::kEqual}, "x")), Code::kBadHandle);
  EXPECT_EQ(code(c.Require(Clause{Literal{Dim(), Relation::kEqual}}, "x")), Code::kBadHandle);
  c.Ensure(Literal{Dim(), Relation::kEqual});
  EXPECT_EQ(c.CanMerge(none, some), Truth::kNo);
  EXPECT_EQ(c.CanMerge(Dim(), 1), Truth::kNo);
  EXPECT_EQ(c.Equal(Dim(), 1), Truth::kMaybe);
  EXPECT_EQ(c.Relax(none, some), some);
  EXPECT_FALSE(c.Relax(none, none).is_none());
  EXPECT_TRUE(c.guards().empty());
}

TEST_F(ShapeInferenceTest, AnyMethod_IndexOutOfRange_IsError) {
  InferenceContext c = Context({"[2]"});
  for (const int64_t i : {int64_t{-2}, int64_t{1}, INT64_MAX, INT64_MIN}) {
    EXPECT_TRUE(c.input(i).is_none());
    EXPECT_TRUE(c.output(i).is_none());
    EXPECT_TRUE(c.input_tensor(i).is_none());
    EXPECT_EQ(c.input_type(i), ElementType::kUnknown);
    EXPECT_EQ(c.output_type(i), ElementType::kUnknown);
    EXPECT_FALSE(c.requested_input_tensor_as_partial_shape(i));
    EXPECT_TRUE(c.output_value(i).is_none());
    EXPECT_FALSE(c.MakeShapeFromShapeTensor(i));
    EXPECT_FALSE(c.MakeDimForScalarInput(i));
    EXPECT_FALSE(c.Dim(c.input(0), i));
    EXPECT_EQ(c.output_handle_shapes_and_types(i), nullptr);
  }
  EXPECT_EQ(ErrorOf(c.Run([](InferenceContext* context) -> Status {
              context->set_output(1, context->input(0));
              return {};
            })),
            "the shape function sets output 1, but the node has 1");
  EXPECT_EQ(ErrorOf(c.Run([](InferenceContext* context) -> Status {
              context->set_output(0, context->input(7));
              return {};
            })),
            "the shape function gives no shape for output 0");
  EXPECT_TRUE(c.Run([](InferenceContext* context) -> Status {  // an error of one run does not affect the next
    context->set_output(0, context->input(0));
    return {};
  }));
}

TEST_F(ShapeInferenceTest, Construction_WrongArity_IsError) {
  const Result<OpDef> def = OpDefBuilder("onnx.Conv")
                                .Attr("T: type")
                                .Input("X: T")
                                .Input("W: T")
                                .Input("B?: T")
                                .Output("Y: T")
                                .Build();
  ASSERT_TRUE(def) << def.error().message;
  NodeDescription node;
  node.name = "c";
  node.op = &*def;
  const auto construct = [&](size_t count) {
    const std::vector<Shape> inputs(count, S("[1]"));
    return ErrorOf(InferenceContext(analysis_, node, inputs).construction_status());
  };
  EXPECT_EQ(construct(1), "onnx.Conv takes 2 to 3 inputs (X, W, B?); 1 is given");
  EXPECT_EQ(construct(2), "no error");
  EXPECT_EQ(construct(3), "no error");
  EXPECT_EQ(construct(4), "onnx.Conv takes 2 to 3 inputs (X, W, B?); 4 are given");

  const std::vector<Shape> inputs(2, S("[1]"));
  const std::vector<Value> tensors(3);
  EXPECT_EQ(ErrorOf(InferenceContext(analysis_, node, inputs, tensors).construction_status()),
            "contents are given for 3 inputs; there are 2");
  node.num_outputs = INT32_MAX;
  EXPECT_EQ(ErrorOf(InferenceContext(analysis_, node, inputs).construction_status()),
            "a node cannot have 2147483647 outputs");
}

TEST_F(ShapeInferenceTest, Construction_CountsFromAttributes_AreChecked) {
  const Result<OpDef> def = OpDefBuilder("tensorflow.Split")
                                .Attr("num_split: int >= 1")
                                .Attr("T: type")
                                .Input("axis: i32")
                                .Input("value: T")
                                .Output("output: num_split * T")
                                .Build();
  ASSERT_TRUE(def) << def.error().message;
  NodeDescription node;
  node.op = &*def;
  const std::vector<Shape> inputs(2, S("[]"));
  AttrMap attrs;
  node.attrs = &attrs;
  // The expected count is unknown.
  EXPECT_FALSE(InferenceContext(analysis_, node, inputs).construction_status());
  for (const AttrValue& bad : {AttrValue(-1), AttrValue(0), AttrValue("many"), AttrValue(INT64_MAX)}) {
    attrs.Set("num_split", bad);
    EXPECT_FALSE(InferenceContext(analysis_, node, inputs).construction_status());
  }
  attrs.Set("num_split", 3);
  EXPECT_EQ(InferenceContext(analysis_, node, inputs).num_outputs(), 3);
  attrs.Set("num_split", "4");
  EXPECT_EQ(InferenceContext(analysis_, node, inputs).num_outputs(), 4);
}

TEST_F(ShapeInferenceTest, Construction_ManyTensors_AreStored) {
  const std::vector<Shape> many(100, S("[3]"));
  InferenceContext c(analysis_, Node(50), many);
  EXPECT_EQ(c.num_inputs(), 100);
  EXPECT_EQ(c.input(99), S("[3]"));
  ASSERT_TRUE(c.Run([](InferenceContext* context) -> Status {
    for (int i = 0; i < context->num_outputs(); ++i) context->set_output(i, context->input(i + 50));
    return {};
  }));
  EXPECT_EQ(c.output(49), S("[3]"));
  c.Reset(Node(1), std::vector<Shape>{S("[1]")});
  EXPECT_EQ(c.num_inputs(), 1);
  EXPECT_EQ(c.num_outputs(), 1);
  EXPECT_TRUE(c.output(0).is_none());
}

TEST_F(ShapeInferenceTest, AccessByName_UnknownOperator_IsError) {
  InferenceContext c = Context({"[1]"});
  EXPECT_EQ(ErrorOf(c.input("x")), "the input 'x' cannot be found: the operator is unknown");
  EXPECT_FALSE(c.output("x"));
  EXPECT_FALSE(c.set_output("x", {}));
  EXPECT_EQ(c.FindAttr("x"), nullptr);
  EXPECT_TRUE(c.attrs().empty());
  InferenceContext empty(analysis_);
  EXPECT_EQ(empty.num_inputs(), 0);
  EXPECT_TRUE(empty.Run([](InferenceContext*) -> Status { return {}; }));
}

}  // namespace
}  // namespace dimwise
