// How fast this machine is today. Two figures that our code cannot change come first in every run of
// `make bench`, one bound by memory and one by the processor, so that figures from different days and
// machines can be compared as ratios to them.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "benchmark/benchmark.h"

namespace {

// A step of a generator with full period modulo 2^64 (Knuth's MMIX); the high bits are the good ones.
constexpr std::uint64_t Next(std::uint64_t x) { return x * 6364136223846793005u + 1442695040888963407u; }

// One look-up in a table of a million entries (8 MB). Each index depends on the entry before, so the look-ups
// wait for one another, as those in a hash table do.
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

// A thousand multiplications, each of the result of the one before.
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
