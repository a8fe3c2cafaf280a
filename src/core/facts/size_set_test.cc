#include "core/facts/size_set.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/base/rounds_testing.h"
#include "core/dims/condition_logic.h"

namespace dimwise {
namespace {

// Returns whether one condition on N implies another for N >= 1: yes, no or not counted.
std::string Implies(std::string_view premise, std::string_view conclusion) {
  DimTable dims;
  const Dim n = dims.Symbol("N");
  const auto set_of = [&](std::string_view text) {
    const Result<Condition> condition = ParseCondition(dims, text);
    EXPECT_TRUE(condition.has_value() && condition->clauses.size() == 1) << text;
    return SizeSet::Of(dims, condition->clauses[0], n);
  };
  const std::optional<SizeSet> given = set_of(premise), asked = set_of(conclusion);
  if (!given || !asked) return "not counted";
  const std::optional<SizeSet> all = SizeSet::Both(*given, *SizeSet::From(1));
  const std::optional<bool> is_within = all ? all->IsWithin(*asked) : std::nullopt;
  return !is_within ? "not counted" : *is_within ? "yes" : "no";
}

TEST(SizeSetTest, IsWithin_TableOfConditions_GivesAnswer) {
  struct Case {
    std::string_view premise, conclusion, answer;
  };
  for (const Case& c : {
           Case{"N >= 8", "N >= 4", "yes"},
           Case{"N >= 4", "N >= 8", "no"},
           Case{"N % 7 == 0", "N >= 7", "yes"},
           Case{"N % 8 == 0", "N % 4 == 0", "yes"},
           Case{"N % 4 == 0", "N % 8 == 0", "no"},
           Case{"((N + 7)//8) % 4 == 0", "((N + 15)//16) % 2 == 0", "yes"},
           Case{"((N + 15)//16) % 2 == 0", "((N + 7)//8) % 4 == 0", "no"},
           Case{"N <= 4 or ((N + 3)//4) % 8 == 0", "N <= 8 or ((N + 7)//8) % 4 == 0", "yes"},
           Case{"max((N + 320)//512, 0) == 1", "N >= 192", "yes"},
           Case{"max((N + 320)//512, 0) == 1", "N >= 193", "no"},
           Case{"min(N, 50) >= 20", "N >= 20", "yes"},
           Case{"min(N, 50) >= 60", "N >= 100", "yes"},  // no size satisfies it
           Case{"N == 5 or N == 7", "N % 2 != 0", "yes"},
           Case{"2*N == 3*(N//2) + 9", "N >= 15", "yes"},
           // Another symbol, a product, a quotient by a size, a period beyond the limit.
           Case{"N == M", "N >= 1", "not counted"},
           Case{"N*N == 9", "N == 3", "not counted"},
           Case{"12//N == 3", "N == 4", "not counted"},
           Case{"N >= 100000", "N >= 4", "not counted"},
           Case{"N % 127 == 0", "N % 129 == 0", "no"},
           Case{"N % 128 == 0", "N % 129 == 0", "not counted"},
           Case{"1000000000000*N == 7", "N >= 1", "yes"},
           Case{"9000000000000000000*N == 7", "N >= 1", "not counted"},
       }) {
    EXPECT_EQ(Implies(c.premise, c.conclusion), c.answer) << c.premise << " => " << c.conclusion;
  }
}

TEST(SizeSetTest, Gaps_TableOfConditions_ListsRangesOrNone) {
  struct Case {
    std::string_view text, gaps;
  };
  for (const Case& c : {
           Case{"N >= 0", ""},
           Case{"N >= 8", "0..7"},
           Case{"N <= 8", "9.."},
           Case{"N <= -1", "0.."},
           Case{"(N + 15)//32 == 1", "0..16 49.."},
           Case{"min(N, 50) == N or N == 51", "52.."},
           Case{"N != 3", "3..3"},
           Case{"N <= 3 or N == 5 or N >= 9", "4..4 6..8"},
           Case{"N % 2 == 0", "infinite"},
           Case{"N % 2 == 0 or N >= 4", "1..1 3..3"},
           Case{"(N + 2)//3 != 1", "1..3"},
       }) {
    DimTable dims;
    const Dim n = dims.Symbol("N");
    const std::optional<SizeSet> set = SizeSet::Of(dims, ParseCondition(dims, c.text).value().clauses[0], n);
    const std::optional<std::vector<SizeSet::Range>> gaps = set.value().Gaps();
    std::string text;
    for (const SizeSet::Range& gap : gaps.value_or(std::vector<SizeSet::Range>())) {
      if (!text.empty()) text += ' ';
      text += fmt::format("{}..", gap.least) + (gap.most ? std::to_string(*gap.most) : "");
    }
    EXPECT_EQ(gaps ? text : "infinite", c.gaps) << c.text;
  }
}

// Returns a random expression of N with sums, quotients, minima and maxima.
Dim RandomSteps(DimTable& dims, Dim n, std::mt19937& random, int depth) {
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
  const Dim line = dims.Add(dims.Multiply(pick(-2, 3), n), pick(-9, 9));
  if (depth == 0) return line;
  const Dim a = RandomSteps(dims, n, random, depth - 1);
  switch (pick(0, 3)) {
    case 0:
      return dims.FloorDivide(a, pick(2, 5));
    case 1:
      return dims.Max(a, line);
    case 2:
      return dims.Min(a, line);
    default:
      return dims.Add(a, dims.FloorDivide(line, pick(2, 4)));
  }
}

TEST(SizeSetTest, Contains_RandomConditions_AgreesWithEvaluate) {
  std::mt19937 random(1);
  DimTable dims;
  const Dim n = dims.Symbol("N");
  int counted = 0;
  for (int i = 0; i < Rounds(2000); ++i) {
    Clause clause;
    for (int k = 0; k < 2; ++k)
      clause.push_back({RandomSteps(dims, n, random, 2), static_cast<Relation>(random() % 3)});
    const std::optional<SizeSet> set = SizeSet::Of(dims, clause, n);
    if (!set) continue;
    ++counted;
    for (int64_t size = 0; size < 300; ++size) {
      const auto size_of = [&](Dim) { return std::optional(size); };
      const bool holds = std::ranges::any_of(clause, [&](const Literal& l) {
        const int64_t value = dims.Evaluate(l.value, size_of).value();
        return l.relation == Relation::kEqual      ? value == 0
               : l.relation == Relation::kNotEqual ? value != 0
                                                   : value >= 0;
      });
      ASSERT_EQ(set->Contains(static_cast<uint64_t>(size)), holds)
          << ToString(dims, clause) << " at " << size;
    }
  }
  EXPECT_GT(counted, Rounds(1900));
}

}  // namespace
}  // namespace dimwise
