// Tests concurrent lookups, lists and errors in one registry, so that tsan can detect data races.
#include <atomic>
#include <thread>

#include "dimwise/op_registry.h"
#include "gtest/gtest.h"

namespace dimwise {
namespace {

TEST(OpRegistryThreadsTest, Registry_UsedByThreads_IsConsistent) {
  OpRegistryBuilder builder;
  for (int i = 0; i < 50; ++i) {
    builder.Register(OpDefBuilder("test.Op" + std::to_string(i))
                         .Input("x: any")
                         .Output("y: any")
                         .Trait(Trait::kElementwise));
  }
  auto built = builder.Build();
  ASSERT_TRUE(built) << built.error().message;
  const OpRegistry registry = *std::move(built);
  std::atomic<int> found = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([registry, &found] {
      for (int i = 0; i < 100; ++i) {
        const auto op = registry.LookUp("test.Op" + std::to_string(i));
        if (op && CheckArity((*op)->def, 1)) ++found;
      }
      found += static_cast<int>(registry.List("test").size());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(found, 4 * (50 + 50));
}

}  // namespace
}  // namespace dimwise
