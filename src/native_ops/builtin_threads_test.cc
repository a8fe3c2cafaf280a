// Tests that threads, each with its own analysis, share one registry of built-in operators. The first use of
// an operator in any thread parses its rule.
#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <vector>

#include "dimwise/builtin.h"
#include "native_ops/op_table_testing.h"

namespace dimwise {
namespace {

TEST(BuiltinThreadsTest, BuiltinRegistry_UsedByThreads_IsShared) {
  static constexpr std::array<OpCase, 3> kCases = {{
      {"onnx.Conv", "f32[N, 3, 8, 8]; f32[8, 3, 3, 3]", "pads=1,1,1,1", "f32[N, 8, 8, 8]"},
      {"onnx.Add", "f32[N]; f32[M]", "", "f32[broadcast(N, M)]\ncheck: N == M or N == 1 or M == 1"},
      {"onnx.Reshape", "f32[N, 6]; i64[2]={-1, 3}", "", "f32[2*N, 3]"},
  }};
  std::vector<std::thread> threads;
  std::array<const OpRegistry*, 4> seen{};
  for (size_t i = 0; i < seen.size(); ++i) {
    threads.emplace_back([&seen, i] {
      seen[i] = &BuiltinRegistry();
      for (const OpRegistrationData* op : BuiltinRegistry().List("com.microsoft")) EXPECT_TRUE(op->shape_fn);
      for (int round = 0; round < 50; ++round) ExpectOpCases(kCases);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const OpRegistry* registry : seen) EXPECT_EQ(registry, seen[0]);
}

}  // namespace
}  // namespace dimwise
