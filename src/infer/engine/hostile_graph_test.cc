// Tests malicious graphs: deep nesting, cycles, unknown operators, huge attributes. Each gets a result or a
// clear error in bounded time.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <stdexcept>

#include "core/base/rounds_testing.h"
#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"
#include "dimwise/inference.h"
#include "dimwise/inference_context.h"
#include "dimwise/op_registry.h"

namespace dimwise {
namespace {

// Nests If nodes. Each branch returns the result of the If inside it; the innermost returns Relu(x).
void Nest(Graph& graph, size_t levels) {
  Analysis& analysis = graph.analysis();
  const ValueId x = graph.AddInput(graph.body(), "x", *ParseType(analysis, "f32[N, 4]"));
  const ValueId condition = graph.AddInput(graph.body(), "c", *ParseType(analysis, "bool[]"));
  const OpId if_op = graph.UseOp("onnx.If", 21), relu = graph.UseOp("onnx.Relu", 21);
  RegionId region = graph.body();
  for (size_t i = 0; i < levels; ++i) {
    const NodeId node = graph.AddNode(region, {.op = if_op, .name = "i"}, {condition}, {"y"});
    graph.AddOutput(region, graph.results(node)[0]);
    const RegionId otherwise = graph.AddRegion(node, "else_branch");
    graph.AddOutput(otherwise, x);
    region = graph.AddRegion(node, "then_branch");
  }
  const NodeId last = graph.AddNode(region, {.op = relu, .name = "r"}, {x}, {"r"});
  graph.AddOutput(region, graph.results(last)[0]);
}

TEST(HostileGraph, NestedRegions_WithinLimit_AreInferred) {
  Analysis analysis;
  Graph graph(analysis);
  Nest(graph, 90);
  Inference inference(graph, BuiltinRegistry());
  inference.Run();
  EXPECT_TRUE(inference.findings().empty());
  EXPECT_EQ(ToString(analysis.dims(), inference.type(graph.outputs(graph.body())[0])), "f32[N, 4]");
}

TEST(HostileGraph, NestedRegions_PastLimit_AreAnError) {
  for (const size_t levels : {size_t{101}, size_t{Rounds(100'000u)}}) {
    Analysis analysis;
    Graph graph(analysis);
    Nest(graph, levels);
    Inference inference(graph, BuiltinRegistry());
    inference.Run();
    ASSERT_EQ(inference.findings().size(), 1u) << levels;
    EXPECT_EQ(inference.findings()[0].message,
              "regions are nested more than 100 deep; deeper regions are not inferred");
    // Results past the limit are unknown, and nodes that use them have no findings.
    EXPECT_FALSE(inference.type(graph.outputs(graph.body())[0]).shape.has_rank());
  }
}

// An exception of a user's shape function becomes an error of its node; other nodes are inferred.
TEST(HostileGraph, ShapeFunction_ThatThrows_IsAnErrorOfItsNode) {
  const auto one = [](const char* op) { return OpDefBuilder(op).Input("x: any").Output("y: any"); };
  const auto registry =
      OpRegistryBuilder()
          .Register(one("test.Throws"),
                    [](InferenceContext*) -> Status { throw std::out_of_range("no axis 7"); })
          .Register(one("test.Same"),
                    [](InferenceContext* c) -> Status {
                      c->set_output(0, c->input(0));
                      return {};
                    })
          .Build();
  ASSERT_TRUE(registry);
  Analysis analysis;
  const auto graph =
      ParseGraph(analysis, "graph g(x: f32[N]) { a = test.Throws(x)\n b = test.Same(x)\n return a, b }");
  ASSERT_TRUE(graph);
  Inference inference(**graph, *registry);
  inference.Run();
  ASSERT_EQ(inference.findings().size(), 1u);
  EXPECT_EQ(inference.findings()[0].message, "the shape function threw an exception: no axis 7");
  EXPECT_EQ(inference.findings()[0].severity, Severity::kError);
  EXPECT_EQ(ToString(analysis.dims(), inference.type((*graph)->outputs((*graph)->body())[1]).shape), "[N]");
}

// Repeated squaring: past the size limit of expressions, each result is a symbol defined by the preceding
// one.
TEST(HostileGraph, RepeatedSquares_PastSizeLimit_AreBounded) {
  Analysis analysis;
  Graph graph(analysis);
  const ValueId x = graph.AddInput(graph.body(), "x", *ParseType(analysis, "f32[N]"));
  const OpId shape = graph.UseOp("onnx.Shape", 21), multiply = graph.UseOp("onnx.Mul", 21);
  ValueId number = graph.results(graph.AddNode(graph.body(), {.op = shape, .name = "s"}, {x}, {"v"}))[0];
  for (int i = 0; i < 20'000; ++i) {
    const NodeId node = graph.AddNode(graph.body(), {.op = multiply, .name = "m"}, {number, number}, {"v"});
    number = graph.results(node)[0];
  }
  const OpId fill = graph.UseOp("onnx.ConstantOfShape", 21), add = graph.UseOp("onnx.Add", 21);
  const NodeId filled = graph.AddNode(graph.body(), {.op = fill, .name = "f"}, {number}, {"f"});
  const NodeId sum =
      graph.AddNode(graph.body(), {.op = add, .name = "a"}, {x, graph.results(filled)[0]}, {"y"});
  graph.AddOutput(graph.body(), graph.results(sum)[0]);
  Inference inference(graph, BuiltinRegistry());
  inference.Run();
  EXPECT_EQ(inference.type(graph.results(sum)[0]).shape.rank(), 1);
}

// Each function calls the next one twice, so the number of calls is exponential.
TEST(HostileGraph, Functions_CallingTheNextTwice_AreBounded) {
  std::string text = "opset my 1\nopset onnx 21\n";
  for (int i = 0; i < 60; ++i) {
    text += fmt::format("function my.f{}(x) {{\n  a = my.f{}(x)\n  y = my.f{}(a)\n  return y\n}}\n", i, i + 1,
                        i + 1);
  }
  text +=
      "function my.f60(x) {\n  y = onnx.Relu(x)\n  return y\n}\n"
      "graph g(x: f32[N]) {\n  y = my.f0(x)\n  z = onnx.Relu(x)\n  return y, z\n}\n";
  Analysis analysis;
  const auto graph = ParseGraph(analysis, text);
  ASSERT_TRUE(graph) << graph.error().message;
  Inference inference(**graph, BuiltinRegistry());
  inference.Run();
  EXPECT_FALSE(inference.findings().empty());
  EXPECT_EQ(ToString(analysis.dims(), inference.type((*graph)->outputs((*graph)->body())[1])), "f32[N]");
}

TEST(HostileGraph, LoopBody_DeclaringOnlyElementTypes_IsInferred) {
  Analysis analysis;
  Graph graph(analysis);
  const ValueId x = graph.AddInput(graph.body(), "x", *ParseType(analysis, "f32[N, 4]"));
  const ValueId trips = graph.AddInput(graph.body(), "n", *ParseType(analysis, "i64[]"));
  const ValueId go = graph.AddInput(graph.body(), "c", *ParseType(analysis, "bool[]"));
  const NodeId loop =
      graph.AddNode(graph.body(), {.op = graph.UseOp("onnx.Loop", 21), .name = "l"}, {trips, go}, {"y"});
  const RegionId body = graph.AddRegion(loop, "body");
  graph.AddInput(body, "i", Type::Tensor(ElementType::kI64, Shape()));
  graph.AddOutput(body, graph.AddInput(body, "keep", Type::Tensor(ElementType::kBool, Shape())));
  graph.AddOutput(body, x);
  Inference inference(graph, BuiltinRegistry());
  inference.Run();
  EXPECT_TRUE(inference.findings().empty());
  EXPECT_EQ(ToString(analysis.dims(), inference.type(graph.results(loop)[0])), "f32[u1, N, 4]");
}

TEST(HostileGraph, UnknownOperators_Many_AreAllReported) {
  constexpr size_t kMany = 100'000;
  Analysis analysis;
  Graph graph(analysis);
  ValueId v = graph.AddInput(graph.body(), "x", *ParseType(analysis, "f32[N]"));
  const OpId relu = graph.UseOp("onnx.Relu", 21);
  const ValueId known = graph.results(graph.AddNode(graph.body(), {.op = relu}, {v}, {"k"}))[0];
  for (size_t i = 0; i < kMany; ++i) {
    const OpId op = graph.UseOp(graph.StoreCopy("my.Op" + std::to_string(i % 1000)), 1);
    v = graph.results(graph.AddNode(graph.body(), {.op = op, .name = "n"}, {v}, {"v"}))[0];
  }
  graph.AddOutput(graph.body(), v);
  graph.AddOutput(graph.body(), known);
  Inference inference(graph, BuiltinRegistry());
  inference.Run();
  EXPECT_EQ(inference.findings().size(), kMany);
  EXPECT_EQ(ToString(analysis.dims(), inference.type(known)), "f32[N]");
}

TEST(HostileGraph, Cycle_OfAllNodes_IsCut) {
  constexpr size_t kMany = 2000;
  Analysis analysis;
  Graph graph(analysis);
  const OpId add = graph.UseOp("onnx.Add", 21);
  const ValueId x = graph.AddInput(graph.body(), "x", *ParseType(analysis, "f32[N]"));
  const ValueId first = graph.AddValue(graph.body(), "first");
  ValueId v = first;
  for (size_t i = 0; i + 1 < kMany; ++i) {
    v = graph.results(graph.AddNode(graph.body(), {.op = add}, {x, v}, {"v"}))[0];
  }
  graph.AddNodeFor(graph.body(), {.op = add}, {{x, v}}, {{first}});
  graph.AddOutput(graph.body(), first);
  Inference inference(graph, BuiltinRegistry());
  inference.Run();
  EXPECT_TRUE(inference.findings().empty());
  EXPECT_LE(inference.visit_count(), 3 * kMany);
  EXPECT_EQ(inference.type(first).element, ElementType::kF32);
}

TEST(HostileGraph, Attribute_Huge_IsShortenedInMessage) {
  Analysis analysis;
  Graph graph(analysis);
  const ValueId x = graph.AddInput(graph.body(), "x", *ParseType(analysis, "f32[N, 4]"));
  AttrMap attrs;
  attrs.Set("perm", AttrValue(AttrValue::Ints(size_t{1} << 20, 0)));
  const NodeId node = graph.AddNode(
      graph.body(),
      {.op = graph.UseOp("onnx.Transpose", 21), .name = "t", .attrs = graph.AddAttrs(std::move(attrs))}, {x},
      {"y"});
  graph.AddOutput(graph.body(), graph.results(node)[0]);
  Inference inference(graph, BuiltinRegistry());
  inference.Run();
  ASSERT_EQ(inference.findings().size(), 1u);
  EXPECT_EQ(
      inference.findings()[0].message,
      "perm [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, "
      "... (1048576 in all)] must name each of the 2 axes of data once");
}

}  // namespace
}  // namespace dimwise
