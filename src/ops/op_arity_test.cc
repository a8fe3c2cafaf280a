#include "dimwise/op_def.h"
#include "gtest/gtest.h"

namespace dimwise {
namespace {

using Types = AttrValue::Types;

OpDef Build(const OpDefBuilder& builder) {
  auto def = builder.Build();
  EXPECT_TRUE(def) << def.error().message;
  return def.value_or(OpDef());
}

OpDef Conv() {
  return Build(
      OpDefBuilder("onnx.Conv").Input("X: T").Input("W: T").Input("B?: T").Output("Y: T").Attr("T: type"));
}
OpDef Concat() {
  return Build(
      OpDefBuilder("onnx.Concat").Input("inputs+: T").Output("y: T").Attr("T: type").Attr("axis: int"));
}
OpDef Loop() {
  return Build(OpDefBuilder("onnx.Loop")
                   .Input("M?: i64")
                   .Input("cond?: bool")
                   .Input("v*: each any")
                   .Output("r+: each any"));
}
OpDef AddN() {
  return Build(OpDefBuilder("tensorflow.AddN")
                   .Input("inputs: N * T")
                   .Output("sum: T")
                   .Attr("N: int >= 1")
                   .Attr("T: type"));
}
// Two lists of equal length around a tensor, as in StableHLO's scatter.
OpDef Scatter() {
  return Build(OpDefBuilder("stablehlo.scatter")
                   .Input("inputs: N * any")
                   .Input("indices: i64")
                   .Input("updates: N * any")
                   .Output("results: N * any")
                   .Attr("N: int"));
}
OpDef ParseExample() {
  return Build(OpDefBuilder("tensorflow.ParseExample")
                   .Input("serialized: string")
                   .Input("sparse_keys: Nsparse * string")
                   .Input("dense_keys: Ndense * string")
                   .Input("dense_defaults: Tdense")
                   .Output("indices: Nsparse * i64")
                   .Output("values: sparse_types")
                   .Output("dense: Tdense")
                   .Attr("Nsparse: int >= 0")
                   .Attr("Ndense: int >= 0 = 0")
                   .Attr("sparse_types: list(type) >= 0")
                   .Attr("Tdense: list(type) >= 0"));
}

std::string Text(const Status& status, Code code = Code::kArity) {
  if (status) return "fine";
  EXPECT_EQ(status.error().code, code) << status.error().message;
  return status.error().message;
}

std::string Text(const Result<NameRangeMap>& ranges, Code code = Code::kArity) {
  if (!ranges) {
    EXPECT_EQ(ranges.error().code, code) << ranges.error().message;
    return ranges.error().message;
  }
  std::string text;
  for (const NameRange& range : *ranges) {
    text += (text.empty() ? "" : " ") + std::string(range.name) + "=" + std::to_string(range.begin) + ".." +
            std::to_string(range.end);
  }
  return text;
}

TEST(CheckArityTest, CheckArity_WrongCount_NamesArguments) {
  EXPECT_EQ(Text(CheckArity(Conv(), 1)), "onnx.Conv takes 2 to 3 inputs (X, W, B?); 1 is given");
  EXPECT_EQ(Text(CheckArity(Conv(), 0)), "onnx.Conv takes 2 to 3 inputs (X, W, B?); none is given");
  EXPECT_EQ(Text(CheckArity(Conv(), 2)), "fine");
  EXPECT_EQ(Text(CheckArity(Conv(), 3)), "fine");
  EXPECT_EQ(Text(CheckArity(Conv(), 4)), "onnx.Conv takes 2 to 3 inputs (X, W, B?); 4 are given");
  EXPECT_EQ(Text(CheckArity(Concat(), 0)), "onnx.Concat takes 1 or more inputs (inputs+); none is given");
  EXPECT_EQ(Text(CheckArity(Concat(), 1000)), "fine");
  EXPECT_EQ(Text(CheckArity(Loop(), 0)), "fine");
  EXPECT_EQ(Text(CheckResultCount(Loop(), 0)), "onnx.Loop gives 1 or more outputs (r+); none is given");
  EXPECT_EQ(Text(CheckArity(AddN(), 0)), "tensorflow.AddN takes 1 or more inputs (inputs[N]); none is given");
  EXPECT_EQ(Text(CheckArity(Build(OpDefBuilder("onnx.Relu").Input("X: any")), 3)),
            "onnx.Relu takes 1 input (X); 3 are given");
  EXPECT_EQ(Text(CheckArity(Build(OpDefBuilder("onnx.Constant")), 1)),
            "onnx.Constant takes no inputs; 1 is given");
  EXPECT_EQ(Text(CheckResultCount(Conv(), 2)), "onnx.Conv gives 1 output (Y); 2 are given");
  EXPECT_EQ(CheckArity(Conv(), 1).error().op, "onnx.Conv");
}

// An optional operand before a required one keeps its position.
TEST(CheckArityTest, CheckArity_OptionalBeforeRequired_KeepsPosition) {
  const OpDef def = Build(OpDefBuilder("com.microsoft.QLinearAdd")
                              .Input("A: any")
                              .Input("A_zero?: any")
                              .Input("B: any")
                              .Input("B_zero?: any"));
  EXPECT_EQ(Text(CheckArity(def, 2)),
            "com.microsoft.QLinearAdd takes 3 to 4 inputs (A, A_zero?, B, B_zero?); 2 are given");
  EXPECT_EQ(Text(CheckArity(def, 3)), "fine");
  EXPECT_EQ(Text(InputRanges(def, {}, 3)), "A=0..1 A_zero=1..2 B=2..3 B_zero=3..3");
}

TEST(CheckArityTest, CheckArity_WithAttributes_ComparesTheirCounts) {
  const AttrMap three{{"N", 3}};
  EXPECT_EQ(Text(CheckArity(AddN(), 3, &three)), "fine");
  EXPECT_EQ(Text(CheckArity(AddN(), 2, &three)), "tensorflow.AddN takes 3 inputs (inputs[N]); 2 are given");
  const AttrMap none{{"N", 0}};
  EXPECT_EQ(Text(CheckArity(AddN(), 0, &none), Code::kBadAttribute),
            "attribute 'N' is at least 1; 0 is given");
  const AttrMap huge{{"N", std::numeric_limits<int64_t>::max()}};
  EXPECT_EQ(Text(CheckArity(Scatter(), 3, &huge)),
            "stablehlo.scatter takes 18446744073709551615 or more inputs (inputs[N], indices, updates[N]); 3 "
            "are given");
}

TEST(NameRangeTest, InputRanges_FixedArguments_AreInOrder) {
  EXPECT_EQ(Text(InputRanges(Conv(), {})), "X=0..1 W=1..2 B=2..3");
  EXPECT_EQ(Text(InputRanges(Conv(), {}, 3)), "X=0..1 W=1..2 B=2..3");
  EXPECT_EQ(Text(InputRanges(Conv(), {}, 2)), "X=0..1 W=1..2 B=2..2");
  EXPECT_EQ(Text(InputRanges(Conv(), {}, 1)), "onnx.Conv takes 2 to 3 inputs (X, W, B?); 1 is given");
  EXPECT_EQ(Text(OutputRanges(Conv(), {})), "Y=0..1");
  EXPECT_EQ(Text(InputRanges(Build(OpDefBuilder("onnx.Constant")), {}, 0)), "");
}

TEST(NameRangeTest, InputRanges_VariadicArgument_TakesRemaining) {
  EXPECT_EQ(Text(InputRanges(Concat(), {}, 4)), "inputs=0..4");
  EXPECT_EQ(Text(InputRanges(Concat(), {})), "inputs=0..1");
  EXPECT_EQ(Text(InputRanges(Loop(), {}, 5)), "M=0..1 cond=1..2 v=2..5");
  EXPECT_EQ(Text(InputRanges(Loop(), {}, 1)), "M=0..1 cond=1..1 v=1..1");
  const OpDef middle = Build(OpDefBuilder("test.X").Input("a: f32").Input("b*: f32").Input("c: f32"));
  EXPECT_EQ(Text(InputRanges(middle, {}, 5)), "a=0..1 b=1..4 c=4..5");
  EXPECT_EQ(Text(InputRanges(middle, {}, 2)), "a=0..1 b=1..1 c=1..2");
}

TEST(NameRangeTest, InputRanges_NumberAttribute_DefinesCount) {
  EXPECT_EQ(Text(InputRanges(AddN(), {{"N", 3}})), "inputs=0..3");
  EXPECT_EQ(Text(InputRanges(AddN(), {{"N", 3}}, 3)), "inputs=0..3");
  EXPECT_EQ(Text(InputRanges(AddN(), {{"N", 3}}, 4)),
            "tensorflow.AddN takes 3 inputs (inputs[N]); 4 are given");
  EXPECT_EQ(Text(InputRanges(AddN(), {}, 4)), "inputs=0..4");
  EXPECT_EQ(Text(InputRanges(AddN(), {}), Code::kMissingAttribute),
            "tensorflow.AddN needs attribute 'N' to assign its inputs to arguments (inputs[N])");
  EXPECT_EQ(Text(InputRanges(AddN(), {{"N", "x"}}), Code::kBadAttribute),
            "attribute 'N' is of kind int; \"x\" is given");
  EXPECT_EQ(Text(InputRanges(AddN(), {{"N", -1}}), Code::kBadAttribute),
            "attribute 'N' is at least 1; -1 is given");
}

TEST(NameRangeTest, InputRanges_ListsOfEqualLength_ShareRemaining) {
  EXPECT_EQ(Text(InputRanges(Scatter(), {{"N", 2}})), "inputs=0..2 indices=2..3 updates=3..5");
  EXPECT_EQ(Text(InputRanges(Scatter(), {}, 5)), "inputs=0..2 indices=2..3 updates=3..5");
  EXPECT_EQ(
      Text(InputRanges(Scatter(), {}, 6)),
      "stablehlo.scatter takes inputs (inputs[N], indices, updates[N]), as many for each N; 6 are given");
  EXPECT_EQ(Text(InputRanges(Scatter(), {}, 2)),
            "stablehlo.scatter takes 3 or more inputs (inputs[N], indices, updates[N]); 2 are given");
}

TEST(NameRangeTest, Ranges_ListsOfTypes_DefineCounts) {
  const AttrMap all{{"Nsparse", 2},
                    {"Ndense", 1},
                    {"Tdense", Types{ElementType::kF32}},
                    {"sparse_types", AttrValue::Strings{"DT_INT64", "DT_STRING"}}};
  EXPECT_EQ(Text(InputRanges(ParseExample(), all)),
            "serialized=0..1 sparse_keys=1..3 dense_keys=3..4 dense_defaults=4..5");
  EXPECT_EQ(Text(OutputRanges(ParseExample(), all)), "indices=0..2 values=2..4 dense=4..5");
  EXPECT_EQ(Text(OutputRanges(ParseExample(), all, 6)),
            "tensorflow.ParseExample gives 5 outputs (indices[Nsparse], values[sparse_types], "
            "dense[Tdense]); 6 are given");
  AttrMap some = all;
  some.Erase("Tdense");
  EXPECT_EQ(Text(InputRanges(ParseExample(), some, 7)),
            "serialized=0..1 sparse_keys=1..3 dense_keys=3..4 dense_defaults=4..7");
  // Two attributes are missing: one has a default, and the count determines the other.
  some.Erase("Ndense");
  EXPECT_EQ(Text(InputRanges(ParseExample(), some, 7)),
            "serialized=0..1 sparse_keys=1..3 dense_keys=3..3 dense_defaults=3..7");
  some.Erase("Nsparse");
  EXPECT_EQ(
      Text(InputRanges(ParseExample(), some, 7), Code::kMissingAttribute),
      "tensorflow.ParseExample needs attribute 'Nsparse' to assign its inputs to arguments (serialized, "
      "sparse_keys[Nsparse], dense_keys[Ndense], dense_defaults[Tdense])");
}

TEST(NameRangeTest, Find_Name_ReturnsRange) {
  const OpDef conv = Conv();
  const auto ranges = InputRanges(conv, {}, 2);
  ASSERT_TRUE(ranges);
  EXPECT_EQ(*ranges->Find("W"), (NameRange{"W", 1, 2}));
  EXPECT_EQ(ranges->Find("B")->size(), 0u);
  EXPECT_EQ(ranges->Find("Z"), nullptr);
  EXPECT_EQ(ranges->total(), 2u);
  EXPECT_EQ(ranges->size(), 3u);
  EXPECT_EQ(NameRangeMap().total(), 0u);
}

TEST(FlatRangeOf, VariadicInTheMiddle_CoversWhatTheOthersLeave) {
  const OpDef def =
      OpDefBuilder("onnx.Test").Input("a: f32").Input("xs*: f32").Input("b: f32").Build().value();
  EXPECT_EQ(FlatRangeOf(def.inputs, 0, 5), (FlatRange{0, 1}));
  EXPECT_EQ(FlatRangeOf(def.inputs, 1, 5), (FlatRange{1, 4}));
  EXPECT_EQ(FlatRangeOf(def.inputs, 2, 5), (FlatRange{4, 5}));
  EXPECT_EQ(FlatRangeOf(def.inputs, 1, 2).size(), 0u);
  EXPECT_EQ(FlatRangeOf(def.inputs, 2, 2), (FlatRange{1, 2}));
}

TEST(FlatRangeOf, ArgumentThatTheNodeDoesNotHave_IsEmpty) {
  const OpDef def = OpDefBuilder("onnx.Test").Input("a: f32").Input("b?: f32").Build().value();
  EXPECT_EQ(FlatRangeOf(def.inputs, 1, 1).size(), 0u);
  EXPECT_EQ(FlatRangeOf(def.inputs, 1, 2), (FlatRange{1, 2}));
  EXPECT_EQ(FlatRangeOf(def.inputs, kNoArg, 2).size(), 0u);
  EXPECT_EQ(FlatRangeOf(def.inputs, 7, 2).size(), 0u);
}

}  // namespace
}  // namespace dimwise
