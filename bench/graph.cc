// Measures building, ordering, printing and parsing of graphs, per node. `bytes` is the memory of a node with
// its values and uses, without its names.
#include <malloc.h>

#include <string>

#include "benchmark/benchmark.h"
#include "dimwise/graph_text.h"
#include "graph/graph_samples_testing.h"

namespace dimwise {
namespace {

size_t BytesInUse() {
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

void PerNode(benchmark::State& state, size_t nodes) {
  state.counters["per_node"] =
      benchmark::Counter(static_cast<double>(nodes),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

std::unique_ptr<Graph> Chain(Analysis& analysis, size_t nodes) { return ChainSample(analysis, nodes, true); }
std::unique_ptr<Graph> Dag(Analysis& analysis, size_t nodes) {
  return RandomDagSample(analysis, nodes, true);
}
std::unique_ptr<Graph> ConvNet(Analysis& analysis, size_t nodes) {
  return ConvNetSample(analysis, nodes / 7, true);
}
std::unique_ptr<Graph> Transformer(Analysis& analysis, size_t nodes) {
  return TransformerSample(analysis, nodes / 39, true);
}

template <auto kMake>
void Build(benchmark::State& state) {
  const auto nodes = static_cast<size_t>(state.range(0));
  for (auto _ : state) {
    Analysis analysis;
    benchmark::DoNotOptimize(kMake(analysis, nodes));
  }
  PerNode(state, nodes);
  Analysis analysis;
  const size_t before = BytesInUse();
  const auto graph = kMake(analysis, nodes);
  const size_t names = 8 * (graph->node_count() + graph->value_count());
  state.counters["bytes"] =
      static_cast<double>(BytesInUse() - before - names) / static_cast<double>(graph->node_count());
}
BENCHMARK(Build<Chain>)->Name("Graph/build/chain")->Arg(1000)->Arg(32000)->Arg(1000000);
BENCHMARK(Build<Dag>)->Name("Graph/build/dag")->Arg(1000)->Arg(32000)->Arg(1000000);
BENCHMARK(Build<ConvNet>)->Name("Graph/build/convnet")->Arg(1000)->Arg(32000);
BENCHMARK(Build<Transformer>)->Name("Graph/build/transformer")->Arg(1000)->Arg(32000);

// Orders a graph whose insertion order is not known to be a program order.
void Order(benchmark::State& state) {
  const auto nodes = static_cast<size_t>(state.range(0));
  Analysis analysis;
  const auto graph = Dag(analysis, nodes);
  const NodeId last{static_cast<uint32_t>(nodes - 1)};
  if (!graph->SetOperand(last, 0, graph->results(last)[0])) return state.SkipWithError("no such operand");
  for (auto _ : state) benchmark::DoNotOptimize(graph->Order(graph->body()));
  PerNode(state, nodes);
}
BENCHMARK(Order)->Name("Graph/order/dag")->Arg(1000)->Arg(1000000);

void Print(benchmark::State& state) {
  Analysis analysis;
  const auto graph = Transformer(analysis, static_cast<size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(ToString(*graph));
  PerNode(state, graph->node_count());
}
BENCHMARK(Print)->Name("Graph/print/transformer")->Arg(10000);

void Parse(benchmark::State& state) {
  Analysis analysis;
  const auto graph = Transformer(analysis, static_cast<size_t>(state.range(0)));
  const std::string text = ToString(*graph);
  for (auto _ : state) {
    Analysis own;
    benchmark::DoNotOptimize(ParseGraph(own, text));
  }
  PerNode(state, graph->node_count());
}
BENCHMARK(Parse)->Name("Graph/parse/transformer")->Arg(10000);

}  // namespace
}  // namespace dimwise
