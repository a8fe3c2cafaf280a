#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"
#include "dimwise/tensorflow.h"
#include "formats/protobuf/wire_writer.h"

namespace dimwise {
namespace {

// Writes messages of TensorFlow field by field.
class ProtoMessage {
 public:
  ProtoMessage& Bytes(uint32_t field, std::string_view bytes) {
    AppendBytesField(bytes_, field, bytes);
    return *this;
  }
  ProtoMessage& Number(uint32_t field, int64_t number) {
    AppendVarintField(bytes_, field, static_cast<uint64_t>(number));
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

constexpr int64_t kDtFloat = 1, kDtInt32 = 3;

std::string AttrEntryOf(std::string_view name, const ProtoMessage& value) {
  return ProtoMessage().Bytes(1, name).Bytes(2, value.bytes()).bytes();
}
std::string TypeAttr(std::string_view name, int64_t type) {
  return AttrEntryOf(name, ProtoMessage().Number(6, type));
}
std::string FunctionAttr(std::string_view name, std::string_view function) {
  return AttrEntryOf(name, ProtoMessage().Bytes(10, ProtoMessage().Bytes(1, function).bytes()));
}

std::string ShapeProtoOf(const std::vector<int64_t>& sizes) {
  ProtoMessage shape;
  for (const int64_t size : sizes) shape.Bytes(2, ProtoMessage().Number(1, size).bytes());
  return shape.bytes();
}

std::string NodeDef(std::string_view name, std::string_view op, const std::vector<std::string>& inputs,
                    const std::vector<std::string>& attrs) {
  ProtoMessage node;
  node.Bytes(1, name).Bytes(2, op);
  for (const std::string& input : inputs) node.Bytes(3, input);
  for (const std::string& attr : attrs) node.Bytes(5, attr);
  return node.bytes();
}

std::string Placeholder(std::string_view name, const std::vector<int64_t>& sizes) {
  return NodeDef(
      name, "Placeholder", {},
      {TypeAttr("dtype", kDtFloat), AttrEntryOf("shape", ProtoMessage().Bytes(7, ShapeProtoOf(sizes)))});
}

std::string GraphDefOf(const std::vector<std::string>& nodes, const std::string& library = {}) {
  ProtoMessage graph;
  for (const std::string& node : nodes) graph.Bytes(1, node);
  if (!library.empty()) graph.Bytes(2, library);
  graph.Bytes(4, ProtoMessage().Number(1, 1645).bytes());
  return graph.bytes();
}

struct GraphDefRead {
  explicit GraphDefRead(std::string text) : bytes(std::move(text)) {
    Result<std::unique_ptr<TensorFlowModel>> read =
        ReadGraphDef(std::as_bytes(std::span(bytes)), analysis, BuiltinRegistry());
    if (read) {
      model = std::move(*read);
    } else {
      error = read.error().message;
    }
  }
  std::string Text() const { return model == nullptr ? error : ToString(model->graph); }
  std::string Findings() const {
    std::string all;
    for (const Diagnostic& finding : model->findings) all += finding.message + "\n";
    return all;
  }

  std::string bytes;
  Analysis analysis;
  std::unique_ptr<TensorFlowModel> model;
  std::string error;
};

TEST(GraphDefReaderTest, NodesInAnyOrder_AreConnected) {
  const GraphDefRead read(GraphDefOf({NodeDef("y", "Relu", {"sum", "^x"}, {TypeAttr("T", kDtFloat)}),
                                      NodeDef("sum", "AddV2", {"x", "x:0"}, {TypeAttr("T", kDtFloat)}),
                                      Placeholder("x", {-1, 3})}));
  EXPECT_EQ(read.Findings(), "");
  EXPECT_EQ(read.Text(),
            "opset tensorflow 1645\n\n"
            "graph(`x:0`: f32[x_d0, 3]) {\n"
            "  `y:0` = tensorflow.Relu(`sum:0`; T=f32) @y\n"
            "  `sum:0` = tensorflow.AddV2(`x:0`, `x:0`; T=f32) @sum\n"
            "  return `y:0`\n"
            "}\n");
  EXPECT_EQ(read.model->producer, 1645);
}

TEST(GraphDefReaderTest, Constant_EachEncoding_HasItsContents) {
  const std::string content("\x02\0\0\0\x03\0\0\0", 8);
  const struct {
    std::string name;
    ProtoMessage tensor;
    std::string expected;
  } cases[] = {
      {"bytes", ProtoMessage().Number(1, kDtInt32).Bytes(2, ShapeProtoOf({2})).Bytes(4, content), "2 3"},
      {"list", ProtoMessage().Number(1, kDtInt32).Bytes(2, ShapeProtoOf({2})).Number(7, 2).Number(7, -3),
       "2 -3"},
      {"packed", ProtoMessage().Number(1, kDtInt32).Bytes(2, ShapeProtoOf({2})).Bytes(7, "\x02\x05"), "2 5"},
      {"splat", ProtoMessage().Number(1, kDtInt32).Bytes(2, ShapeProtoOf({3})).Number(7, 4), "4 4 4"},
      {"repeats the last",
       ProtoMessage().Number(1, kDtInt32).Bytes(2, ShapeProtoOf({3})).Bytes(7, "\x01\x02"), "1 2 2"},
  };
  for (const auto& [name, tensor, expected] : cases) {
    const GraphDefRead read(GraphDefOf({NodeDef(
        "c", "Const", {},
        {TypeAttr("dtype", kDtInt32), AttrEntryOf("value", ProtoMessage().Bytes(8, tensor.bytes()))})}));
    ASSERT_NE(read.model, nullptr) << name << read.error;
    ASSERT_EQ(read.model->graph.value_count(), 1u) << name;
    const Value contents = read.model->graph.contents(ValueId{0});
    std::string text;
    for (int64_t i = 0; !contents.is_none() && i < contents.size(); ++i)
      text += (i > 0 ? " " : "") + std::to_string(contents.ConstantInteger(i).value_or(-99));
    EXPECT_EQ(text, expected) << name;
  }
}

TEST(GraphDefReaderTest, Calls_OfFunctions_AreCallsOfTheGraph) {
  const std::string signature = ProtoMessage()
                                    .Bytes(1, "twice")
                                    .Bytes(2, ProtoMessage().Bytes(1, "a").Number(3, kDtFloat).bytes())
                                    .Bytes(3, ProtoMessage().Bytes(1, "out").Number(3, kDtFloat).bytes())
                                    .bytes();
  const std::string function = ProtoMessage()
                                   .Bytes(1, signature)
                                   .Bytes(3, NodeDef("s", "AddV2", {"a", "a"}, {TypeAttr("T", kDtFloat)}))
                                   .Bytes(4, ProtoMessage().Bytes(1, "out").Bytes(2, "s:z:0").bytes())
                                   .bytes();
  const GraphDefRead read(
      GraphDefOf({Placeholder("x", {2}), NodeDef("y", "PartitionedCall", {"x"}, {FunctionAttr("f", "twice")}),
                  NodeDef("z", "twice", {"y"}, {})},
                 ProtoMessage().Bytes(1, function).bytes()));
  EXPECT_EQ(read.Findings(), "");
  EXPECT_EQ(read.Text(),
            "function tensorflow.twice(a: f32[*]) {\n"
            "  `s:0` = tensorflow.AddV2@1645(a, a; T=f32) @s\n"
            "  return `s:0`\n"
            "}\n\n"
            "graph(`x:0`: f32[2]) {\n"
            "  `y:0` = tensorflow.twice(`x:0`) @y\n"
            "  `z:0` = tensorflow.twice(`y:0`) @z\n"
            "  return `z:0`\n"
            "}\n");
}

TEST(GraphDefReaderTest, Mistakes_AreFindings) {
  const GraphDefRead read(
      GraphDefOf({Placeholder("x", {2}), Placeholder("x", {3}), NodeDef("y", "Relu", {"xx"}, {})}));
  EXPECT_EQ(read.Findings(),
            "two nodes have the name 'x'; the first one is used\n"
            "node 'y' has the input 'xx', which no node computes\n");
}

TEST(GraphDefReaderTest, DamagedBytes_AreAnError) {
  const std::string whole = GraphDefOf({Placeholder("x", {2, 3})});
  for (size_t size = 1; size < whole.size(); ++size) {
    const GraphDefRead read(whole.substr(0, size));
    if (read.model != nullptr) continue;
    EXPECT_NE(read.error.find("TensorFlow file is damaged"), std::string::npos) << read.error;
  }
  EXPECT_NE(GraphDefRead("\x0a\x7f"
                         "abc")
                .error,
            "");
}

TEST(GraphDefReaderTest, LooksLikeGraphDef_OnlyForGraphs) {
  const auto looks = [](const std::string& text) {
    return LooksLikeGraphDef(std::as_bytes(std::span(text)));
  };
  EXPECT_TRUE(looks(GraphDefOf({Placeholder("x", {2})})));
  EXPECT_FALSE(looks(""));
  EXPECT_FALSE(looks("graph g() {}"));
  EXPECT_FALSE(looks(ProtoMessage().Number(1, 8).bytes()));
}

}  // namespace
}  // namespace dimwise
