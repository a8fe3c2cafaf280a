#include "core/base/unused_name.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <set>

namespace dimwise {
namespace {

TEST(UnusedNameTest, UnusedName_RepeatedCalls_NumberConsecutively) {
  std::set<std::string, std::less<>> taken;
  const auto next = [&](std::string_view name) {
    return *taken.insert(UnusedName(name, [&](std::string_view n) { return taken.contains(n); })).first;
  };
  EXPECT_EQ(next("x"), "x");
  for (int number = 2; number < 100; ++number) EXPECT_EQ(next("x"), "x_" + std::to_string(number));
  EXPECT_EQ(next("x_7"), "x_7_2");
  EXPECT_EQ(next("y"), "y");
}

TEST(UnusedNameTest, UnusedName_MillionTakenNumbers_QueriesAreLogarithmic) {
  size_t queries = 0;
  const auto is_taken = [&](std::string_view name) {
    ++queries;
    return name == "x" || std::stoi(std::string(name.substr(2))) <= 1'000'000;
  };
  EXPECT_EQ(UnusedName("x", is_taken), "x_1000001");
  EXPECT_LT(queries, 50u);
}

TEST(UnusedNameTest, UnusedName_AllPowersOfTwoTaken_Terminates) {
  std::set<std::string, std::less<>> taken{"x", "x_0"};
  for (uint64_t number = 2; number != 0; number *= 2) taken.insert("x_" + std::to_string(number));
  EXPECT_FALSE(taken.contains(UnusedName("x", [&](std::string_view n) { return taken.contains(n); })));
}

}  // namespace
}  // namespace dimwise
