#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/golden_testing.h"
#include "dimwise/onnx.h"
#include "formats/onnx/model_dump_testing.h"
#include "formats/onnx/onnx_builder_testing.h"
#include "formats/protobuf/wire_writer.h"

namespace dimwise {
namespace {

using namespace onnx_build;  // NOLINT: the words of the builder

TEST(OnnxReaderTest, Read_SimpleGraph_HasAllParts) {
  EXPECT_EQ(
      ReadAndDump(ModelProto(
          {.graph = GraphProto({
               .nodes = {NodeProto({.op = "Conv",
                                    .inputs = {"x", "w", ""},
                                    .outputs = {"c"},
                                    .name = "conv",
                                    .attributes = {IntsAttr("strides", {2, 2}),
                                                   StringAttr("auto_pad", "VALID"), IntAttr("group", 1)}}),
                         NodeProto({.op = "Relu", .inputs = {"c"}, .outputs = {"y"}}),
                         NodeProto(
                             {.op = "Dropout", .inputs = {"y"}, .outputs = {"z", ""}, .domain = "ai.onnx"})},
               .initializers = {TensorProto(
                   {.name = "w", .element = kFloat, .dims = {1, 1, 1, 2}, .floats = {0.5F, -2.0F}})},
               .inputs = {F32("x", {"N", 1, "", 8})},
               .outputs = {F32("z", {"N", 1, "", 3})},
               .value_infos = {F32("c", {"N", 1, "unk_7", 3})},
           })})),
      "opset '' 17\n"
      "input 'x': f32[N, 1, x_d2, 8]\n"
      "constant 'w': f32[1, 1, 1, 2] = {0.5, -2}\n"
      "#0 'conv' onnx.Conv@17('x', 'w', none; auto_pad=\"VALID\"; group=1; strides=[2, 2])"
      " -> 'c': f32[N, 1, unk_7, 3]\n"
      "#1 '' onnx.Relu@17('c') -> 'y'\n"
      "#2 '' onnx.Dropout@17('y') -> 'z': f32[N, 1, u1, 3], ''\n"
      "output 'z'\n");
}

TEST(OnnxReaderTest, Contents_InEachEncoding_AreDecoded) {
  ExpectGolden(
      "src/formats/onnx/testdata/tensors.txt",
      ReadAndDump(ModelProto(
          {.graph = GraphProto({
               .initializers =
                   {TensorProto({.name = "raw", .dims = {2}, .raw = RawInts({7, -1})}),
                    TensorProto({.name = "int64_data", .dims = {3}, .int64s = {1, -1, 1LL << 40}}),
                    TensorProto({.name = "int32_data", .element = kInt32, .dims = {2}, .int32s = {5, -5}}),
                    TensorProto({.name = "u8", .element = kUint8, .dims = {2}, .int32s = {5, 255}}),
                    TensorProto({.name = "bool", .element = kBool, .dims = {2}, .int32s = {1, 0}}),
                    TensorProto({.name = "f16", .element = kFloat16, .dims = {}, .int32s = {0x3e00}}),
                    TensorProto({.name = "i4", .element = kInt4, .dims = {3}, .int32s = {0xf1, 0x02}}),
                    TensorProto({.name = "stripped", .element = kFloat, .dims = {64, 64}}),
                    TensorProto({.name = "external", .element = kFloat, .dims = {2}, .external = true}),
                    TensorProto({.name = "empty", .dims = {0}}),
                    TensorProto({.name = "text", .element = kString, .dims = {1}}),
                    TensorProto({.name = "short", .element = kFloat, .dims = {2, 3}, .raw = "12345678"}),
                    TensorProto({.name = "few", .dims = {3}, .int64s = {1, 2}}),
                    TensorProto({.name = "negative", .dims = {2, -3}}),
                    TensorProto(
                        {.name = "huge", .dims = {int64_t{1} << 40, int64_t{1} << 40}, .int64s = {1}}),
                    TensorProto({.name = "wrong list", .dims = {1}, .int32s = {1}}),
                    TensorProto({.name = "odd", .element = 99, .dims = {1}})},
           })})));
}

TEST(OnnxReaderTest, Initializer_ThatIsAnInput_DependsOnIrVersion) {
  const auto model = [](int64_t ir_version) {
    return ModelProto({.graph = GraphProto({
                           .nodes = {NodeProto({.op = "Reshape", .inputs = {"x", "s"}, .outputs = {"y"}})},
                           .initializers = {TensorProto({.name = "s", .dims = {1}, .raw = RawInts({-1})})},
                           .inputs = {F32("x", {4}), ValueInfoProto("s", TensorType(kInt64, {1}))},
                       }),
                       .ir_version = ir_version,
                       .opset = ir_version < 3 ? 0 : 9});
  };
  EXPECT_EQ(ReadAndDump(model(3)),
            "opset '' 9\n"
            "input 'x': f32[4]\n"
            "constant 's': i64[1] = {-1}\n"
            "#0 '' onnx.Reshape@9('x', 's') -> 'y'\n");
  const std::string file = model(4);
  Analysis analysis;
  const auto read = ReadOnnx(std::as_bytes(std::span(file)), analysis).value();
  const Graph& graph = read->graph;
  EXPECT_FALSE(graph.has_default(graph.inputs(graph.body())[0]));
  EXPECT_TRUE(graph.has_default(graph.inputs(graph.body())[1]));
  EXPECT_EQ(ReadAndDump(model(4)),
            "opset '' 9\n"
            "input 'x': f32[4]\n"
            "input 's': i64[1]\n"
            "#0 '' onnx.Reshape@9('x', 's') -> 'y'\n");
  EXPECT_EQ(ReadAndDump(model(1)),
            "input 'x': f32[4]\n"
            "constant 's': i64[1] = {-1}\n"
            "#0 '' onnx.Reshape@1('x', 's') -> 'y'\n");
}

TEST(OnnxReaderTest, Constant_WithEachAttribute_HasContents) {
  EXPECT_EQ(
      ReadAndDump(ModelProto(
          {.graph = GraphProto({
               .nodes =
                   {NodeProto({.op = "Constant",
                               .outputs = {"a"},
                               .attributes = {TensorAttr(
                                   "value", TensorProto({.dims = {2}, .raw = RawInts({3, 4})}))}}),
                    NodeProto({.op = "Constant",
                               .outputs = {"b"},
                               .attributes = {TensorAttr(
                                   "value",
                                   TensorProto({.element = kFloat, .dims = {2}, .floats = {1.5F, 2.0F}}))}}),
                    NodeProto({.op = "Constant",
                               .outputs = {"c"},
                               .attributes = {TensorAttr(
                                   "value", TensorProto({.element = kFloat,
                                                         .dims = {64, 64},
                                                         .raw = std::string(16384, '\0')}))}}),
                    NodeProto({.op = "Constant", .outputs = {"d"}, .attributes = {IntAttr("value_int", -3)}}),
                    NodeProto({.op = "Constant",
                               .outputs = {"e"},
                               .attributes = {FloatAttr("value_float", 0.25F)}}),
                    NodeProto(
                        {.op = "Constant", .outputs = {"f"}, .attributes = {IntsAttr("value_ints", {})}})},
           })})),
      "opset '' 17\n"
      "#0 '' onnx.Constant@17(; value=i64[2]{3, 4}) -> 'a'\n"
      "#1 '' onnx.Constant@17(; value=f32[2]{1.5, 2.0}) -> 'b'\n"
      "#2 '' onnx.Constant@17(; value=f32[64, 64]{?}) -> 'c'\n"
      "#3 '' onnx.Constant@17(; value_int=-3) -> 'd'\n"
      "#4 '' onnx.Constant@17(; value_float=0.25) -> 'e'\n"
      "#5 '' onnx.Constant@17(; value_ints=[]) -> 'f'\n");
}

TEST(OnnxReaderTest, NestedGraph_UsesOuterNames_ResolvesThem) {
  const std::string inner =
      GraphProto({.nodes = {NodeProto({.op = "Add", .inputs = {"x", "t"}, .outputs = {"deep"}})},
                  .outputs = {F32("deep", {})}});
  const std::string then_branch = GraphProto({
      .nodes = {NodeProto({.op = "Relu", .inputs = {"x"}, .outputs = {"t"}}),
                NodeProto({.op = "If",
                           .inputs = {"c"},
                           .outputs = {"r"},
                           .name = "inner",
                           .attributes = {GraphAttr("then_branch", inner)}})},
      .outputs = {F32("r", {})},
  });
  const std::string else_branch = GraphProto({
      .nodes = {NodeProto({.op = "Neg", .inputs = {"late"}, .outputs = {"x"}})},
      .initializers = {TensorProto({.name = "k", .dims = {1}, .raw = RawInts({1})})},
      .inputs = {F32("i", {"N", ""})},
      .outputs = {F32("x", {})},
  });
  ExpectGolden("src/formats/onnx/testdata/branches.txt",
               ReadAndDump(ModelProto(
                   {.graph = GraphProto({
                        .nodes = {NodeProto({.op = "If",
                                             .inputs = {"c"},
                                             .outputs = {"y"},
                                             .name = "if",
                                             .attributes = {GraphAttr("then_branch", then_branch),
                                                            GraphAttr("else_branch", else_branch)}}),
                                  NodeProto({.op = "Abs", .inputs = {"x"}, .outputs = {"late"}})},
                        .inputs = {ValueInfoProto("c", TensorType(kBool, {})), F32("x", {"N"})},
                        .outputs = {F32("y", {})},
                    })})));
}

TEST(OnnxReaderTest, Functions_WithAttributes_AreRead) {
  ExpectGolden(
      "src/formats/onnx/testdata/functions.txt",
      ReadAndDump(ModelProto({
          .graph = GraphProto({
              .nodes = {NodeProto({.op = "Gelu", .inputs = {"x"}, .outputs = {"y"}, .domain = "my.ops"}),
                        NodeProto({.op = "Gelu",
                                   .inputs = {"y"},
                                   .outputs = {"z"},
                                   .domain = "my.ops",
                                   .overload = "fast"})},
              .inputs = {F32("x", {"N"})},
          }),
          .functions = {FunctionProto({.domain = "my.ops",
                                       .name = "Gelu",
                                       .inputs = {"a"},
                                       .outputs = {"b"},
                                       .attributes = {"to"},
                                       .attribute_protos = {IntAttr("axis", 1)},
                                       .nodes = {NodeProto({.op = "Cast",
                                                            .inputs = {"a"},
                                                            .outputs = {"b"},
                                                            .attributes = {RefAttr("to", "to")}})}}),
                        FunctionProto({.domain = "my.ops",
                                       .name = "Gelu",
                                       .inputs = {"a"},
                                       .outputs = {"a"},
                                       .overload = "fast"}),
                        FunctionProto({.domain = "my.ops", .name = "Gelu"})},
      })));
}

TEST(OnnxReaderTest, Names_MissingOrDuplicate_AreReported) {
  ExpectGolden(
      "src/formats/onnx/testdata/names.txt",
      ReadAndDump(ModelProto(
          {.graph = GraphProto({
               .nodes = {NodeProto({.op = "Add", .inputs = {"x", "biass"}, .outputs = {"a"}, .name = "add"}),
                         NodeProto({.op = "Relu", .inputs = {"later"}, .outputs = {"b"}}),
                         NodeProto({.op = "Split", .inputs = {"x"}, .outputs = {"later", "", "p"}}),
                         NodeProto({.op = "Abs", .inputs = {"a"}, .outputs = {"a"}, .name = "again"}),
                         NodeProto({.op = "Neg", .inputs = {"a"}, .outputs = {"n"}}),
                         NodeProto({.op = "Split", .inputs = {"x"}, .outputs = {"q", "q"}, .name = "twice"}),
                         NodeProto({.op = "Self", .inputs = {"s"}, .outputs = {"s"}})},
               .initializers = {TensorProto({.name = "bias", .element = kFloat, .dims = {1}})},
               .inputs = {F32("x", {1}), F32("x", {2})},
               .outputs = {F32("n", {}), F32("nowhere", {})},
           })})));
}

// Nodes with equal attributes share one set, even if they differ otherwise.
TEST(OnnxReaderTest, Attributes_EqualSets_AreShared) {
  const std::string bytes = ModelProto(
      {.graph = GraphProto({
           .nodes = {NodeProto(
                         {.op = "A", .outputs = {"a"}, .attributes = {IntAttr("k", 1), IntAttr("l", 2)}}),
                     NodeProto({.op = "B",
                                .outputs = {"b"},
                                .name = "b",
                                .attributes = {IntAttr("k", 1), IntAttr("l", 2)}}),
                     NodeProto({.op = "A", .outputs = {"c"}, .attributes = {IntAttr("k", 1)}}),
                     NodeProto({.op = "A"})},
       })});
  Analysis analysis;
  const auto model = ReadOnnx(BytesOf(bytes), analysis);
  ASSERT_TRUE(model);
  const Graph& graph = (*model)->graph;
  const auto attrs = [&](uint32_t node) { return graph.attrs_of(NodeId{node}); };
  EXPECT_EQ(attrs(0), attrs(1));
  EXPECT_NE(attrs(0), attrs(2));
  EXPECT_EQ(attrs(3), kNoAttrs);
  EXPECT_EQ(graph.op_of(NodeId{0}), graph.op_of(NodeId{2}));
  EXPECT_EQ((*model)->producer_name, "builder");
}

// The name of a tensor in an attribute is ignored. A finding about it is reported for each node.
TEST(OnnxReaderTest, Constants_EqualTensors_AreShared) {
  const auto constant = [](std::string_view name, std::vector<int64_t> dims, std::vector<int64_t> numbers) {
    const std::string tensor =
        TensorProto({.name = name, .dims = std::move(dims), .raw = RawInts(std::move(numbers))});
    return NodeProto({.op = "Constant", .outputs = {name}, .attributes = {TensorAttr("value", tensor)}});
  };
  const std::string bytes = ModelProto(
      {.graph = GraphProto({
           .nodes = {constant("a", {1}, {7}), constant("one more", {1}, {7}), constant("c", {1}, {8}),
                     constant("d", {}, {7}), constant("e", {2}, {7}), constant("f", {2}, {7})},
       })});
  Analysis analysis;
  const auto model = ReadOnnx(BytesOf(bytes), analysis);
  ASSERT_TRUE(model);
  const auto attrs = [&](uint32_t node) { return (*model)->graph.attrs_of(NodeId{node}); };
  EXPECT_EQ(attrs(0), attrs(1));
  EXPECT_NE(attrs(0), attrs(2));
  EXPECT_NE(attrs(0), attrs(3));
  ASSERT_EQ((*model)->findings.size(), 2u);
  EXPECT_EQ((*model)->findings[0].message, "tensor 'e' has 8 bytes, and i64[2] needs 16");
  EXPECT_EQ((*model)->findings[1].message, "tensor 'f' has 8 bytes, and i64[2] needs 16");
}

std::string Bytes(uint32_t field, std::string_view contents) {
  std::string out;
  AppendBytesField(out, field, contents);
  return out;
}

std::string Number(uint32_t field, uint64_t value) {
  std::string out;
  AppendVarintField(out, field, value);
  return out;
}

// The reader decodes the common head of consecutive tensors once.
TEST(OnnxReaderTest, Tensors_WithCommonHead_AreReadCorrectly) {
  const std::string head = Number(1, 2) + Number(2, kFloat);
  EXPECT_EQ(ReadAndDump(ModelProto(
                {.graph = GraphProto({
                     .initializers = {head + Bytes(8, "a"), head + Bytes(8, "b"),
                                      head + Number(1, 3) + Bytes(8, "c"),
                                      head + Bytes(8, "d") + Number(2, kInt64), head + Bytes(8, "e"),
                                      Number(1, 2) + Bytes(8, "f"), Number(1, 2) + head + Bytes(8, "g"),
                                      head + Bytes(8, "h") + Bytes(9, "1234567")},
                 })})),
            "opset '' 17\n"
            "constant 'a': f32[2]\n"
            "constant 'b': f32[2]\n"
            "constant 'c': f32[2, 3]\n"
            "constant 'd': i64[2]\n"
            "constant 'e': f32[2]\n"
            "constant 'f': ?[2]\n"
            "constant 'g': f32[2, 2]\n"
            "constant 'h': f32[2]\n"
            "error[DW0505]: tensor 'h' has 7 bytes, and f32[2] needs 8\n");
}

// Writers emit fields in the order of their numbers, but the format does not require it.
TEST(OnnxReaderTest, Fields_InAnyOrder_AreRead) {
  const auto model = [&](const std::vector<std::string>& node, const std::vector<std::string>& tensor) {
    std::string all_of_node, all_of_tensor;
    for (const std::string& f : node) all_of_node += f;
    for (const std::string& f : tensor) all_of_tensor += f;
    return ReadAndDump(
        ModelProto({.graph = GraphProto({.nodes = {all_of_node}, .initializers = {all_of_tensor}})}));
  };
  std::vector<std::string> node = {Bytes(1, "w"),      Bytes(1, ""),  Bytes(2, "y"),
                                   Bytes(3, "n"),      Bytes(4, "A"), Bytes(5, IntAttr("k", 1)),
                                   Bytes(6, "a note"), Bytes(8, "o")};
  std::vector<std::string> tensor = {Number(1, 2), Number(2, kInt64), Bytes(8, "w"),
                                     Bytes(9, RawInts({3, 4})), Bytes(12, "a note")};
  const std::string expected = model(node, tensor);
  EXPECT_NE(expected.find("'y'"), std::string::npos) << expected;
  EXPECT_NE(expected.find("i64[2]"), std::string::npos) << expected;
  std::swap(node[0], node[1]);  // restore the order of the operands
  std::ranges::reverse(node);
  std::ranges::reverse(tensor);
  EXPECT_EQ(model(node, tensor), expected);
}

TEST(OnnxReaderTest, LooksLikeOnnx_ForPrefixAndOtherFormats_Decides) {
  const std::string model = ModelProto({.graph = GraphProto({.inputs = {F32("x", {1})}})});
  EXPECT_TRUE(LooksLikeOnnx(BytesOf(model)));
  EXPECT_TRUE(LooksLikeOnnx(BytesOf(std::string_view(model).substr(0, 20)))) << "the beginning is enough";
  EXPECT_FALSE(LooksLikeOnnx(BytesOf("")));
  EXPECT_FALSE(LooksLikeOnnx(BytesOf("module {\n}\n")));
  EXPECT_FALSE(LooksLikeOnnx(BytesOf(R"({"nodes": []})")));
  EXPECT_FALSE(
      LooksLikeOnnx(BytesOf(std::string_view("\x08\x01\x12\x02"
                                             "ab",
                                             6))))
      << "a SavedModel";
}

}  // namespace
}  // namespace dimwise
