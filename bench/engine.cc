// The engine over whole graphs, for each node: from a graph to all types, and an edit in a large graph.
// `bytes` is what the analysis takes for a node, beside the graph.
//
// Mixes: a chain of elementwise operators, a residual network, a transformer with its arithmetic on shapes,
// and a random graph of elementwise operators (graph_samples_testing.h).
#include <malloc.h>

#include "benchmark/benchmark.h"
#include "dimwise/builtin.h"
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
      benchmark::DoNotOptimize(inference.checks().size());
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

// Another operand for a node in the middle, and what follows from it.
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
