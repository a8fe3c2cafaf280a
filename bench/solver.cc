// Measures the solver on whole graphs, per node. `forward`: the inputs are known, as in Engine/. `backward`:
// only the last result of a chain of element-wise operators is known, as a shape or as sizes, so that all
// types are inferred against the order of the graph. `element_types`: the solver infers no shapes.
#include "dimwise/solver.h"

#include "benchmark/benchmark.h"
#include "dimwise/builtin.h"
#include "graph/graph_samples_testing.h"

namespace dimwise {
namespace {

using Make = std::unique_ptr<Graph> (*)(Analysis& analysis, size_t nodes);

std::unique_ptr<Graph> Chain(Analysis& analysis, size_t nodes) { return ChainSample(analysis, nodes, false); }
std::unique_ptr<Graph> SymbolicChain(Analysis& analysis, size_t nodes) {
  return ChainSample(analysis, nodes, true);
}
std::unique_ptr<Graph> Dag(Analysis& analysis, size_t nodes) {
  return RandomDagSample(analysis, nodes, false);
}
std::unique_ptr<Graph> ConvNet(Analysis& analysis, size_t nodes) {
  return ConvNetSample(analysis, nodes / 7, false);
}

std::unique_ptr<Graph> UnaryChain(Analysis& analysis, size_t nodes, std::string_view input) {
  auto graph = std::make_unique<Graph>(analysis);
  const OpId ops[] = {graph->UseOp("onnx.Relu", 21), graph->UseOp("onnx.Sigmoid", 21)};
  ValueId x = graph->AddInput(graph->body(), "x", ParseType(analysis, input).value());
  for (size_t i = 0; i < nodes; ++i) {
    const NodeId node =
        graph->AddNode(graph->body(), {.op = ops[i % 2]}, {x}, {graph->StoreCopy("v" + std::to_string(i))});
    x = graph->results(node)[0];
  }
  graph->AddOutput(graph->body(), x);
  return graph;
}
std::unique_ptr<Graph> NoShape(Analysis& analysis, size_t nodes) {
  return UnaryChain(analysis, nodes, "f32[*]");
}
std::unique_ptr<Graph> NoSizes(Analysis& analysis, size_t nodes) {
  return UnaryChain(analysis, nodes, "f32[?, ?, ?, ?]");
}

enum class Known { kInputs, kOutput };

template <Make kMake, Known kKnown, bool kShapes = true>
void Solve(benchmark::State& state) {
  const auto nodes = static_cast<size_t>(state.range(0));
  SolverOptions options;
  options.parts.shape = kShapes;
  uint64_t visits = 0;
  for (auto _ : state) {
    state.PauseTiming();
    {
      Analysis analysis;
      const auto graph = kMake(analysis, nodes);
      const Type hint = ParseType(analysis, "f32[8, 64, 56, 56]").value();
      state.ResumeTiming();
      Solver solver(*graph, BuiltinRegistry(), options);
      if (kKnown == Known::kOutput && !solver.AddHint(graph->outputs(graph->body())[0], hint)) {
        state.SkipWithError("the hint is refused");
      }
      solver.Run();
      if (kKnown == Known::kOutput && !solver.complete()) state.SkipWithError("something is left unknown");
      visits = solver.visit_count();
      state.PauseTiming();
    }
    state.ResumeTiming();
  }
  state.counters["per_node"] =
      benchmark::Counter(static_cast<double>(nodes),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["visits"] = static_cast<double>(visits) / static_cast<double>(nodes);
}

void Sizes(benchmark::internal::Benchmark* b) {
  b->Arg(1000)->Arg(10000)->Arg(100000)->Unit(benchmark::kMicrosecond);
}
BENCHMARK(Solve<Chain, Known::kInputs>)->Name("Solver/forward/chain")->Apply(Sizes);
BENCHMARK(Solve<SymbolicChain, Known::kInputs>)->Name("Solver/forward/symbolic_chain")->Apply(Sizes);
BENCHMARK(Solve<Dag, Known::kInputs>)->Name("Solver/forward/dag")->Apply(Sizes);
BENCHMARK(Solve<ConvNet, Known::kInputs>)->Name("Solver/forward/convnet")->Apply(Sizes);
BENCHMARK(Solve<NoShape, Known::kOutput>)->Name("Solver/backward/shape")->Apply(Sizes);
BENCHMARK(Solve<NoSizes, Known::kOutput>)->Name("Solver/backward/sizes")->Apply(Sizes);
BENCHMARK(Solve<Chain, Known::kInputs, false>)->Name("Solver/element_types/chain")->Apply(Sizes);

}  // namespace
}  // namespace dimwise
