#include "formats/onnx/onnx_editor.h"

#include <gtest/gtest.h>

#include "formats/onnx/onnx_builder_testing.h"

namespace dimwise {
namespace {

using namespace onnx_build;  // NOLINT: the words of the builder

// Returns the model after edits that `edits` computes from the read model.
template <typename F>
std::string Edited(const std::string& bytes, const F& edits) {
  Analysis analysis;
  const auto model = ReadOnnx(BytesOf(bytes), analysis);
  if (!model) return ToString(model.error());
  const std::vector<std::byte> out = EditOnnx(**model, edits(**model));
  return {reinterpret_cast<const char*>(out.data()), out.size()};
}

// A graph of two nodes; the second contains a branch.
struct Parts {
  GraphSpec graph, branch;
  std::string Bytes() {
    graph.nodes.back() = NodeProto({.op = "If",
                                    .inputs = {"c"},
                                    .outputs = {"y"},
                                    .name = "if",
                                    .attributes = {GraphAttr("then_branch", GraphProto(branch))}});
    return ModelProto({.graph = GraphProto(graph)});
  }
};

Parts Sample() {
  Parts parts;
  parts.branch = {.nodes = {NodeProto({.op = "Reshape", .inputs = {"a", "s"}, .outputs = {"t"}})},
                  .outputs = {F32("t", {"N + 1", 3})},
                  .value_infos = {F32("t", {"N", "M"})}};
  parts.graph = {.nodes = {NodeProto({.op = "Reshape",
                                      .inputs = {"x", "s"},
                                      .outputs = {"a"},
                                      .name = "r",
                                      .attributes = {IntAttr("allowzero", 0)}}),
                           ""},
                 .initializers = {TensorProto({.name = "w", .dims = {1}, .raw = std::string(8, 'w')}),
                                  TensorProto({.name = "s", .dims = {2}, .raw = RawInts({-1, 3})})},
                 .inputs = {F32("x", {"N", ""}), ValueInfoProto("c", TensorType(kBool, {}))},
                 .outputs = {F32("y", {"N*M", "N"})},
                 .value_infos = {F32("a", {"N//2", 3})}};
  return parts;
}

TEST(OnnxEditorTest, Edit_Nothing_KeepsAllBytes) {
  const std::string before = Sample().Bytes();
  EXPECT_EQ(Edited(before, [](const OnnxModel&) { return OnnxEdits(); }), before);
}

TEST(OnnxEditorTest, Numbers_ForSymbols_ReplaceThemEverywhere) {
  Parts parts = Sample();
  const std::string before = parts.Bytes();
  parts.graph.inputs[0] = F32("x", {8, 6});
  parts.graph.outputs = {F32("y", {"8*M", 8})};
  parts.graph.value_infos = {F32("a", {4, 3})};
  parts.branch.outputs = {F32("t", {9, 3})};
  parts.branch.value_infos = {F32("t", {8, "M"})};
  EXPECT_EQ(Edited(before,
                   [](const OnnxModel&) {
                     OnnxEdits edits;
                     edits.numbers = {{"N", 8}};
                     edits.input_sizes = {{"x", 1, int64_t{6}}};
                     return edits;
                   }),
            parts.Bytes());
}

TEST(OnnxEditorTest, OpenSizes_ConstantSizes_AreRemoved) {
  Parts parts = Sample();
  const std::string before = parts.Bytes();
  parts.graph.value_infos = {F32("a", {"N//2", ""})};
  parts.branch.outputs = {F32("t", {"N + 1", ""})};
  EXPECT_EQ(Edited(before,
                   [](const OnnxModel& model) {
                     OnnxEdits edits;
                     edits.open_sizes = {model.graph.results(NodeId{0})[0],
                                         model.graph.results(model.graph.nodes(RegionId{1})[0])[0]};
                     return edits;
                   }),
            parts.Bytes());
}

TEST(OnnxEditorTest, Edit_NodesAndConstants_AreWritten) {
  Parts parts = Sample();
  const std::string before = parts.Bytes();
  const std::string fresh = NodeProto({.op = "Shape", .inputs = {"x"}, .outputs = {"n"}});
  const std::string tensor = TensorProto({.name = "s", .dims = {2}, .raw = RawInts({0, -1})});
  parts.graph.initializers[1] = tensor;
  parts.graph.nodes[0] = NodeProto({.op = "Reshape",
                                    .inputs = {"x", "n"},
                                    .outputs = {"a"},
                                    .name = "r",
                                    .attributes = {IntAttr("allowzero", 1)}});
  parts.graph.nodes.insert(parts.graph.nodes.begin(), fresh);
  parts.branch.nodes = {fresh,
                        NodeProto({.op = "Reshape", .inputs = {"a", "a longer name"}, .outputs = {"t"}})};
  EXPECT_EQ(Edited(before,
                   [&](const OnnxModel& model) {
                     const Graph& graph = model.graph;
                     OnnxEdits edits;
                     edits.nodes = {
                         {NodeId{0}, {fresh}, {{1, "n"}}, {{"allowzero", IntAttr("allowzero", 1)}}},
                         {graph.nodes(RegionId{1})[0], {fresh}, {{1, "a longer name"}}, {}}};
                     edits.constants = {{graph.operands(NodeId{0})[1], RawInts({0, -1})}};
                     return edits;
                   }),
            parts.Bytes());
}

}  // namespace
}  // namespace dimwise
