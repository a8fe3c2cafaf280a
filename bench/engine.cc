// Measures inference of whole graphs and of an edit in a large graph, per node. `bytes` is the memory of the
// analysis per node, without that of the graph.
//
// Graphs (graph_samples_testing.h): a chain of element-wise operators, a residual network, a transformer with
// arithmetic on shapes, a random graph of element-wise operators; and tensors of different sizes, each added
// to the sum of those before it, so that each fact affects all sizes.
#include <fmt/format.h>
#include <malloc.h>

#include <memory>
#include <string>

#include "benchmark/benchmark.h"
#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"
#include "dimwise/inference.h"
#include "dimwise/refiner.h"
#include "graph/graph_samples_testing.h"

namespace dimwise {
namespace {

size_t BytesInUse() {
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

using Make = std::unique_ptr<Graph> (*)(Analysis& analysis, size_t nodes, bool symbolic);

std::unique_ptr<Graph> Dag(Analysis& analysis, size_t nodes, bool symbolic) {
  return RandomDagSample(analysis, nodes, symbolic);
}
std::unique_ptr<Graph> ConvNet(Analysis& analysis, size_t nodes, bool symbolic) {
  return ConvNetSample(analysis, nodes / 7, symbolic);
}
std::unique_ptr<Graph> Transformer(Analysis& analysis, size_t nodes, bool symbolic) {
  return TransformerSample(analysis, nodes / 39, symbolic);
}

std::unique_ptr<Graph> UnlikeSizes(Analysis& analysis, size_t nodes, bool) {
  std::string inputs = "x0: f32[N0]";
  std::string sums = "y0 = onnx.Identity(x0)\n";
  for (size_t i = 1; i < nodes; ++i) {
    inputs += fmt::format(", x{0}: f32[N{0}]", i);
    sums += fmt::format("y{} = onnx.Add(y{}, x{})\n", i, i - 1, i);
  }
  auto graph = ParseGraph(
      analysis, fmt::format("opset onnx 17\ngraph sums({}) {{\n{}return y{}\n}}\n", inputs, sums, nodes - 1));
  return std::move(graph).value();
}

template <Make kMake>
void Infer(benchmark::State& state) {
  const auto nodes = static_cast<size_t>(state.range(0));
  const bool symbolic = state.range(1) != 0;
  size_t bytes = 0;
  for (auto _ : state) {
    state.PauseTiming();
    {
      Analysis analysis;
      const auto graph = kMake(analysis, nodes, symbolic);
      const size_t before = BytesInUse();
      state.ResumeTiming();
      Inference inference(*graph, BuiltinRegistry());
      inference.Run();
      benchmark::DoNotOptimize(inference.guards().size());
      state.PauseTiming();
      bytes = BytesInUse() - before;
    }
    state.ResumeTiming();
  }
  state.counters["per_node"] =
      benchmark::Counter(static_cast<double>(nodes),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["bytes"] = static_cast<double>(bytes) / static_cast<double>(nodes);
}
void Sizes(benchmark::internal::Benchmark* b) {
  for (const int symbolic : {0, 1}) {
    for (const int nodes : {1000, 10000, 100000, 1000000}) b->Args({nodes, symbolic});
  }
}
BENCHMARK(Infer<ChainSample>)->Name("Engine/chain")->Apply(Sizes)->Unit(benchmark::kMicrosecond);
BENCHMARK(Infer<Dag>)->Name("Engine/dag")->Apply(Sizes)->Unit(benchmark::kMicrosecond);
BENCHMARK(Infer<ConvNet>)->Name("Engine/convnet")->Apply(Sizes)->Unit(benchmark::kMicrosecond);
BENCHMARK(Infer<Transformer>)->Name("Engine/transformer")->Apply(Sizes)->Unit(benchmark::kMicrosecond);

BENCHMARK(Infer<UnlikeSizes>)
    ->Name("Engine/unlike_sizes")
    ->ArgsProduct({{10, 30, 100, 300}, {1}})
    ->Unit(benchmark::kMicrosecond);

// Changes an operand of a node in the middle and infers what depends on it.
void Edit(benchmark::State& state) {
  Analysis analysis;
  const auto graph = Dag(analysis, static_cast<size_t>(state.range(0)), /*symbolic=*/true);
  Refiner refiner(*graph, BuiltinRegistry());
  refiner.AddAll();
  const auto nodes = graph->node_count();
  uint32_t seed = 1;
  for (auto _ : state) {
    seed = seed * 1664525u + 1013904223u;
    const NodeId node{static_cast<uint32_t>(nodes / 2 + (seed >> 8) % (nodes / 2))};
    const NodeId other{static_cast<uint32_t>((seed >> 4) % (nodes / 2))};
    benchmark::DoNotOptimize(refiner.SetInput(node, 0, graph->results(other)[0]).has_value());
  }
}
BENCHMARK(Edit)->Name("Engine/edit")->Arg(1000)->Arg(100000)->Arg(1000000);

}  // namespace
}  // namespace dimwise
