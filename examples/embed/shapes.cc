// Builds and infers a graph, lists its guards, explains a size, and prints the shape program as C.
#include <iostream>
#include <string>

#include "dimwise/builtin.h"
#include "dimwise/inference.h"
#include "dimwise/report.h"

int main() {
  using namespace dimwise;
  Analysis analysis;
  Graph graph(analysis);
  graph.set_name("pair");
  const ValueId x = graph.AddInput(graph.body(), "x", *ParseType(analysis, "f32[N, 4]"));
  const ValueId w = graph.AddInput(graph.body(), "w", *ParseType(analysis, "f32[K, 3]"));
  const NodeId node = graph.AddNode(graph.body(), {.op = graph.UseOp("onnx.MatMul", 13)}, {x, w}, {"y"});
  const ValueId y = graph.results(node)[0];
  graph.AddOutput(graph.body(), y);

  Inference inference(graph, BuiltinRegistry());
  inference.Run();
  std::cout << "y: " << ToString(analysis.dims(), inference.type(y)) << '\n';
  for (const ResidualGuard& guard : inference.guards())
    std::cout << "check: " << ToString(analysis.dims(), guard.condition) << '\n';
  std::cout << *Explain(inference, y, /*axis=*/1);
  const std::string source = ProgramAsC(ShapeProgram(inference));
  std::cout << source;
  return 0;
}
