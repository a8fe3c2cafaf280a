// Calibrates the machine. Every run of `make bench` starts with two benchmarks that our code does not affect:
// one is bound by memory, one by the processor. Results of different days and machines are comparable as
// ratios to them.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "benchmark/benchmark.h"

namespace {

// Returns the next state of a generator with full period modulo 2^64 (Knuth's MMIX). Its high bits are
// random.
constexpr std::uint64_t Next(std::uint64_t x) { return x * 6364136223846793005u + 1442695040888963407u; }

// Looks up an entry of a table with a million entries (8 MB). Each index depends on the entry before, so the
// lookups are serialized, as in a hash table.
void CalibrateLookupInMillion(benchmark::State& state) {
  constexpr std::size_t kEntries = std::size_t{1} << 20;
  std::vector<std::uint64_t> table(kEntries);
  std::uint64_t x = 1;
  for (std::uint64_t& entry : table) entry = x = Next(x);
  std::uint64_t at = 0;
  for (auto _ : state) {
    at = Next(at ^ table[at >> 44]);
    benchmark::DoNotOptimize(at);
  }
}
BENCHMARK(CalibrateLookupInMillion);

// A thousand multiplications, each of which depends on the one before.
void CalibrateThousandMultiplications(benchmark::State& state) {
  std::uint64_t product = 3;
  for (auto _ : state) {
    for (int i = 0; i < 1000; ++i) {
      product *= 0x9E3779B97F4A7C15u;
      benchmark::DoNotOptimize(product);
    }
  }
}
BENCHMARK(CalibrateThousandMultiplications);

}  // namespace
