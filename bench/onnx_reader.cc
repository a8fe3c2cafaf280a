// Measures reading an ONNX file from memory: chains of nodes with names as exporters write them. The target
// is 60 to 80 ns per node.
#include <string>

#include "benchmark/benchmark.h"
#include "dimwise/onnx.h"
#include "formats/protobuf/wire_writer.h"

namespace dimwise {
namespace {

std::string Ints(std::string_view name, std::initializer_list<uint64_t> values) {
  std::string out;
  AppendBytesField(out, 1, name);
  for (const uint64_t value : values) AppendVarintField(out, 8, value);
  AppendVarintField(out, 20, 7);
  return out;
}

std::string ValueName(int64_t i) { return "/model/layer." + std::to_string(i) + "/op_output_0"; }

// A chain x -> op -> op -> ... With weights each node is a Conv with attributes and its own weight, whose
// data is omitted.
std::string Chain(int64_t nodes, bool with_weights) {
  std::string graph, weights;
  for (int64_t i = 0; i < nodes; ++i) {
    std::string node;
    AppendBytesField(node, 1, i == 0 ? "x" : ValueName(i - 1));
    if (with_weights) {
      const std::string weight = "model.layer." + std::to_string(i) + ".weight";
      AppendBytesField(node, 1, weight);
      std::string tensor;
      for (const uint64_t size : {64u, 64u, 3u, 3u}) AppendVarintField(tensor, 1, size);
      AppendVarintField(tensor, 2, 1);
      AppendBytesField(tensor, 8, weight);
      AppendBytesField(weights, 5, tensor);
    }
    AppendBytesField(node, 2, ValueName(i));
    AppendBytesField(node, 3, "/model/layer." + std::to_string(i) + "/op");
    AppendBytesField(node, 4, with_weights ? "Conv" : "Relu");
    if (with_weights) {
      AppendBytesField(node, 5, Ints("kernel_shape", {3, 3}));
      AppendBytesField(node, 5, Ints("pads", {1, 1, 1, 1}));
      AppendBytesField(node, 5, Ints("strides", {1, 1}));
    }
    AppendBytesField(graph, 1, node);
  }
  graph += weights;
  std::string dim, shape, tensor, type, input, output, opset, model;
  AppendBytesField(dim, 2, "N");
  AppendBytesField(shape, 1, dim);
  AppendVarintField(tensor, 1, 1);
  AppendBytesField(tensor, 2, shape);
  AppendBytesField(type, 1, tensor);
  AppendBytesField(input, 1, "x");
  AppendBytesField(input, 2, type);
  AppendBytesField(output, 1, ValueName(nodes - 1));
  AppendBytesField(graph, 11, input);
  AppendBytesField(graph, 12, output);
  AppendVarintField(opset, 2, 17);
  AppendVarintField(model, 1, 8);
  AppendBytesField(model, 7, graph);
  AppendBytesField(model, 8, opset);
  return model;
}

void ReadChain(benchmark::State& state, bool with_weights) {
  const std::string bytes = Chain(state.range(0), with_weights);
  for (auto _ : state) {
    Analysis analysis;
    const auto model = ReadOnnx(std::as_bytes(std::span(bytes)), analysis);
    if (!model || !(*model)->findings.empty()) return state.SkipWithError("the chain is not read");
    benchmark::DoNotOptimize((*model)->graph.value_count());
  }
  state.counters["ns/node"] =
      benchmark::Counter(static_cast<double>(state.range(0)) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.SetBytesProcessed(static_cast<int64_t>(bytes.size()) * static_cast<int64_t>(state.iterations()));
}

BENCHMARK_CAPTURE(ReadChain, relu, false)->Name("ReadOnnx/relu")->RangeMultiplier(10)->Range(1000, 100000);
BENCHMARK_CAPTURE(ReadChain, conv, true)->Name("ReadOnnx/conv")->RangeMultiplier(10)->Range(1000, 100000);

}  // namespace
}  // namespace dimwise
