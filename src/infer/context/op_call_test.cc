#include "infer/context/op_call.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "infer/context/sample_ops_testing.h"

namespace dimwise {
namespace {

OpDef CastOf(std::string_view set) {
  return OpDefBuilder(std::string(set) + ".Cast")
      .Input("X: any")
      .Output("Y: any")
      .Attr("to: type")
      .Build()
      .value();
}

std::string Attr(const OpDef& def, const AttrValue& value) {
  const Result<AttrMap> read = ReadAttrs(def, AttrMap{{"to", value}, {"unheard_of", 3}});
  if (!read) return read.error().message;
  return read->empty()
             ? "absent"
             : std::string(KindName(read->begin()->value.kind())) + " " + ToString(read->begin()->value);
}

TEST(OpCall, ReadAttrs_ElementTypeNumber_IsOfFramework) {
  EXPECT_EQ(Attr(CastOf("onnx"), 10), "type f16");
  EXPECT_EQ(Attr(CastOf("tensorflow"), 19), "type f16");
  EXPECT_EQ(Attr(CastOf("mxnet"), 2), "type f16");
  EXPECT_EQ(Attr(CastOf("onnx"), "float16"), "type f16");
  EXPECT_EQ(Attr(CastOf("onnx"), 999), "attribute 'to' is of kind type; 999 is given");
  EXPECT_EQ(Attr(CastOf("test"), 10), "attribute 'to' is of kind type; 10 is given");
  EXPECT_EQ(Attr(CastOf("onnx"), AttrValue()), "absent");
  EXPECT_EQ(Attr(CastOf("mxnet"), "None"), "absent");
}

OpDef ConcatOf(std::string_view set) {
  return OpDefBuilder(std::string(set) + ".Concat").Output("Y: any").Attr("to: list(int)").Build().value();
}

TEST(OpCall, ReadAttrs_TextOfNumbers_DependsOnFramework) {
  EXPECT_EQ(Attr(ConcatOf("mxnet"), "(3, 3)"), "list(int) [3, 3]");
  EXPECT_EQ(Attr(ConcatOf("onnx"), AttrValue::Ints{3, 3}), "list(int) [3, 3]");
  EXPECT_EQ(Attr(ConcatOf("onnx"), "(3, 3)"), "attribute 'to' is of kind list(int); \"(3, 3)\" is given");
  EXPECT_EQ(Attr(ConcatOf("onnx"), AttrValue::Strings{"3", "4"}),
            "attribute 'to' is of kind list(int); [\"3\", \"4\"] is given");
  EXPECT_EQ(Attr(ConcatOf("onnx"), "None"), "attribute 'to' is of kind list(int); \"None\" is given");
}

OpOperand Of(const Type& type) {
  OpOperand operand;
  operand.type = type;
  return operand;
}

OpCall CallOf(const char* op, const std::vector<OpOperand>& operands) {
  OpCall call;
  call.op = SampleRegistry().Find(op);
  call.operands = operands;
  return call;
}

TEST(OpCall, CallOp_UnnamedSizes_GetNames) {
  Analysis analysis;
  const Shape shape = ParseShape(analysis.dims(), analysis.shapes(), "[?, N, ?]").value();
  analysis.dims().Symbol("A_d2");
  const std::vector<OpOperand> operands = {Of(Type::Tensor(ElementType::kF32, shape)), Of(Type())};
  const Result<OpAnswer> answer = CallOp(analysis, CallOf("test.Join", operands));
  ASSERT_TRUE(answer);
  EXPECT_EQ(ToString(analysis.dims(), answer->inputs[0].type), "f32[A_d0, N, A_d2_2]");
  EXPECT_EQ(ToString(analysis.dims(), answer->inputs[1].type), "?[*]");
  EXPECT_EQ(ToString(analysis.dims(), answer->outputs[0]), "f32[A_d0, N, A_d2_2]");
  EXPECT_EQ(analysis.dims().GetSymbol(shape[1]).origin, "input A, axis 1");
}

TEST(OpCall, CallOp_OperandSizes_AreGivenNonNegative) {
  Analysis analysis;
  const Shape shape = ParseShape(analysis.dims(), analysis.shapes(), "[N - 5]").value();
  const std::vector<OpOperand> operands = {Of(Type::Tensor(ElementType::kF32, shape))};
  ASSERT_TRUE(CallOp(analysis, CallOf("test.Same", operands)));
  EXPECT_EQ(analysis.facts().Bounds(analysis.dims().Symbol("N")).min, 5);
}

TEST(OpCall, CallOp_Failure_LeavesNoFacts) {
  Analysis analysis;
  const auto type = [&](const char* text) { return ParseType(analysis, text).value(); };
  const std::vector<OpOperand> operands = {Of(type("f32[N, 2]")), Of(type("f32[M, 3]"))};
  const Result<OpAnswer> answer = CallOp(analysis, CallOf("test.Join", operands));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().op, "test.Join");
  EXPECT_EQ(analysis.facts().constraint_count(), 0u);
}

}  // namespace
}  // namespace dimwise
