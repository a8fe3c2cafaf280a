// Measures how the time of `infer`, `guards` and `compile` together grows with patterns that are easily
// superlinear. The sizes double. The counter `per_element` is the time for one element of the pattern; Google
// Benchmark prints the fitted growth after each series.
#include <fmt/format.h>

#include <string>

#include "benchmark/benchmark.h"
#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"
#include "dimwise/inference.h"
#include "dimwise/program.h"

namespace dimwise {
namespace {

// Parameters `type_0, type_1, ...` where {i} in `type` is the index.
std::string Inputs(int count, const char* type) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += (i > 0 ? ", " : "") + fmt::format(fmt::runtime(type), fmt::arg("i", i));
  return text;
}

std::string Program(const std::string& inputs, const std::string& body, std::string_view result) {
  return fmt::format("opset onnx 21\ngraph g({}) {{\n{}  return {}\n}}\n", inputs, body, result);
}

// s, t = s*3//2 + t, t*5//3 + s.
std::string SizeArithmetic(int n) {
  std::string body =
      "  s0 = onnx.Shape(x; start=0, end=1)\n  t0 = onnx.Shape(x; start=1, end=2)\n"
      "  const c2: i64[1] = {2}\n  const c3: i64[1] = {3}\n  const c5: i64[1] = {5}\n";
  for (int i = 0; i < n; ++i) {
    body += fmt::format(
        "  a{0} = onnx.Mul(s{0}, c3)\n  b{0} = onnx.Div(a{0}, c2)\n  s{1} = onnx.Add(b{0}, t{0})\n"
        "  d{0} = onnx.Mul(t{0}, c5)\n  e{0} = onnx.Div(d{0}, c3)\n  t{1} = onnx.Add(e{0}, s{0})\n",
        i, i + 1);
  }
  return Program("x: f32[N, M]", body + fmt::format("  y = onnx.ConstantOfShape(s{})\n", n), "y");
}

// The sum of tensors with sizes of their own.
std::string SumOfInputs(int n) {
  return Program(Inputs(n, "x{i}: f32[A{i}, B{i}, 4]"), "  y = onnx.Sum(" + Inputs(n, "x{i}") + ")\n", "y");
}

// A concatenation of tensors with sizes of their own.
std::string ConcatOfInputs(int n) {
  return Program(Inputs(n, "x{i}: f32[A{i}, 4]"), "  y = onnx.Concat(" + Inputs(n, "x{i}") + "; axis=0)\n",
                 "y");
}

// A tensor split by the sizes of others.
std::string SplitBySizes(int n) {
  std::string body;
  for (int i = 0; i < n; ++i) body += fmt::format("  s{0} = onnx.Shape(x{0}; start=0, end=1)\n", i);
  body += "  sizes = onnx.Concat(" + Inputs(n, "s{i}") + "; axis=0)\n";
  body += "  " + Inputs(n, "p{i}") + " = onnx.Split(whole, sizes; axis=0)\n";
  return Program("whole: f32[T, 4], " + Inputs(n, "x{i}: f32[A{i}, 4]"), body, "p0");
}

// Layers with caches of different lengths, all of which must fit one mask.
std::string PastOfLayers(int n) {
  std::string body;
  for (int i = 0; i < n; ++i) {
    body += fmt::format("  k{0} = onnx.Concat(past{0}, h{0}; axis=1)\n  m{0} = onnx.Add(k{0}, mask)\n", i);
    body += fmt::format("  h{1} = onnx.Relu(h{0})\n", i, i + 1);
  }
  return Program("h0: f32[B, S, 8], mask: f32[B, T, 8], " + Inputs(n, "past{i}: f32[B, P{i}, 8]"), body,
                 Inputs(n, "m{i}"));
}

// Layers whose weights have a batch of their own.
std::string BatchOfLayers(int n) {
  std::string body;
  for (int i = 0; i < n; ++i) body += fmt::format("  h{1} = onnx.Add(h{0}, w{0})\n", i, i + 1);
  return Program("h0: f32[B, 8], " + Inputs(n, "w{i}: f32[B{i}, 8]"), body, fmt::format("h{}", n));
}

template <std::string (*kWrite)(int n)>
void Growth(benchmark::State& state) {
  const auto n = static_cast<int>(state.range(0));
  const std::string text = kWrite(n);
  for (auto _ : state) {
    Analysis analysis;
    const std::unique_ptr<Graph> graph = *ParseGraph(analysis, text);
    Inference inference(*graph, BuiltinRegistry(), {.used_assumptions = true});
    inference.Run();
    benchmark::DoNotOptimize(inference.guards().size());
    const ShapeProgram program(inference);
    benchmark::DoNotOptimize(&program);
  }
  state.SetComplexityN(n);
  state.counters["per_element"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * n, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(Growth<SizeArithmetic>)->RangeMultiplier(2)->Range(8, 64)->Complexity();
BENCHMARK(Growth<SumOfInputs>)->RangeMultiplier(2)->Range(25, 200)->Complexity();
BENCHMARK(Growth<ConcatOfInputs>)->RangeMultiplier(2)->Range(128, 1024)->Complexity();
BENCHMARK(Growth<SplitBySizes>)->RangeMultiplier(2)->Range(50, 400)->Complexity();
BENCHMARK(Growth<PastOfLayers>)->RangeMultiplier(2)->Range(16, 128)->Complexity();
BENCHMARK(Growth<BatchOfLayers>)->RangeMultiplier(2)->Range(50, 400)->Complexity();

}  // namespace
}  // namespace dimwise
