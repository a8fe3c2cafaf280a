#include "infer/engine/analyses/structure_table.h"

#include <gtest/gtest.h>

namespace dimwise {
namespace {

TEST(StructureTable, EqualSequences_HaveOneNumber) {
  StructureTable table;
  const uint64_t words[] = {7, 1, 2};
  EXPECT_EQ(table.NumberOf(words), 1u);
  EXPECT_EQ(table.NumberOf(words), 1u);
  EXPECT_EQ(table.size(), 1u);
}

TEST(StructureTable, SequenceAndItsPrefix_HaveDifferentNumbers) {
  StructureTable table;
  const uint64_t words[] = {7, 1, 0};
  EXPECT_EQ(table.NumberOf(std::span(words).first(0)), 1u);
  EXPECT_EQ(table.NumberOf(std::span(words).first(1)), 2u);
  EXPECT_EQ(table.NumberOf(std::span(words).first(2)), 3u);
  EXPECT_EQ(table.NumberOf(words), 4u);
}

TEST(StructureTable, ManySequences_KeepTheirNumbers) {
  StructureTable table;
  constexpr uint64_t kSequences = 5000;
  const auto number_of = [&](uint64_t i) {
    const uint64_t words[] = {i % 3, i, i << 32};
    return table.NumberOf(words);
  };
  for (uint64_t i = 0; i < kSequences; ++i) ASSERT_EQ(number_of(i), i + 1);
  for (uint64_t i = 0; i < kSequences; ++i) ASSERT_EQ(number_of(i), i + 1);
}

}  // namespace
}  // namespace dimwise
