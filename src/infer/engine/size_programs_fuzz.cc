// Fuzzes arithmetic over sizes. A program of up to 200 steps must not cost too many steps of queries, and its
// numbers must be those of inference with constant sizes. The bytes select the steps and the sizes.
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include "infer/engine/size_programs_testing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr uint64_t kMaxStepsPerNode = 20000;
  size_t next = 0;
  // After the last byte, a sequence that the bytes determine.
  uint64_t state = size;
  const dimwise::Choose choose = [&](uint32_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const uint64_t given = next < size ? data[next++] : 0;
    return static_cast<uint32_t>(((state >> 33) + given) % n);
  };
  const std::string program =
      dimwise::SizeProgramWriter(choose).Write(1 + static_cast<int>(std::min<size_t>(size, 199)));
  dimwise::SizeProgramCheck check(program);
  std::string mistake = check.Compare(1 + choose(50), 1 + choose(50));
  if (check.steps_per_node() > kMaxStepsPerNode) mistake += "too many steps";
  if (mistake.empty()) return 0;
  std::fprintf(stderr, "%s\n%s\n", mistake.c_str(), program.c_str());
  std::abort();
}
