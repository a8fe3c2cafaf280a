// Measures the CPU time of this process for both sides of `make bench-peers`.
#ifndef DIMWISE_BENCH_PEERS_CPU_CLOCK_H_
#define DIMWISE_BENCH_PEERS_CPU_CLOCK_H_

#include <time.h>

#include <cstdint>

namespace dimwise {

inline int64_t CpuNanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Returns the mean CPU time of a run. Runs are repeated for ten milliseconds, reading the clock less and less
// often. Runs of the first three milliseconds warm up the machine and do not count.
template <typename F>
int64_t NanosecondsOf(F&& run) {
  const auto repeat = [&](int64_t least, int64_t* runs) {
    const int64_t start = CpuNanoseconds();
    int64_t taken = 0;
    for (int64_t batch = 1; taken < least; batch *= 2) {
      for (int64_t i = 0; i < batch; ++i) run();
      *runs += batch;
      taken = CpuNanoseconds() - start;
    }
    return taken;
  };
  int64_t warming = 0, runs = 0;
  repeat(3'000'000, &warming);
  const int64_t taken = repeat(10'000'000, &runs);
  return taken / runs;
}

}  // namespace dimwise

#endif  // DIMWISE_BENCH_PEERS_CPU_CLOCK_H_
