// Measures the algebra of sizes: the cost of an operation on its first use and on repetition.
#include "benchmark/benchmark.h"
#include "dimwise/dim.h"
#include "dimwise/facts.h"

namespace dimwise {
namespace {

void DimAddConstants(benchmark::State& state) {
  DimTable table;
  Dim a = 3;
  for (auto _ : state) {
    benchmark::DoNotOptimize(a);
    benchmark::DoNotOptimize(table.Add(a, 4));
  }
}
BENCHMARK(DimAddConstants);

void DimAddSymbols(benchmark::State& state) {
  DimTable table;
  const Dim n = table.Symbol("N"), m = table.Symbol("M");
  for (auto _ : state) benchmark::DoNotOptimize(table.Add(n, m));
}
BENCHMARK(DimAddSymbols);

// Sums outside the recent cache: they are interned, but found by a hash lookup.
void DimAddManySums(benchmark::State& state) {
  DimTable table;
  const Dim n = table.Symbol("N");
  int64_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(table.Add(n, i & 4095));
    i += 7;
  }
}
BENCHMARK(DimAddManySums);

void DimMultiplySymbols(benchmark::State& state) {
  DimTable table;
  const Dim n = table.Symbol("N"), m = table.Add(table.Symbol("M"), 1);
  for (auto _ : state) benchmark::DoNotOptimize(table.Multiply(n, m));
}
BENCHMARK(DimMultiplySymbols);

void DimWindow(benchmark::State& state) {  // (H + 3 + 3 - 7)//2 + 1
  DimTable table;
  const Dim h = table.Symbol("H");
  for (auto _ : state) benchmark::DoNotOptimize(table.Add(table.FloorDivide(table.Add(h, -1), 2), 1));
}
BENCHMARK(DimWindow);

void FactsCompareSameSymbolPlusOne(benchmark::State& state) {
  DimTable table;
  Facts facts(table);
  const Dim n = table.Symbol("N"), more = table.Add(n, 1);
  for (auto _ : state) benchmark::DoNotOptimize(facts.AtLeast(more, n));
}
BENCHMARK(FactsCompareSameSymbolPlusOne);

void FactsEqualByAFact(benchmark::State& state) {
  DimTable table;
  Facts facts(table);
  const Dim n = table.Symbol("N"), m = table.Symbol("M");
  facts.Assert(Clause{Equal(table, n, m)}, FactKind::kGiven, 1);
  for (auto _ : state) benchmark::DoNotOptimize(facts.Equal(n, m));
}
BENCHMARK(FactsEqualByAFact);

}  // namespace
}  // namespace dimwise
