#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "dimwise/builtin.h"
#include "dimwise/inference.h"
#include "dimwise/onnx.h"
#include "formats/mapped_file.h"
#include "formats/onnx/model_dump_testing.h"
#include "formats/onnx/onnx_builder_testing.h"
#include "formats/protobuf/wire_reader.h"
#include "formats/protobuf/wire_writer.h"

namespace dimwise {
namespace {

using namespace onnx_build;  // NOLINT: the words of the builder

// Returns the model written with these types, given by name of the value.
std::string Write(const std::string& bytes, const std::map<std::string, std::string, std::less<>>& types,
                  OutputSizes outputs = OutputSizes::kDeclared) {
  Analysis analysis;
  const auto model = ReadOnnx(BytesOf(bytes), analysis);
  if (!model) return ToString(model.error());
  std::string out;
  const auto type_of = [&](ValueId value) {
    const auto it = types.find((*model)->graph.name(value));
    return it == types.end() ? Type() : *ParseType(analysis, it->second);
  };
  const auto append = [&](std::string_view piece) {
    out += piece;
    return Status();
  };
  const Status written = WriteOnnx(**model, type_of, append, outputs);
  return written ? out : ToString(written.error());
}

std::string WithLength(uint32_t field, const std::string& message) {
  std::string out;
  AppendBytesField(out, field, message);
  return out;
}

TEST(OnnxWriterTest, Write_NothingInferred_KeepsAllBytes) {
  const std::string model =
      ModelProto({.graph = GraphProto({
                      .nodes = {NodeProto({.op = "Relu", .inputs = {"x"}, .outputs = {"y"}})},
                      .inputs = {F32("x", {"N"})},
                      .outputs = {ValueInfoProto("y", "")},
                  })});
  EXPECT_EQ(Write(model, {}), model);
  EXPECT_EQ(Write(model, {{"y", "?"}, {"x", "f32[3]"}}), model) << "inputs stay as they are";
  EXPECT_EQ(Write(model, {{"y", "?[N]"}}), model) << "ONNX has no tensors without an element type";
}

TEST(OnnxWriterTest, Write_DeclaredOutput_HasTheSizesThatAreSelected) {
  const auto model = [](std::vector<Size> sizes) {
    return ModelProto({.graph = GraphProto({
                           .nodes = {NodeProto({.op = "Op", .inputs = {"x"}, .outputs = {"y"}})},
                           .inputs = {F32("x", {"N", "S"})},
                           .outputs = {F32("y", std::move(sizes))},
                       })});
  };
  const std::string declared = model({"rows", 1, "columns", 7});
  const std::map<std::string, std::string, std::less<>> types = {{"y", "f32[N, S, 8, 9]"}};
  EXPECT_EQ(Write(declared, types, OutputSizes::kDeclared), model({"rows", 1, 8, 9}));
  EXPECT_EQ(Write(declared, types, OutputSizes::kNames), model({"rows", "S", 8, 9}));
  EXPECT_EQ(Write(declared, types, OutputSizes::kInferred), model({"N", "S", 8, 9}));
}

// All other bytes stay: the output equals the model that the builder writes with the new parts.
TEST(OnnxWriterTest, Write_ResultWithoutValueInfo_AddsOne) {
  GraphSpec graph{
      .nodes = {NodeProto({.op = "Relu", .inputs = {"x"}, .outputs = {"a"}}),
                NodeProto({.op = "Split", .inputs = {"a"}, .outputs = {"b", "", "c", "unknown"}}),
                NodeProto({.op = "Abs", .inputs = {"c"}, .outputs = {"y"}})},
      .initializers = {TensorProto({.name = "w", .dims = {1}, .raw = std::string(8, 'w')})},
      .inputs = {F32("x", {"N", ""})},
      .outputs = {ValueInfoProto("y", UnrankedType(kFloat))},
  };
  const std::string before = ModelProto({.graph = GraphProto(graph)});
  const std::string after = Write(before, {{"a", "f32[N, x_d1]"},
                                           {"b", "f32[(N + 1)//2, 3]"},
                                           {"c", "seq(f32[N, ?])"},
                                           {"y", "f32[N, 7]"},
                                           {"x", "f32[1]"},
                                           {"w", "f32[1]"},
                                           {"", "f32[1]"}});
  graph.outputs = {F32("y", {"N", 7})};
  graph.value_infos = {F32("a", {"N", "x_d1"}), F32("b", {"(N + 1)//2", 3}),
                       ValueInfoProto("c", SequenceType(TensorType(kFloat, {"N", ""})))};
  EXPECT_EQ(after, ModelProto({.graph = GraphProto(graph)}));
  EXPECT_EQ(Write(after, {{"a", "f32[N, x_d1]"}, {"b", "f32[(N + 1)//2, 3]"}, {"y", "f32[N, 7]"}}), after)
      << "written again it is the same";
}

TEST(OnnxWriterTest, Write_ExistingTypes_AreUpdated) {
  struct Case {
    const char* what;
    std::string type;
    const char* inferred;
    std::string as_value_info, as_output;
  };
  const auto f32 = [](std::vector<Size> sizes) { return TensorType(kFloat, std::move(sizes)); };
  // A dimension with a denotation, which must be kept.
  std::string dimension, shape, tensor, with_denotation, with_value;
  AppendBytesField(dimension, 3, "DATA_BATCH");
  for (const std::string_view value : {"", "M"}) {
    std::string dim;
    if (!value.empty()) AppendBytesField(dim, 2, value);
    dim += dimension;
    std::string t;
    AppendVarintField(t, 1, kFloat);
    AppendBytesField(t, 2, WithLength(1, dim));
    (value.empty() ? with_denotation : with_value) = WithLength(1, t) + WithLength(6, "IMAGE");
  }
  const Case cases[] = {
      {"the same", f32({"N", 3}), "f32[N, 3]", f32({"N", 3}), f32({"N", 3})},
      {"elements with sizes of their own", SequenceType(UnrankedType(kFloat)), "seq(f32[2, N], f32[3, N])",
       SequenceType(f32({"", "N"})), SequenceType(f32({"", "N"}))},
      {"an unnamed size", f32({"", 3}), "f32[N, 3]", f32({"N", 3}), f32({"N", 3})},
      {"another name", f32({"batch", 3}), "f32[N, 3]", f32({"N", 3}), f32({"batch", 3})},
      {"a number for a name", f32({"batch", 3}), "f32[8, 3]", f32({8, 3}), f32({8, 3})},
      {"another number", f32({4, 3}), "f32[8, 3]", f32({8, 3}), f32({8, 3})},
      {"a name for a number", f32({4, 3}), "f32[N, 3]", f32({"N", 3}), f32({4, 3})},
      {"another rank", f32({4}), "f32[8, 3]", f32({8, 3}), f32({8, 3})},
      {"a rank where there was none", f32({}), "f32[N, 3]", f32({"N", 3}), f32({"N", 3})},
      {"no shape", UnrankedType(kFloat), "f32[]", f32({}), f32({})},
      {"less than before", f32({4}), "f32[*]", f32({4}), f32({4})},
      {"no type", "", "f32[2]", f32({2}), f32({2})},
      {"no element type", TensorType(0, {2}), "f32[2]", f32({2}), f32({2})},
      {"another element type", TensorType(kInt64, {2}), "f32[2]", f32({2}), TensorType(kInt64, {2})},
      {"another kind", SequenceType(f32({2})), "f32[2]", f32({2}), SequenceType(f32({2}))},
      {"a denotation", with_denotation, "f32[M]", with_value, with_value},
  };
  for (const Case& c : cases) {
    const auto model = [](const std::string& type, bool output) {
      const std::string info = ValueInfoProto("y", type);
      return ModelProto(
          {.graph = GraphProto({
               .nodes = {NodeProto({.op = "Relu", .inputs = {"x"}, .outputs = {"y"}})},
               .outputs = output ? std::vector<std::string>{info} : std::vector<std::string>{},
               .value_infos = output ? std::vector<std::string>{} : std::vector<std::string>{info},
           })});
    };
    EXPECT_EQ(Write(model(c.type, false), {{"y", c.inferred}}), model(c.as_value_info, false)) << c.what;
    EXPECT_EQ(Write(model(c.type, true), {{"y", c.inferred}}), model(c.as_output, true)) << c.what;
  }
}

TEST(OnnxWriterTest, Write_NestedGraphs_AddsTheirTypes) {
  const auto model = [](bool written) {
    const auto infos = [&](std::string_view name) {
      return written ? std::vector<std::string>{F32(name, {"N", "M"})} : std::vector<std::string>{};
    };
    const std::string inner = GraphProto(
        {.nodes = {NodeProto({.op = "Abs", .inputs = {"x"}, .outputs = {"c"}})}, .value_infos = infos("c")});
    const std::string body =
        GraphProto({.nodes = {NodeProto({.op = "Neg", .inputs = {"x"}, .outputs = {"b"}}),
                              NodeProto({.op = "If",
                                         .inputs = {"x"},
                                         .outputs = {""},
                                         .attributes = {GraphAttr("then_branch", inner)}})},
                    .value_infos = infos("b")});
    // The messages are so long that their lengths grow from one byte to two.
    return ModelProto(
        {.graph = GraphProto({
             .nodes = {NodeProto({.op = "Loop",
                                  .inputs = {"x"},
                                  .outputs = {"a"},
                                  .attributes = {IntAttr("k", 1), GraphAttr("body", body), IntAttr("l", 2),
                                                 GraphsAttr("cases", {inner, body})}})},
             .inputs = {F32("x", {"N"})},
             .value_infos = infos("a"),
         })});
  };
  EXPECT_EQ(Write(model(false), {{"a", "f32[N, M]"}, {"b", "f32[N, M]"}, {"c", "f32[N, M]"}}), model(true));
}

// Two attributes with one name are invalid, but their graphs must still be distinguished.
TEST(OnnxWriterTest, Write_ListsOfGraphsWithOneName_KeepsThemApart) {
  const auto model = [](bool written) {
    const auto graph = [&](std::string_view result) {
      return GraphProto({.nodes = {NodeProto({.op = "Abs", .inputs = {"x"}, .outputs = {result}})},
                         .value_infos = written ? std::vector<std::string>{F32(result, {"N"})}
                                                : std::vector<std::string>{}});
    };
    const std::string a = graph("a"), b = graph("b"), c = graph("c");
    return ModelProto(
        {.graph = GraphProto({.nodes = {NodeProto({.op = "Switch",
                                                   .attributes = {GraphsAttr("cases", {a, b}),
                                                                  GraphsAttr("cases", {c})}})}})});
  };
  EXPECT_EQ(Write(model(false), {{"a", "f32[N]"}, {"b", "f32[N]"}, {"c", "f32[N]"}}), model(true));
}

// If the last node of a graph ends with a graph, both graphs end at the same byte. Each must get its own
// value_infos there.
TEST(OnnxWriterTest, Write_GraphsThatEndAtTheSameByte_KeepsThemApart) {
  const auto model = [](bool written) {
    const auto graph = [&](std::string_view result, const std::string& attributes) {
      std::string node = NodeProto({.op = "If", .inputs = {"x"}, .outputs = {result}}) + attributes;
      std::string out = WithLength(1, node);
      if (written) out += WithLength(13, F32(result, {"N", 3}));
      return out;
    };
    const auto attribute = [](std::string_view name, const std::string& contents) {
      return WithLength(5, WithLength(1, std::string(name)) + WithLength(6, contents));
    };
    const std::string innermost = graph("c", "");
    const std::string inner = graph("b", attribute("then_branch", innermost));
    return ModelProto(
        {.graph = graph("a", attribute("then_branch", innermost) + attribute("else_branch", inner))});
  };
  EXPECT_EQ(Write(model(false), {{"a", "f32[N, 3]"}, {"b", "f32[N, 3]"}, {"c", "f32[N, 3]"}}), model(true));
}

// Infers a model and returns the bytes that the writer produces.
std::string InferAndWrite(const std::string& bytes) {
  Analysis analysis;
  const auto model = ReadOnnx(BytesOf(bytes), analysis);
  if (!model) return ToString(model.error());
  Inference inference((*model)->graph, BuiltinRegistry());
  inference.Run();
  std::string out;
  const Status written = WriteOnnx(
      **model, [&](ValueId value) { return inference.type(value); },
      [&](std::string_view piece) {
        out += piece;
        return Status();
      });
  return written ? out : ToString(written.error());
}

TEST(OnnxWriterTest, InferAndWrite_Twice_IsIdempotent) {
  const auto node = [](std::string_view op, std::string_view input, std::string_view output) {
    return NodeProto({.op = op, .inputs = {input}, .outputs = {output}});
  };
  const std::string then_branch = GraphProto(
      {.nodes = {node("NonZero", "x", "t0"), node("Cast", "t0", "t")}, .outputs = {ValueInfoProto("t", "")}});
  const std::string else_branch =
      GraphProto({.nodes = {node("NonZero", "y", "e")}, .outputs = {ValueInfoProto("e", "")}});
  std::vector<std::string> models = {
      // Data-dependent sizes of several results, and expressions of these sizes.
      ModelProto({.graph = GraphProto({
                      .nodes = {node("NonZero", "x", "a"), node("NonZero", "y", "b"),
                                NodeProto({.op = "Concat",
                                           .inputs = {"b", "a"},
                                           .outputs = {"c"},
                                           .attributes = {IntAttr("axis", 1)}}),
                                node("Transpose", "c", "d"), node("Unique", "x", "u1")},
                      .inputs = {F32("x", {"u2", "S"}), F32("y", {"S + 1", "u2"})},
                      .outputs = {ValueInfoProto("d", ""), ValueInfoProto("u1", "")},
                  })}),
      ModelProto({.graph = GraphProto({
                      .nodes = {NodeProto({.op = "If",
                                           .inputs = {"which"},
                                           .outputs = {"z"},
                                           .attributes = {GraphAttr("then_branch", then_branch),
                                                          GraphAttr("else_branch", else_branch)}}),
                                node("Transpose", "z", "out")},
                      .inputs = {F32("x", {"N", "S"}), F32("y", {"S", "N"}),
                                 ValueInfoProto("which", TensorType(kBool, {}))},
                      .outputs = {ValueInfoProto("out", "")},
                  })}),
  };
  for (const auto& entry : std::filesystem::directory_iterator("examples/models")) {
    if (entry.path().extension() != ".onnx") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    models.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  EXPECT_GT(models.size(), 2u);
  for (const std::string& model : models) {
    const std::string once = InferAndWrite(model);
    EXPECT_NE(once, model);
    EXPECT_EQ(InferAndWrite(once), once) << ReadAndDump(once);
  }
}

TEST(OnnxWriterTest, Write_OverInputFile_Works) {
  const std::string path = testing::TempDir() + "onnx_writer_test.onnx";
  const auto model_with = [](std::vector<std::string> infos) {
    return ModelProto({.graph = GraphProto({
                           .nodes = {NodeProto({.op = "Relu", .inputs = {"x"}, .outputs = {"y"}})},
                           .value_infos = std::move(infos),
                       })});
  };
  std::ofstream(path, std::ios::binary) << model_with({});
  const Result<MappedFile> file = MappedFile::Open(path);
  ASSERT_TRUE(file);
  Analysis analysis;
  const auto model = ReadOnnx(file->bytes(), analysis);
  ASSERT_TRUE(model);
  const Type type = *ParseType(analysis, "f32[2]");
  ASSERT_TRUE(WriteOnnxFile(
      **model, [&](ValueId) { return type; }, path));
  std::ifstream in(path, std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), model_with({F32("y", {2})}));
  std::filesystem::remove(path);
  EXPECT_EQ(ToString(WriteOnnxFile(
                         **model, [&](ValueId) { return type; }, "/no/such/folder/x")
                         .error()),
            "error[DW0501]: cannot write '/no/such/folder/x': No such file or directory");
}

}  // namespace
}  // namespace dimwise
