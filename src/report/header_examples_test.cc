// Compiles and runs the examples in the comments of the public headers. tools/check_header_examples.sh checks
// that both texts are equal.
#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dimwise/builtin.h"
#include "dimwise/condition.h"
#include "dimwise/evaluator.h"
#include "dimwise/graph_text.h"
#include "dimwise/inference.h"
#include "dimwise/inference_context.h"
#include "dimwise/onnx.h"
#include "dimwise/program.h"
#include "dimwise/refiner.h"
#include "dimwise/report.h"
#include "dimwise/rule.h"
#include "dimwise/solver.h"
#include "dimwise/tensorflow.h"

namespace dimwise {
namespace {

// A parsed program whose values are found by name.
struct ReadProgram {
  explicit ReadProgram(std::string_view text) : graph(*ParseGraph(analysis, text)) {}

  ValueId Find(std::string_view name) const {
    for (uint32_t v = 0; v < graph->value_count(); ++v) {
      if (graph->name(ValueId{v}) == name) return ValueId{v};
    }
    return kNoValue;
  }

  Analysis analysis;
  const std::unique_ptr<Graph> graph;
};

constexpr std::string_view kAdds = R"(opset onnx 17
graph g(x: f32[N], b: f32[M]) {
  y = onnx.Add(x, b) @add
  return y
})";

TEST(HeaderExamplesTest, Condition_Example_Works) {
  Analysis analysis;
  const auto parse = [&](std::string_view text) { return *ParseCondition(analysis.dims(), text); };
  EXPECT_EQ(parse("N == M or N == 1 or M == 1").clauses.at(0).size(), 3u);
  EXPECT_EQ(parse("seq <= 4096 and seq % 8 == 0").clauses.size(), 2u);
}

TEST(HeaderExamplesTest, Evaluator_Example_Works) {
  ReadProgram program("opset onnx 17\ngraph g(x: i64[2]) {\n  y = onnx.Mul(x, x)\n  return y\n}");
  const Graph& graph = *program.graph;
  const ValueId x = program.Find("x"), y = program.Find("y");
  // example of evaluator.h
  Evaluator evaluator(graph, BuiltinRegistry());
  const Feed feeds[] = {{x, {ElementType::kI64, {.dims = {2}}, std::vector<int64_t>{3, 4}}}};
  Result<std::vector<TensorValue>> got = evaluator.Run(feeds, std::span(&y, 1));
  // end of example
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ((*got)[0].IntAt(0), 9);
  EXPECT_EQ((*got)[0].IntAt(1), 16);
}

TEST(HeaderExamplesTest, Graph_Example_Works) {
  // example of graph.h
  Analysis analysis;
  Graph graph(analysis);
  ValueId x = graph.AddInput(graph.body(), "x", *ParseType(analysis, "f32[N, 784]"));
  NodeId relu = graph.AddNode(graph.body(), {.op = graph.UseOp("onnx.Relu", 14), .name = "r"}, {x}, {"y"});
  graph.AddOutput(graph.body(), graph.results(relu)[0]);
  // end of example
  EXPECT_TRUE(graph.mistakes().empty());
  EXPECT_EQ(ToString(graph),
            "opset onnx 14\n\ngraph(x: f32[N, 784]) {\n  y = onnx.Relu(x) @r\n  return y\n}\n");
}

TEST(HeaderExamplesTest, GraphText_Example_IsParsed) {
  constexpr std::string_view kText = R"(
  // example of graph_text.h
  opset onnx 21                                              # the version of every onnx operator below

  function my.Gelu(x; alpha: float = 1.0, mode) {            # an attribute without a default is required
    y = onnx.Elu(x; alpha=$alpha)                            # the attribute of the call
    return y
  }

  graph mlp(x: f32[N, 784], c: bool[]) {
    const b1: f32[128]
    const axes: i64[2] = {0, -1}                             # with its contents, flat
    const b2: f32[128] with (lr_mult=0.5)                    # with attributes; inputs can have them too
    h: f32[N, 128] = onnx.Gemm(x, w1: f32[784, 128] const, b1; transB=0) @fc1
    a, _ = onnx.Dropout(h, _, _) after fc1                   # `_`: an absent operand or an unnamed result
    y = onnx.If@16(c) {                                      # `after`: control edges
      then_branch: graph() {
        r = onnx.Relu(a)                                     # values of enclosing regions are visible
        return r
      }
      else_branch: graph() {
        return a
      }
    }
    return y
  }
  // end of example
)";
  std::string text(kText);
  for (const std::string_view mark : {"// example of graph_text.h", "// end of example"}) {
    text.erase(text.find(mark), mark.size());
  }
  Analysis analysis;
  const Result<std::unique_ptr<Graph>> graph = ParseGraph(analysis, text);
  ASSERT_TRUE(graph) << ToString(graph.error());
  Inference inference(**graph, BuiltinRegistry());
  inference.Run();
  EXPECT_TRUE(inference.findings().empty());
  EXPECT_EQ(ToString(analysis.dims(), inference.type((*graph)->outputs((*graph)->body())[0])), "f32[N, 128]");
}

TEST(HeaderExamplesTest, Inference_Example_Works) {
  ReadProgram program(kAdds);
  const Graph& graph = *program.graph;
  const ValueId value = program.Find("y");
  // example of inference.h
  Inference inference(graph, BuiltinRegistry());
  inference.Run();
  std::string shape = ToString(graph.analysis().dims(), inference.type(value));
  // end of example
  EXPECT_EQ(shape, "f32[broadcast(N, M)]");
}

// example of inference_context.h
Status MatMul(InferenceContext* c) {
  DIMWISE_ASSIGN_OR_RETURN(Shape a, c->WithRank(c->input(0), 2));
  DIMWISE_ASSIGN_OR_RETURN(Shape b, c->WithRank(c->input(1), 2));
  DIMWISE_RETURN_IF_ERROR(c->Merge(a[1], b[0]));
  DIMWISE_ASSIGN_OR_RETURN(Shape y, c->Matrix(a[0], b[1]));
  c->set_output(0, y);
  return {};
}
// end of example

TEST(HeaderExamplesTest, InferenceContext_Example_Works) {
  Analysis analysis;
  NodeDescription node;
  node.num_outputs = 1;
  const Type operands[] = {*ParseType(analysis, "f32[N, K]"), *ParseType(analysis, "f32[4, 3]")};
  InferenceContext context(analysis, node, operands);
  ASSERT_TRUE(context.Run(MatMul));
  EXPECT_EQ(ToString(analysis.dims(), context.output(0)), "[N, 3]");
  ASSERT_EQ(context.guards().size(), 1u);
  EXPECT_EQ(ToString(analysis.dims(), context.guards()[0].condition), "K == 4");
}

TEST(HeaderExamplesTest, Onnx_Example_Works) {
  const std::span<const std::byte> bytes;
  // example of onnx.h
  Analysis analysis;
  Result<std::unique_ptr<OnnxModel>> model = ReadOnnx(bytes, analysis);
  // end of example
  EXPECT_FALSE(model) << "there is no model in no bytes";
}

TEST(HeaderExamplesTest, TensorFlow_Example_Works) {
  const std::span<const std::byte> bytes;
  // example of tensorflow.h
  Analysis analysis;
  Result<std::unique_ptr<TensorFlowModel>> model = ReadGraphDef(bytes, analysis, BuiltinRegistry());
  // end of example
  ASSERT_TRUE(model);
  EXPECT_EQ((*model)->graph.node_count(), 0u) << "no bytes are an empty graph";
}

TEST(HeaderExamplesTest, Program_Example_Works) {
  ReadProgram read("opset onnx 17\ngraph g(x: f32[N]) {\n  y = onnx.Relu(x)\n  return y\n}");
  Inference inference(*read.graph, BuiltinRegistry());
  inference.Run();
  // example of program.h
  const ShapeProgram program(inference);
  std::vector<int64_t> table = program.NewTable();
  table[program.FindSymbol("N")->index] = 8;
  if (const int code = program.Run(0, table); code != 0) std::puts(program.Message(code).c_str());
  int64_t rows = program.Size(*program.FindValue("y"), /*axis=*/0, table);
  // end of example
  EXPECT_EQ(rows, 8);
}

TEST(HeaderExamplesTest, Refiner_Example_Works) {
  ReadProgram program(kAdds);
  Graph& graph = *program.graph;
  const NodeId node = graph.maker(program.Find("y"));
  // example of refiner.h
  Refiner refiner(graph, BuiltinRegistry());
  Status s = refiner.AddNode(node);          // an error names the node; its results are then unknown
  bool changed = *refiner.UpdateNode(node);  // after an edit of the node, or of its operands
  // end of example
  EXPECT_TRUE(s);
  EXPECT_FALSE(changed) << "nothing was edited";
}

TEST(HeaderExamplesTest, Report_Example_Works) {
  ReadProgram read(kAdds);
  Inference inference(*read.graph, BuiltinRegistry());
  inference.Run();
  const ValueId y = read.Find("y");
  // example of report.h
  const ShapeProgram program(inference);
  const std::string source = ProgramAsC(program);
  const std::string why = *Explain(inference, y, /*axis=*/0);
  // end of example
  EXPECT_NE(source.find("int g_stage_0(int64_t *t)"), std::string::npos) << source;
  EXPECT_TRUE(why.starts_with("y[0] is broadcast(N, M)")) << why;
}

TEST(HeaderExamplesTest, Rule_Example_Works) {
  // example of rule.h
  RuleSet rules;
  std::vector<Diagnostic> mistakes =
      rules.Define("set my\nop Double(X: T[...s]) -> (Y: T[...[2*d for d in s]])", "my.shape");
  RuleCall call(*rules.Find("my.Double"), {}, 1);
  const int64_t sizes[] = {2, 3};
  const RunTimeOperand operands[] = {{.shape = sizes}};
  Status s = call.Evaluate(operands);  // call.result(0) is [4, 6]
  // end of example
  EXPECT_TRUE(mistakes.empty());
  EXPECT_TRUE(s);
  EXPECT_EQ(std::vector<int64_t>(call.result(0).begin(), call.result(0).end()), (std::vector<int64_t>{4, 6}));
}

TEST(HeaderExamplesTest, Solver_Example_Works) {
  ReadProgram program("opset onnx 17\ngraph g(x: f32[*], y: f32[*]) {\n  z = onnx.Add(x, y)\n  return z\n}");
  const Graph& graph = *program.graph;
  const auto shape = [&](std::string_view text) {
    return *ParseShape(program.analysis.dims(), program.analysis.shapes(), text);
  };
  const Shape x_shape = shape("[N, 4]"), y_shape = shape("[4]");
  // example of solver.h
  Solver solver(graph, BuiltinRegistry(), {.parts = {.storage = true}});
  const Shape shapes[] = {x_shape, y_shape};
  Status s = solver.SetShapeInputs(shapes);  // too many: an error
  solver.Run();
  for (const UnknownEntry& u : solver.unknown()) std::puts(u.reason.c_str());
  // end of example
  EXPECT_TRUE(s);
  EXPECT_EQ(ToString(program.analysis.dims(), solver.type(program.Find("z")).shape), "[N, 4]");
}

}  // namespace
}  // namespace dimwise
