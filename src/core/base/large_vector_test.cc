#include "dimwise/large_vector.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <utility>

namespace dimwise {
namespace {

constexpr uintptr_t kPage = uintptr_t{1} << 21;

bool BeginsWithPage(const void* memory) { return reinterpret_cast<uintptr_t>(memory) % kPage == 0; }

TEST(LargeVector, LargeVector_GrowthIntoLargePages_KeepsElements) {
  LargeVector<uint32_t> v;
  for (uint32_t i = 0; i < 3'000'000; ++i) v.push_back(i);
  uint64_t sum = 0;
  for (const uint32_t x : v) sum += x;
  EXPECT_EQ(sum, uint64_t{3'000'000} * 2'999'999 / 2);
  EXPECT_TRUE(BeginsWithPage(v.data()));
  LargeVector<uint32_t> copy = v;
  EXPECT_EQ(copy, v);
  copy = std::move(v);
  EXPECT_EQ(copy.back(), 2'999'999u);
}

TEST(LargeVector, LargeVector_ShrinkAcrossPageLimit_FreesMemory) {
  // Sizes around the limit for large pages: growth to both sides, and shrinking across it.
  for (const size_t count : {kPage / 8 - 1, kPage / 8, kPage / 8 + 1}) {
    LargeVector<uint64_t> v(count);
    std::iota(v.begin(), v.end(), uint64_t{0});
    EXPECT_EQ(BeginsWithPage(v.data()), count >= kPage / 8) << count;
    v.resize(10);
    v.shrink_to_fit();
    EXPECT_EQ(v[9], 9u);
  }
}

}  // namespace
}  // namespace dimwise
