// Tests that threads can share a program, each with its own table.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"
#include "dimwise/program.h"

namespace dimwise {
namespace {

TEST(ProgramThreadsTest, Run_SharedByThreads_GivesSameResults) {
  Analysis analysis;
  const auto graph = ParseGraph(analysis, R"(opset onnx 17
graph g(x: f32[N, S], y: f32[M, S]) {
  const flat: i64[1] = {-1}
  z = onnx.Concat(x, y; axis=0) @concat
  r = onnx.Reshape(z, flat) @flatten
  return r
})")
                         .value();
  Inference inference(*graph, BuiltinRegistry());
  inference.Run();
  const ShapeProgram program(inference);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int64_t t = 1; t <= 4; ++t) {
    threads.emplace_back([&program, &wrong, t] {
      std::vector<int64_t> table = program.NewTable();
      for (int64_t n = 1; n < 200; ++n) {
        table[program.FindSymbol("N")->index] = n;
        table[program.FindSymbol("M")->index] = t;
        table[program.FindSymbol("S")->index] = 2 * t;
        if (program.Run(0, table) != 0 || program.Size(*program.FindValue("r"), 0, table) != (n + t) * 2 * t)
          ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace dimwise
