// Tests truncated, modified and malicious files. Each is read or rejected with a position.
#include <gtest/gtest.h>
#include <malloc.h>

#include <functional>

#include "core/base/rounds_testing.h"
#include "dimwise/onnx.h"
#include "formats/onnx/model_dump_testing.h"
#include "formats/onnx/onnx_builder_testing.h"
#include "formats/protobuf/wire_writer.h"

namespace dimwise {
namespace {

using namespace onnx_build;  // NOLINT: the words of the builder

std::string Field(uint32_t number, std::string_view bytes) {
  std::string out;
  AppendBytesField(out, number, bytes);
  return out;
}

// Returns a model that uses all kinds of messages.
std::string RichModel() {
  const std::string branch = GraphProto({
      .nodes = {NodeProto({.op = "Add", .inputs = {"x", "k"}, .outputs = {"t"}})},
      .initializers = {TensorProto({.name = "k", .dims = {1}, .int64s = {300}})},
      .outputs = {ValueInfoProto("t", OptionalType(TensorType(kFloat, {"N"})))},
  });
  return ModelProto({
      .graph = GraphProto({
          .nodes = {NodeProto({.op = "If",
                               .inputs = {"c"},
                               .outputs = {"y"},
                               .name = "if",
                               .attributes = {GraphAttr("then_branch", branch)}}),
                    NodeProto({.op = "F",
                               .inputs = {"y"},
                               .outputs = {"z"},
                               .attributes = {IntsAttr("i", {1, -1}), FloatAttr("f", 0.5F),
                                              TensorAttr("t",
                                                         TensorProto({.dims = {2}, .raw = RawInts({1, 2})}))},
                               .domain = "my"})},
          .initializers = {TensorProto({.name = "w", .element = kFloat, .dims = {2}, .floats = {1, 2}})},
          .inputs = {ValueInfoProto("x", TensorType(kFloat, {"N", 3, ""})),
                     ValueInfoProto("c", TensorType(kBool, {})),
                     ValueInfoProto("s", SequenceType(MapType(kInt64, TensorType(kFloat, {"M", ""}))))},
          .outputs = {ValueInfoProto("z", TensorType(kFloat, {"N + 1"}))},
          .value_infos = {ValueInfoProto("y", UnrankedType(kFloat))},
      }),
      .functions = {FunctionProto({.domain = "my",
                                   .name = "F",
                                   .inputs = {"a"},
                                   .outputs = {"a"},
                                   .attributes = {"f"},
                                   .attribute_protos = {IntAttr("i", 1)}})},
  });
}

TEST(OnnxReaderHostileTest, File_TruncatedAtEachByte_IsReadOrRejected) {
  const std::string whole = RichModel();
  size_t refused = 0;
  for (size_t length = 0; length < whole.size(); ++length) {
    // A copy, so that a sanitizer detects an access past its end.
    const std::string beginning = whole.substr(0, length);
    Analysis analysis;
    const auto model = ReadOnnx(BytesOf(beginning), analysis);
    if (model) continue;
    ++refused;
    EXPECT_EQ(model.error().code, Code::kDamagedFile) << length;
  }
  // Only files that end after the graph, an operator set or a function are accepted.
  EXPECT_EQ(refused, whole.size() - 2);
}

TEST(OnnxReaderHostileTest, File_WithChangedByte_IsReadOrRejected) {
  const std::string whole = RichModel();
  size_t read = 0, refused = 0;
  for (size_t i = 0; i < whole.size(); ++i) {
    for (const int change : {0x01, 0x02, 0x04, 0x08, 0x10, 0x40, 0x80, 0xff}) {
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ change);
      Analysis analysis;
      ReadOnnx(BytesOf(changed), analysis) ? ++read : ++refused;
    }
  }
  EXPECT_GT(read, whole.size());
  EXPECT_GT(refused, whole.size());
}

TEST(OnnxReaderHostileTest, Damage_OfEachKind_IsReportedWithPosition) {
  const struct {
    std::string bytes;
    const char* message;
  } cases[] = {
      {"", "byte 0, in the model: it has no graph"},
      {ModelProto({}) + Field(7, ""), "byte 0, in the model: it has more than one graph"},
      {std::string("\x08\x08\x3a\x05\x0a", 5), "byte 2, in the model: a field is longer than the rest"},
      {std::string("\x08\x80\x80", 3), "byte 0, in the model: a number is truncated"},
      {std::string("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12),
       "byte 0, in the model: a number has more than 64 bits"},
      {std::string("\x00\x00", 2), "byte 0, in the model: a field has an impossible number"},
      {std::string("\x88\x00\x08", 3), "byte 0, in the model: a field has an impossible number"},
      {std::string("\x0b\x0c", 2), "byte 0, in the model: a field has an impossible type"},
      // Lengths past the end: 2^64 - 1 bytes, and one byte too many.
      {std::string("\x3a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11),
       "byte 0, in the model: a field is longer than the rest"},
      {Field(7, Field(1, "\x0a\x07x")), "byte 4, in a node: a field is longer than the rest"},
      {Field(7, Field(5, "\x0a\x01\xff")), "byte 6, in the sizes of a tensor: a number is truncated"},
      {Field(7, Field(1, Field(5, Field(7, "abc")))),
       "byte 8, in an attribute: a list of floats ends inside a float"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(ReadAndDump(c.bytes),
              "error[DW0502]: the ONNX file is damaged at " + std::string(c.message) +
                  "\n  help: the file may be truncated or damaged; compare its size with the original\n");
  }
}

TEST(OnnxReaderHostileTest, Depth_PastLimit_IsReported) {
  std::string type = TensorType(kFloat, {});
  for (int i = 0; i < 40; ++i) type = SequenceType(type);
  EXPECT_EQ(
      ReadAndDump(ModelProto({.graph = GraphProto({.inputs = {ValueInfoProto("x", type)}})})).substr(0, 39),
      "error[DW0502]: the ONNX file is damaged");

  std::string graph = GraphProto({});
  for (int i = 0; i < 70; ++i) {
    graph = GraphProto(
        {.nodes = {NodeProto(
             {.op = "If", .outputs = {"r"}, .name = "n", .attributes = {GraphAttr("then_branch", graph)}})}});
  }
  Analysis analysis;
  const std::string bytes = ModelProto({.graph = graph});
  const auto model = ReadOnnx(BytesOf(bytes), analysis);
  ASSERT_TRUE(model);
  EXPECT_EQ((*model)->graph.region_count(), 65u);
  ASSERT_EQ((*model)->findings.size(), 1u);
  EXPECT_EQ(ToString((*model)->findings[0]),
            "error[DW0505]: graphs are nested more than 64 deep; this one is omitted\n  --> node 'n' (#0)");
}

TEST(OnnxReaderHostileTest, Counts_PastLimit_AreReported) {
  // Too many dimensions, attributes and findings.
  EXPECT_EQ(ReadAndDump(ModelProto(
                {.graph = GraphProto({
                     .initializers = {TensorProto({.name = "w", .dims = std::vector<int64_t>(1000, 1)})},
                     .inputs = {ValueInfoProto("x", TensorType(kFloat, std::vector<Size>(1000, Size(1))))},
                 })})),
            "opset '' 17\n"
            "input 'x': f32[*]\n"
            "constant 'w': i64[*]\n"
            "error[DW0505]: 'x' has more than 254 dimensions\n"
            "error[DW0505]: tensor 'w' has more than 254 dimensions\n");

  NodeSpec node{.op = "Many"};
  for (int i = 0; i < 20000; ++i) node.attributes.push_back(IntAttr(std::to_string(20000 - i), i));
  GraphSpec graph{.nodes = {NodeProto(node)}};
  std::vector<std::string> names;
  for (int i = 0; i < 2000; ++i) names.push_back("missing" + std::to_string(i));
  for (const std::string& name : names) graph.nodes.push_back(NodeProto({.op = "A", .inputs = {name}}));
  const std::string bytes = ModelProto({.graph = GraphProto(graph)});
  Analysis analysis;
  const auto model = ReadOnnx(BytesOf(bytes), analysis);
  ASSERT_TRUE(model);
  EXPECT_EQ((*model)->graph.attrs((*model)->graph.attrs_of(NodeId{0})).size(), 20000u);
  ASSERT_EQ((*model)->findings.size(), 1001u);
  EXPECT_EQ(ToString((*model)->findings.back()),
            "note[DW0505]: 1000 more findings about the file are omitted");
}

// Memory must be proportional to the size of the file, even if its fields are empty.
TEST(OnnxReaderHostileTest, Memory_ForAnyFile_IsBoundedByItsSize) {
  const auto repeated = [](std::string_view field) {
    std::string bytes;
    while (bytes.size() < 300'000) bytes += field;
    return bytes;
  };
  const std::string result = Field(1, NodeProto({.op = "A", .outputs = {"r"}}));
  for (const std::string& graph : {
           repeated(Field(1, "")),                                      // nodes
           repeated(Field(5, "")),                                      // initializers
           repeated(Field(11, "")),                                     // inputs
           repeated(Field(12, "")),                                     // outputs
           repeated(Field(13, "")),                                     // declarations
           repeated(result),                                            // one name repeatedly
           Field(1, repeated(Field(1, "x"))),                           // operands
           Field(1, repeated(Field(2, ""))),                            // results
           Field(1, repeated(Field(5, ""))),                            // attributes
           Field(1, Field(5, Field(1, "a") + repeated(Field(6, "")))),  // graphs of an attribute
           Field(5, repeated(std::string("\x08\x01", 2))),              // sizes
           Field(11, Field(2, Field(1, Field(2, repeated(Field(1, "")))))),
       }) {
    const std::string bytes = ModelProto({.graph = graph});
    const auto before = mallinfo2();
    Analysis analysis;
    const auto model = ReadOnnx(BytesOf(bytes), analysis);
    const auto after = mallinfo2();
    const size_t taken = after.uordblks + after.hblkhd - before.uordblks - before.hblkhd;
    EXPECT_LT(taken, 200 * bytes.size()) << graph.substr(0, 20);
  }
}

// Reads many names and tensors with a long common prefix. Quadratic comparisons would take minutes.
TEST(OnnxReaderHostileTest, Read_ManySimilarNames_Completes) {
  const auto repeated = [](int all, const std::function<std::string(const std::string&)>& field) {
    std::string bytes;
    const int count = Rounds(all);
    for (int i = count; i > 0; --i) bytes += field(std::to_string(count + i));
    return bytes;
  };
  const std::string number = TensorProto({.name = "t", .element = kFloat, .raw = std::string(4, 'n')});
  const std::string used = repeated(200'000, [](const std::string& i) { return Field(1, i); });
  const std::string made = repeated(200'000, [](const std::string& i) { return Field(2, i); });
  struct Case {
    const char* what;
    std::string graph;
  };
  const Case cases[] = {
      {"inputs of one name, without a size",
       repeated(30'000, [](const std::string&) { return Field(11, F32("x", {""})); })},
      {"tensors as attributes of many names",
       repeated(100'000,
                [&](const std::string& i) {
                  return Field(1, NodeProto({.op = "C", .attributes = {TensorAttr(i, number)}}));
                })},
      {"operators of many domains",
       repeated(100'000,
                [](const std::string& i) { return Field(1, NodeProto({.op = "Relu", .domain = i})); })},
      {"operators of many overloads",
       repeated(100'000,
                [](const std::string& i) {
                  return Field(1, NodeProto({.op = "Relu", .domain = "d", .overload = i}));
                })},
      {"attributes in descending order",
       Field(1, repeated(100'000, [](const std::string& i) { return Field(5, IntAttr(i, 1)); }))},
      {"results that are used before they are made", Field(1, used) + Field(1, made)},
  };
  for (const Case& c : cases) {
    const std::string bytes = ModelProto({.graph = c.graph});
    Analysis analysis;
    EXPECT_TRUE(ReadOnnx(BytesOf(bytes), analysis)) << c.what;
  }
}

// A cycle of two nodes, and a node that uses its own result.
TEST(OnnxReaderHostileTest, Cycle_InGraph_IsReported) {
  EXPECT_EQ(ReadAndDump(ModelProto({.graph = GraphProto({
                                        .nodes = {NodeProto({.op = "A", .inputs = {"b"}, .outputs = {"a"}}),
                                                  NodeProto({.op = "B", .inputs = {"a"}, .outputs = {"b"}}),
                                                  NodeProto({.op = "C", .inputs = {"c"}, .outputs = {"c"}})},
                                    })})),
            "opset '' 17\n"
            "#0 '' onnx.A@17('b') -> 'a'\n"
            "#1 '' onnx.B@17('a') -> 'b'\n"
            "#2 '' onnx.C@17('c') -> 'c'\n"
            "error[DW0505]: A '#0' depends on its own result 'a': it is on a cycle\n"
            "  --> onnx.A (#0)\n"
            "  help: an ONNX graph must not contain cycles; use Loop or Scan for repeated nodes\n"
            "error[DW0505]: C '#2' depends on its own result 'c': it is on a cycle\n"
            "  --> onnx.C (#2)\n"
            "  help: an ONNX graph must not contain cycles; use Loop or Scan for repeated nodes\n");
}

// External data is never accessed, so its file may be missing.
TEST(OnnxReaderHostileTest, ExternalData_Missing_IsIgnored) {
  EXPECT_EQ(
      ReadAndDump(ModelProto(
          {.graph = GraphProto({
               .initializers =
                   {TensorProto(
                        {.name = "w", .element = kFloat, .dims = {int64_t{1} << 40, 3}, .external = true}),
                    TensorProto({.name = "axes", .dims = {1}, .external = true})},
           })})),
      "opset '' 17\n"
      "constant 'w': f32[1099511627776, 3]\n"
      "constant 'axes': i64[1]\n");
}

}  // namespace
}  // namespace dimwise
