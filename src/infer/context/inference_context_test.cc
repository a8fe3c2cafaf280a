// Tests setup, names, runs, errors with context, attributes, and access to handles.
#include "dimwise/inference_context.h"

#include <gtest/gtest.h>

#include <functional>
#include <new>
#include <stdexcept>

#include "infer/context/inference_context_testing.h"

namespace dimwise {
namespace {

TEST_F(ShapeInferenceTest, InputAndOutput_ByName_GivesShapesOfArgument) {
  const Result<OpDef> def = OpDefBuilder("tensorflow.Foo")
                                .Attr("N: int >= 1")
                                .Attr("T: type")
                                .Input("values: N * T")
                                .Input("other: f32")
                                .Output("out: f32")
                                .Output("list: N * T")
                                .Build();
  ASSERT_TRUE(def) << def.error().message;
  const AttrMap attrs{{"N", 3}, {"T", ElementType::kF32}};
  NodeDescription node;
  node.op = &*def;
  node.attrs = &attrs;
  const std::vector<Shape> inputs = {S("[1]"), S("[2]"), S("[*]"), S("[4, 5]")};
  InferenceContext c(analysis_, node, inputs);
  ASSERT_TRUE(c.construction_status());
  EXPECT_EQ(c.num_inputs(), 4);
  EXPECT_EQ(c.num_outputs(), 4);

  EXPECT_EQ(c.input("values").value(), (std::vector<Shape>{inputs[0], inputs[1], inputs[2]}));
  EXPECT_EQ(c.input("other").value(), std::vector<Shape>{inputs[3]});
  EXPECT_EQ(ErrorOf(c.input("nonexistent")), "tensorflow.Foo has no input 'nonexistent'");

  EXPECT_TRUE(c.set_output("out", {inputs[3]}));
  EXPECT_TRUE(c.set_output("list", {inputs[0], inputs[1], inputs[0]}));
  EXPECT_EQ(c.output(0), inputs[3]);
  EXPECT_EQ(c.output(3), inputs[0]);
  EXPECT_EQ(c.output("list").value(), (std::vector<Shape>{inputs[0], inputs[1], inputs[0]}));
  EXPECT_EQ(ErrorOf(c.set_output("list", {inputs[0]})), "output 'list' has 3 tensors; 1 shapes are given");
  EXPECT_EQ(ErrorOf(c.set_output("nonexistent", {inputs[0]})), "tensorflow.Foo has no output 'nonexistent'");
  EXPECT_EQ(ErrorOf(c.output("nonexistent")), "tensorflow.Foo has no output 'nonexistent'");
}

TEST_F(ShapeInferenceTest, DimensionOrConstant_ConstantAndHandle_AreBothDims) {
  InferenceContext c = Context({"[1, ?]"});
  const DimensionOrConstant constant = 7;
  EXPECT_EQ(InferenceContext::Value(constant), 7);
  const DimensionOrConstant handle = c.input(0)[1];
  EXPECT_FALSE(InferenceContext::ValueKnown(handle));
  EXPECT_EQ(handle, c.input(0)[1]);
  // Both kinds can be mixed, and -1 is an ordinary number, never "unknown".
  EXPECT_EQ(c.MakeShape({handle, 7}).value()[0], handle);
  EXPECT_EQ(InferenceContext::Value(-1), -1);
  EXPECT_EQ(ErrorOf(c.MakeDim(-1)), "a size cannot be -1");
}

TEST_F(ShapeInferenceTest, Run_SuccessAndFailure_SetsOutputs) {
  const std::vector<ShapeProto> inputs = {{false, {5, -1}}, {true, {}}};
  InferenceContext c(analysis_, Node(1), inputs);
  ASSERT_TRUE(c.construction_status());
  EXPECT_EQ(c.num_inputs(), 2);
  EXPECT_EQ(c.input(0)[0], Dim(5));
  EXPECT_FALSE(c.input(0)[1].is_constant());
  EXPECT_FALSE(c.input(1).has_rank());

  const auto copy_first = [](InferenceContext* context) -> Status {
    context->set_output(0, context->input(0));
    return {};
  };
  EXPECT_TRUE(c.Run(copy_first));
  EXPECT_EQ(c.output(0), c.input(0));

  // A function may take a reference; outputs that it sets before failing stay set.
  const auto fails = [](InferenceContext& context) -> Status {
    DIMWISE_RETURN_IF_ERROR(context.Merge(context.input(0)[1], 8));
    return FailWith("no");
  };
  EXPECT_EQ(ErrorOf(c.Run(fails)), "no");
  EXPECT_TRUE(c.guards().empty());
  EXPECT_EQ(c.CanMerge(c.input(0)[1], 9), Truth::kMaybe);
}

TEST_F(ShapeInferenceTest, AttachContext_Error_NamesNodeAndInputs) {
  const Result<OpDef> def = OpDefBuilder("onnx.Reshape")
                                .Attr("T: type")
                                .Input("data: T")
                                .Input("shape: i64")
                                .Input("others*: T")
                                .Output("y: T")
                                .Build();
  ASSERT_TRUE(def) << def.error().message;
  const auto fails = [](InferenceContext*) -> Status { return FailWith("bad"); };
  NodeDescription node;
  node.name = "encoder/reshape";
  node.op = &*def;
  node.index = 17;
  const std::vector<Type> inputs = {Type::Tensor(ElementType::kF32, S("[N, 3]")),
                                    Type::Tensor(ElementType::kI64, S("[2]")), Type::Tensor({}, S("[*]")),
                                    Type()};
  const std::vector<Value> tensors = {Value(), Integers({2}, {D("3*N"), 1})};
  InferenceContext c(analysis_, node, inputs, tensors);
  const Status status = c.Run(fails);
  ASSERT_FALSE(status);
  const Diagnostic& error = status.error();
  EXPECT_EQ(error.message, "bad");
  EXPECT_EQ(error.node, "encoder/reshape");
  EXPECT_EQ(error.op, "onnx.Reshape");
  EXPECT_EQ(error.index, 17);
  ASSERT_EQ(error.sides.size(), 3u);
  EXPECT_EQ(error.sides[0].role, "data");
  EXPECT_EQ(error.sides[0].value, "f32[N, 3]");
  EXPECT_EQ(error.sides[1].role, "shape");
  EXPECT_EQ(error.sides[1].value, "i64[2] = [3*N, 1]");
  EXPECT_EQ(error.sides[2].role, "others[0]");
  EXPECT_EQ(error.sides[2].value, "[*]");

  // Contents known only as a shape, and a scalar; a node without a definition has no names of operands.
  const std::vector<Shape> shapes = {S("[2]"), S("[]")};
  const std::vector<Value> scalar = {Value(), Integers({}, {7})};
  const std::vector<Shape> as_shapes = {S("[N, 4]")};
  InferenceContext bare(analysis_, Node(1), shapes, scalar, as_shapes);
  const Status second = bare.Run(fails);
  ASSERT_EQ(second.error().sides.size(), 2u);
  EXPECT_EQ(second.error().sides[0].role, "input 0");
  EXPECT_EQ(second.error().sides[0].value, "[2] = [N, 4]");
  EXPECT_EQ(second.error().sides[1].value, "[] = 7");
  EXPECT_TRUE(bare.AttachContext(Status()));
}

TEST_F(ShapeInferenceTest, Dim_RankAndAxis_GiveSizeOrError) {
  InferenceContext c = Context({"[*]", "[1, ?, 3]", "[]"}, 2);
  EXPECT_EQ(c.num_inputs(), 3);
  EXPECT_EQ(c.num_outputs(), 2);

  const Shape unknown = c.input(0);
  EXPECT_FALSE(c.RankKnown(unknown));
  EXPECT_EQ(c.Rank(unknown), InferenceContext::kUnknownRank);
  EXPECT_EQ(c.DebugString(unknown), "[*]");
  const Dim of_unknown = c.Dim(unknown, 0).value();
  EXPECT_FALSE(c.ValueKnown(of_unknown));
  EXPECT_NE(c.Dim(unknown, 0).value(), of_unknown);  // each is a separate unknown size
  EXPECT_TRUE(c.Dim(unknown, -1));
  EXPECT_TRUE(c.Dim(unknown, 200));

  const Shape shape = c.input(1);
  EXPECT_TRUE(c.RankKnown(shape));
  EXPECT_EQ(c.Rank(shape), 3);
  EXPECT_EQ(c.Value(c.Dim(shape, 0).value()), 1);
  EXPECT_EQ(c.Value(c.Dim(shape, 1).value()), std::nullopt);
  EXPECT_FALSE(c.ValueKnown(c.Dim(shape, 1).value()));
  EXPECT_EQ(c.Dim(shape, 1).value(), c.Dim(shape, -2).value());
  EXPECT_EQ(c.Value(c.Dim(shape, 2).value()), 3);
  EXPECT_EQ(c.Value(c.Dim(shape, -1).value()), 3);
  EXPECT_EQ(c.Value(c.Dim(shape, -3).value()), 1);
  EXPECT_EQ(c.DebugString(c.Dim(shape, 0).value()), "1");
  EXPECT_EQ(ErrorOf(c.Dim(shape, 3)), "axis 3 of [1, u1, 3], which has rank 3, whose axes are -3 .. 2");
  EXPECT_EQ(ErrorOf(c.Dim(shape, -4)), "axis -4 of [1, u1, 3], which has rank 3, whose axes are -3 .. 2");

  const Shape scalar = c.input(2);
  EXPECT_EQ(c.Rank(scalar), 0);
  EXPECT_EQ(c.DebugString(scalar), "[]");
  EXPECT_EQ(ErrorOf(c.Dim(scalar, 0)), "axis 0 of [], which has rank 0, which has no axes");
  EXPECT_EQ(c.DebugString(), "node 'n' ([*], [1, u1, 3], []) -> (?, ?)");
  EXPECT_EQ(InferenceContext::DebugString(PartialTensorShape::BuildPartialTensorShape({2, -1}).value()),
            "[2,?]");
}

TEST_F(ShapeInferenceTest, NumElements_KnownAndUnknownShapes_GivesProduct) {
  InferenceContext c = Context({"[*]", "[1, ?, 3]", "[1, 2, 3]", "[]", "[N, 0]", "[N, 2, M]"});
  EXPECT_FALSE(c.ValueKnown(c.NumElements(c.input(0)).value()));
  EXPECT_FALSE(c.ValueKnown(c.NumElements(c.input(1)).value()));
  EXPECT_EQ(c.NumElements(c.input(2)).value(), Dim(6));
  EXPECT_NE(c.NumElements(c.input(0)).value(), c.NumElements(c.input(0)).value());
  EXPECT_EQ(c.NumElements(c.input(3)).value(), Dim(1));
  EXPECT_EQ(c.NumElements(c.input(4)).value(), Dim(0));
  EXPECT_EQ(c.NumElements(c.input(5)).value(), D("2*M*N"));
  const Shape huge = S("[4294967296, 4294967296]");
  EXPECT_EQ(c.NumElements(huge).error().code, Code::kOverflow);
  EXPECT_EQ(c.NumElements(S("[4294967296, 4294967296, 0]")).value(), Dim(0));
}

TEST_F(ShapeInferenceTest, FullyDefined_KnownAndUnknownShapes_IsTrueForConstants) {
  InferenceContext c = Context({"[*]", "[1, ?]", "[1, 2]", "[]", "-"});
  EXPECT_FALSE(c.FullyDefined(c.input(0)));
  EXPECT_FALSE(c.FullyDefined(c.input(1)));
  EXPECT_TRUE(c.FullyDefined(c.input(2)));
  EXPECT_TRUE(c.FullyDefined(c.input(3)));
  EXPECT_FALSE(c.FullyDefined(c.input(4)));
}

TEST_F(ShapeInferenceTest, GetAttr_KindsAndDefaults_GivesValueOrError) {
  const Result<OpDef> def = OpDefBuilder("onnx.Foo")
                                .Input("x: any")
                                .Output("y: any")
                                .Attr("axis: int = -1")
                                .Attr("axes: list(int) or int")
                                .Attr("mode: string = 'edge'")
                                .Attr("scale?: float")
                                .Build();
  ASSERT_TRUE(def) << def.error().message;
  const AttrMap attrs{{"foo", 5},
                      {"axes", 3},
                      {"pads", AttrValue::Ints{1, 2}},
                      {"kernel", "(3, 3)"},
                      {"flag", true},
                      {"T", ElementType::kF16},
                      {"shape", ShapeProto{false, {2, -1}}},
                      {"alpha", 0.5},
                      {"names", AttrValue::Strings{"a", "b"}},
                      {"scale", AttrValue()}};
  NodeDescription node;
  node.op = &*def;
  node.attrs = &attrs;
  InferenceContext c(analysis_, node, std::vector<Shape>{S("[1]")});
  EXPECT_EQ(&c.attrs(), &attrs);
  EXPECT_EQ(c.GetAttr<int64_t>("foo").value(), 5);
  EXPECT_EQ(c.GetAttr<int64_t>("axis").value(), -1);
  EXPECT_EQ(c.GetAttr<std::string_view>("mode").value(), "edge");
  EXPECT_EQ(c.GetAttr<std::string>("mode").value(), "edge");
  EXPECT_EQ(c.GetAttr<bool>("flag").value(), true);
  EXPECT_EQ(c.GetAttr<double>("alpha").value(), 0.5);
  EXPECT_EQ(c.GetAttr<ElementType>("T").value(), ElementType::kF16);
  EXPECT_EQ(c.GetAttr<ShapeProto>("shape").value(), (ShapeProto{false, {2, -1}}));
  EXPECT_EQ(c.GetAttr<std::vector<int64_t>>("axes").value(), std::vector<int64_t>{3});
  EXPECT_EQ(c.GetAttr<std::vector<std::string>>("names").value(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(c.GetAttr<const AttrValue*>("foo").value(), attrs.Find("foo"));
  const std::span<const int64_t> pads = c.GetAttr<std::span<const int64_t>>("pads").value();
  EXPECT_EQ(pads.data(), attrs.Find("pads")->get_if<AttrValue::Ints>()->data());  // no copy
  const std::span<const int64_t> kernel = c.GetAttr<std::span<const int64_t>>("kernel").value();
  EXPECT_EQ(std::vector(kernel.begin(), kernel.end()), (std::vector<int64_t>{3, 3}));
  EXPECT_EQ(c.GetAttrOr<double>("scale", 2.0).value(), 2.0);

  EXPECT_EQ(ErrorOf(c.GetAttr<int64_t>("bar")), "attribute 'bar' is missing");
  EXPECT_EQ(c.GetAttr<int64_t>("bar").error().code, Code::kMissingAttribute);
  EXPECT_EQ(ErrorOf(c.GetAttr<bool>("foo")), "attribute 'foo' must be a bool, not 5");
  EXPECT_EQ(ErrorOf(c.GetAttr<const TensorValue*>("foo")), "attribute 'foo' must be a tensor, not 5");
  EXPECT_EQ(c.GetAttr<std::span<const int64_t>>("foo").error().code, Code::kBadAttribute);
}

TEST_F(ShapeInferenceTest, GraphDefVersion_Node_IsReturned) {
  NodeDescription node = Node(0);
  node.graph_def_version = 21;
  EXPECT_EQ(InferenceContext(analysis_, node, std::vector<Shape>{}).graph_def_version(), 21);
}

TEST_F(ShapeInferenceTest, Construction_ProtosPartialShapesTypes_SetsInputs) {
  const std::vector<PartialTensorShape> partial = {
      PartialTensorShape(), PartialTensorShape::BuildPartialTensorShape({2, -1}).value()};
  InferenceContext c(analysis_, Node(1), partial);
  ASSERT_TRUE(c.construction_status());
  EXPECT_FALSE(c.RankKnown(c.input(0)));
  EXPECT_EQ(c.Rank(c.input(1)), 2);
  EXPECT_EQ(c.Value(c.input(1)[0]), 2);
  EXPECT_FALSE(c.ValueKnown(c.input(1)[1]));

  const std::vector<ShapeProto> bad = {{false, {2, -7}}};
  InferenceContext refused(analysis_, Node(1), bad);
  EXPECT_FALSE(refused.construction_status());
  bool called = false;
  EXPECT_FALSE(refused.Run([&](InferenceContext*) -> Status {
    called = true;
    return {};
  }));
  EXPECT_FALSE(called);

  const std::vector<Type> types = {Type::Tensor(ElementType::kF16, S("[N]"), Storage::Csr()), Type(),
                                   Type::Tensor(ElementType::kI8, Shape())};
  InferenceContext typed(analysis_, Node(1), types);
  EXPECT_EQ(typed.input_type(0), ElementType::kF16);
  EXPECT_EQ(typed.input_storage(0), Storage::Csr());
  EXPECT_EQ(typed.full_input_type(0), types[0]);
  EXPECT_FALSE(typed.has_input(1));
  EXPECT_TRUE(typed.input(1).is_none());
  EXPECT_TRUE(typed.has_input(2));
  EXPECT_FALSE(typed.input(2).has_rank());  // its shape is not given: one unknown shape
  EXPECT_EQ(typed.input(2), typed.input(2));
}

TEST_F(ShapeInferenceTest, PreInputInit_InputsSetByCaller_AreChecked) {
  InferenceContext c(analysis_);
  c.PreInputInit(Node(1));
  c.SetInput(1, S("[2]"));
  c.SetInput(0, S("[1]"));
  c.PostInputInit();
  EXPECT_TRUE(c.construction_status());
  EXPECT_EQ(c.num_inputs(), 2);
  EXPECT_EQ(c.input(0), S("[1]"));

  EXPECT_TRUE(c.MergeInput(0, S("[*]")));
  EXPECT_FALSE(c.MergeInput(0, S("[9]")));
  EXPECT_EQ(c.input(0), S("[1]"));
  EXPECT_FALSE(c.RelaxInput(0, S("[1]")));
  EXPECT_TRUE(c.RelaxInput(0, S("[9]")));
  EXPECT_FALSE(c.FullyDefined(c.input(0)));
  EXPECT_FALSE(c.MergeInput(5, S("[1]")));
  EXPECT_FALSE(c.RelaxInput(5, S("[1]")));
}

TEST_F(ShapeInferenceTest, Outputs_ElementTypeStorageValue_AreStored) {
  InferenceContext c = Context({"[1]"}, 2);
  const Value value = Integers({1}, {D("N")});
  ASSERT_TRUE(c.Run([&](InferenceContext* context) -> Status {
    context->set_output(0, context->input(0));
    context->set_output_type(0, ElementType::kI64);
    context->set_output_storage(0, Storage::Dense());
    context->set_output_value(0, value);
    context->set_full_output_type(1, context->analysis().types().Sequence(context->full_output_type(0)));
    return {};
  }));
  EXPECT_EQ(c.output_type(0), ElementType::kI64);
  EXPECT_EQ(c.output_storage(0), Storage::Dense());
  EXPECT_EQ(c.output_value(0), value);
  EXPECT_EQ(c.full_output_type(1).kind, TypeKind::kSequence);
  EXPECT_TRUE(c.output(1).is_none());

  EXPECT_EQ(c.MergeElementTypes(ElementType::kUnknown, ElementType::kF32).value(), ElementType::kF32);
  EXPECT_EQ(c.MergeElementTypes(ElementType::kF32, ElementType::kUnknown).value(), ElementType::kF32);
  EXPECT_EQ(ErrorOf(c.MergeElementTypes(ElementType::kF32, ElementType::kF16)),
            "element types f32 and f16 must be the same");
}

// An exception of a shape function counts as a failure, and its facts are dropped.
TEST_F(ShapeInferenceTest, Run_FunctionThrows_IsError) {
  InferenceContext c = Context({"[N, 2]", "[M, 2]"});
  const auto throws = [](InferenceContext* context) -> Status {
    DIMWISE_RETURN_IF_ERROR(context->Merge(context->input(0), context->input(1)));
    throw std::out_of_range("no such axis");
  };
  const Status status = c.Run(throws);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Code::kBadDefinition);
  EXPECT_EQ(status.error().message, "the shape function threw an exception: no such axis");
  EXPECT_EQ(status.error().node, "n");
  EXPECT_EQ(GuardsOf(c), Texts{});
  EXPECT_EQ(c.Equal(D("N"), D("M")), Truth::kMaybe);
  const auto runs_out = [](InferenceContext*) -> Status { throw std::bad_alloc(); };
  EXPECT_THROW((void)c.Run(runs_out), std::bad_alloc);
}

}  // namespace
}  // namespace dimwise
