// CPU time of this process, for both sides of `make bench-peers`.
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

// Of one run; runs are repeated until they take ten milliseconds, looking at the clock ever less often, and
// the mean is told.
template <typename F>
int64_t NanosecondsOf(F&& run) {
  int64_t runs = 0, taken = 0;
  const int64_t start = CpuNanoseconds();
  for (int64_t batch = 1; taken < 10'000'000; batch *= 2) {
    for (int64_t i = 0; i < batch; ++i) run();
    runs += batch;
    taken = CpuNanoseconds() - start;
  }
  return taken / runs;
}

}  // namespace dimwise

#endif  // DIMWISE_BENCH_PEERS_CPU_CLOCK_H_
