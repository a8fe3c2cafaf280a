// Measures shape programs of models with 10,000 nodes: a run for new input sizes, which computes all distinct
// expressions and guards; writing all shapes; computing bytes and the peak; and compilation.
//
// `distinct` is a chain of Relu. Each 50th node is a Concat with one of two inputs, so that there are 200
// distinct sizes, followed by a MatMul, so that there are as many guards.
#include "dimwise/program.h"
#include "benchmark/benchmark.h"
#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"
#include "dimwise/inference.h"
#include "graph/graph_samples_testing.h"

namespace dimwise {
namespace {

std::unique_ptr<Graph> Distinct(Analysis& analysis, size_t nodes) {
  auto graph = std::make_unique<Graph>(analysis);
  const RegionId body = graph->body();
  const auto input = [&](std::string_view name, std::string_view type) {
    return graph->AddInput(body, name, ParseType(analysis, type).value());
  };
  ValueId x = input("x", "f32[N, S]");
  const ValueId rows[] = {input("a", "f32[M, S]"), input("b", "f32[K, S]")};
  const OpId relu = graph->UseOp("onnx.Relu", 17), concat = graph->UseOp("onnx.Concat", 17),
             add = graph->UseOp("onnx.Add", 17);
  AttrMap axis;
  axis.Set("axis", AttrValue(int64_t{0}));
  const AttrsId axis_0 = graph->AddAttrs(std::move(axis));
  const ValueId other = input("other", "f32[P, 1]");
  for (size_t i = 0; graph->node_count() < nodes; ++i) {
    NodeId node;
    if (i % 50 == 0) {
      node = graph->AddNode(body, {.op = concat, .attrs = axis_0}, {x, rows[i / 50 % 2]},
                            {graph->StoreCopy("c" + std::to_string(i))});
      const ValueId joined = graph->results(node)[0];
      node = graph->AddNode(body, {.op = add}, {joined, other}, {graph->StoreCopy("s" + std::to_string(i))});
      x = joined;  // a second broadcast would add no size
      graph->AddOutput(body, graph->results(node)[0]);
      continue;
    }
    node = graph->AddNode(body, {.op = relu}, {x}, {graph->StoreCopy("r" + std::to_string(i))});
    x = graph->results(node)[0];
  }
  graph->AddOutput(body, x);
  return graph;
}

std::unique_ptr<Graph> Transformer(Analysis& analysis, size_t nodes) {
  return TransformerSample(analysis, nodes / 39, true);
}
std::unique_ptr<Graph> ConvNet(Analysis& analysis, size_t nodes) {
  return ConvNetSample(analysis, nodes / 7, true);
}

using Make = std::unique_ptr<Graph> (*)(Analysis& analysis, size_t nodes);
constexpr size_t kNodes = 10000;

template <Make kMake>
const ShapeProgram& ProgramOf() {
  static const ShapeProgram* const program = [] {
    Analysis analysis;
    const auto graph = kMake(analysis, kNodes);
    Inference inference(*graph, BuiltinRegistry());
    inference.Run();
    return new ShapeProgram(inference);
  }();
  return *program;
}

void SetSizes(const ShapeProgram& program, std::vector<int64_t>& table, int64_t size) {
  for (const ShapeProgram::Symbol& symbol : program.symbols()) {
    table[symbol.index] = symbol.name == "P" ? 1 : size;
  }
}

void Count(benchmark::State& state, const ShapeProgram& program) {
  size_t expressions = 0;
  for (const std::string& text : program.expressions()) expressions += text.empty() ? 0u : 1u;
  state.counters["expressions"] = static_cast<double>(expressions);
  state.counters["checks"] = static_cast<double>(program.guards().size());
}

template <Make kMake>
void Run(benchmark::State& state) {
  const ShapeProgram& program = ProgramOf<kMake>();
  std::vector<int64_t> table = program.NewTable();
  int64_t size = 64;
  for (auto _ : state) {
    size = size == 64 ? 128 : 64;
    SetSizes(program, table, size);
    const int code = program.Run(0, table);
    if (code != 0) state.SkipWithError(program.Message(code).c_str());
    benchmark::ClobberMemory();
  }
  Count(state, program);
}

template <Make kMake>
void WriteShapes(benchmark::State& state) {
  const ShapeProgram& program = ProgramOf<kMake>();
  std::vector<int64_t> table = program.NewTable();
  SetSizes(program, table, 64);
  if (program.Run(0, table) != 0) state.SkipWithError("a check fails");
  std::vector<int64_t> sizes(program.values().size() * 8);
  for (auto _ : state) {
    int64_t* out = sizes.data();
    for (const ShapeProgram::Value& value : program.values()) {
      for (const uint32_t index : program.ShapeOf(value)) *out++ = table[index];
    }
    benchmark::DoNotOptimize(out);
    benchmark::ClobberMemory();
  }
  state.counters["values"] = static_cast<double>(program.values().size());
}

template <Make kMake>
void Memory(benchmark::State& state) {
  const ShapeProgram& program = ProgramOf<kMake>();
  std::vector<int64_t> table = program.NewTable();
  SetSizes(program, table, 64);
  if (program.Run(0, table) != 0) state.SkipWithError("a check fails");
  for (auto _ : state) {
    benchmark::DoNotOptimize(program.RunMemory(0, table));
    benchmark::ClobberMemory();
  }
}

template <Make kMake>
void Compile(benchmark::State& state) {
  Analysis analysis;
  const auto graph = kMake(analysis, kNodes);
  Inference inference(*graph, BuiltinRegistry());
  inference.Run();
  for (auto _ : state) {
    const ShapeProgram program(inference);
    benchmark::DoNotOptimize(program.table_size());
  }
}

BENCHMARK(Run<Distinct>)->Name("Program/run/distinct")->Unit(benchmark::kMicrosecond);
BENCHMARK(Run<Transformer>)->Name("Program/run/transformer")->Unit(benchmark::kMicrosecond);
BENCHMARK(Run<ConvNet>)->Name("Program/run/convnet")->Unit(benchmark::kMicrosecond);
BENCHMARK(WriteShapes<Distinct>)->Name("Program/write_shapes/distinct")->Unit(benchmark::kMicrosecond);
BENCHMARK(WriteShapes<Transformer>)->Name("Program/write_shapes/transformer")->Unit(benchmark::kMicrosecond);
BENCHMARK(Memory<Distinct>)->Name("Program/memory/distinct")->Unit(benchmark::kMicrosecond);
BENCHMARK(Memory<Transformer>)->Name("Program/memory/transformer")->Unit(benchmark::kMicrosecond);
BENCHMARK(Compile<Distinct>)->Name("Program/compile/distinct")->Unit(benchmark::kMillisecond);
BENCHMARK(Compile<Transformer>)->Name("Program/compile/transformer")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dimwise
