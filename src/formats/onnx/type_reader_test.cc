#include <gtest/gtest.h>

#include "dimwise/onnx.h"
#include "formats/onnx/model_dump_testing.h"
#include "formats/onnx/onnx_builder_testing.h"

namespace dimwise {
namespace {

using namespace onnx_build;  // NOLINT: the words of the builder

TEST(TypeReaderTest, Read_TypeOfEachKind_IsPrinted) {
  EXPECT_EQ(ReadAndDump(ModelProto(
                {.graph = GraphProto({
                     .inputs = {ValueInfoProto("unranked", UnrankedType(kInt64)),
                                ValueInfoProto("seq", SequenceType(TensorType(kFloat, {"N", ""}))),
                                ValueInfoProto("opt", OptionalType(TensorType(kInt32, {"N", ""}))),
                                ValueInfoProto("map", MapType(kString, TensorType(kFloat, {2}))),
                                ValueInfoProto("untyped", ""), ValueInfoProto("odd", TensorType(77, {3})),
                                F32("names", {"None", "p2o.DynamicDimension.1", "N + 1"}),
                                F32("holes", {"?", "?", "-1"}), F32("below", {-1, 4}), F32("clash", {"", 2}),
                                F32("other", {"clash_d0"})},
                 })})),
            R"(opset '' 17
input 'unranked': i64[*]
input 'seq': seq(f32[N, u1], each=u1)
input 'opt': optional(i32[N, opt_d1])
input 'map': map(string, f32[2])
input 'untyped'
input 'odd': ?[3]
input 'names': f32[`None`, `p2o.DynamicDimension.1`, N + 1]
input 'holes': f32[holes_d0, holes_d1, holes_d2]
input 'below': f32[below_d0, 4]
input 'clash': f32[clash_d0_2, 2]
input 'other': f32[clash_d0]
error[DW0505]: 'odd' has element type 77, which ONNX does not have
warning[DW0505]: axis 0 of 'below' has the size -1; it counts as unknown
)");
}

// Expressions in our syntax are parsed. Any other text is a name.
TEST(TypeReaderTest, Claim_WithExpression_IsParsed) {
  EXPECT_EQ(
      ReadAndDump(ModelProto(
          {.graph = GraphProto({
               .nodes = {NodeProto({.op = "A", .inputs = {"x"}, .outputs = {"a"}, .name = "a"})},
               .inputs = {F32("x", {"H", "W 1"})},
               .outputs = {F32("a", {"(H + 1)//2", "2*`W 1`", "floor(H/2)", "H + K", "W 1", "max(H, 2)"})},
           })})),
      "opset '' 17\n"
      "input 'x': f32[H, `W 1`]\n"
      "#0 'a' onnx.A@17('x') -> 'a': f32[(H + 1)//2, 2*`W 1`, `floor(H/2)`, `H + K`, `W 1`, "
      "max(H, 2)]\n"
      "output 'a'\n");
}

// A repeated claim shares its names. Unnamed sizes and findings are separate for each value.
TEST(TypeReaderTest, Claim_RepeatedForOtherValues_HasItsOwnUnnamedSizes) {
  EXPECT_EQ(
      ReadAndDump(ModelProto(
          {.graph = GraphProto({
               .nodes = {NodeProto(
                   {.op = "A", .inputs = {"x"}, .outputs = {"a", "b", "c", "d", "e", "f"}, .name = "a"})},
               .inputs = {F32("x", {"H"})},
               .value_infos = {F32("a", {"H + 1", "K"}), F32("b", {"H + 1", "K"}), F32("c", {"H", ""}),
                               F32("d", {"H", ""}), ValueInfoProto("e", TensorType(99, {1})),
                               ValueInfoProto("f", TensorType(99, {1}))},
           })})),
      R"(opset '' 17
input 'x': f32[H]
#0 'a' onnx.A@17('x') -> 'a': f32[H + 1, K], 'b': f32[H + 1, K], 'c': f32[H, u1], 'd': f32[H, u2], 'e': ?[1], 'f': ?[1]
error[DW0505]: 'e' has element type 99, which ONNX does not have
error[DW0505]: 'f' has element type 99, which ONNX does not have
)");
}

// The size of an input is an expression if its names are those of other sizes.
TEST(TypeReaderTest, Input_WithExpression_IsParsedIfItsNamesExist) {
  const auto size_of = [](std::string_view text) {
    Analysis analysis;
    const std::string bytes =
        ModelProto({.graph = GraphProto({
                        .inputs = {ValueInfoProto("x", TensorType(kFloat, {text})),
                                   ValueInfoProto("y", TensorType(kFloat, {"past", "seq"}))},
                    })});
    const auto model = ReadOnnx(BytesOf(bytes), analysis);
    const Graph& graph = (*model)->graph;
    return analysis.dims().ToString(graph.declared(graph.inputs(graph.body())[0]).shape[0]);
  };
  EXPECT_EQ(size_of("past + seq"), "past + seq");
  EXPECT_EQ(size_of("past+seq"), "past + seq");
  EXPECT_EQ(size_of("2*(past + 1)"), "2*past + 2");
  EXPECT_EQ(size_of("past // 2"), "past//2");
  EXPECT_EQ(size_of("max(past, seq)"), "max(past, seq)");
  EXPECT_EQ(size_of("total - 1"), "total - 1") << "a single name is enough";
  EXPECT_EQ(size_of("total*2"), "`total*2`");
  EXPECT_EQ(size_of("past-seq"), "`past-seq`");
  EXPECT_EQ(size_of("batch + seq"), "`batch + seq`");
  EXPECT_EQ(size_of("past + "), "`past + `");
  EXPECT_EQ(size_of("past, seq"), "`past, seq`");
  EXPECT_EQ(size_of("p2o.Dim.0"), "`p2o.Dim.0`");
  EXPECT_EQ(size_of("past == seq"), "`past == seq`");
}

}  // namespace
}  // namespace dimwise
