// Tests the normal form of conditions: its text, and that it is equivalent to the original condition.
#include "dimwise/condition.h"

#include <gtest/gtest.h>

#include <random>

#include "core/base/rounds_testing.h"

namespace dimwise {
namespace {

std::string Normal(DimTable& dims, std::string_view text) {
  const Result<Condition> condition = ParseCondition(dims, text);
  if (!condition) return ToString(condition.error());
  Condition normal;
  for (const Clause& clause : condition->clauses) normal.clauses.push_back(Normalize(dims, clause));
  return ToString(dims, normal);
}

TEST(ConditionTest, Normalize_TableOfConditions_GivesExpectedText) {
  struct Case {
    std::string_view text, normal;
  };
  for (const Case& c : {
           Case{"2*N == 4", "N == 2"},
           Case{"2*N >= 3", "N >= 2"},
           Case{"2*N == 3", "1 == 0"},
           Case{"N == N", "0 == 0"},
           Case{"M == N or N == M", "N == M"},
           // A lower bound of a quotient becomes a lower bound of the numerator.
           Case{"N//2 >= 1", "N >= 2"},
           Case{"(N + 3)//4 >= 2", "N >= 5"},
           Case{"N//2 <= 3", "N <= 7"},
           Case{"3*(N//2) >= 4", "N >= 4"},
           Case{"(N*M)//4 <= 0", "N*M <= 3"},
           Case{"((N + 1)//2)//3 >= 2", "N >= 11"},
           Case{"M + N//2 >= 1", "M + N//2 >= 1"},
           // A disjunction of complementary literals always holds.
           Case{"N >= 8 or N <= 7", "0 == 0"},
           Case{"N//8 >= 1 or M == 1 or N <= 9", "0 == 0"},
           Case{"N >= 9 or N <= 7", "N <= 7 or N >= 9"},
           // p rounded up to a multiple equals p exactly if p is a multiple. This also holds for a quotient
           // p.
           Case{"N == 4*((N + 3)//4)", "N % 4 == 0"},
           Case{"(N + 7)//8 == 4*((N + 31)//32)", "((N + 7)//8) % 4 == 0"},
           Case{"(N + 7)//8 == 4*((N + 7)//32)", "((N + 7)//8) % 4 == 0"},
           Case{"(N + 7)//8 == 4*((N + 30)//32)", "(N + 7)//8 == 4*((N + 30)//32)"},
           // A comparison with max or min where only one case is possible.
           Case{"max(N - 512, 0) == 0", "N <= 512"},
           Case{"max((N + 9)//4 - 5, 0) == 2", "(N + 1)//4 == 5"},
           Case{"max(N - 512, 0) != 0", "N >= 513"},
           Case{"N == max(N, 240)", "N >= 240"},
           Case{"N == min(N, M)", "M >= N"},
           Case{"min(N, 512) == 1", "N == 1"},
           Case{"min(N, 512) == 600", "1 == 0"},
           Case{"max(N, 4) == 2", "1 == 0"},
           Case{"max(N, 4) == 9", "N == 9"},
           Case{"max(N - 2, 0) >= 1", "N >= 3"},
           Case{"3*max(N - 2, 0) >= 4", "N >= 4"},
           Case{"max(N - 2, 0) <= 5", "N <= 7"},
           Case{"max(N - 2, 0) <= 0", "N <= 2"},
           Case{"max(N - 2, 0) >= 0", "0 == 0"},
           Case{"max(N - 2, 0) <= -1", "1 == 0"},
           Case{"min(N, 50) >= 3", "N >= 3"},
           Case{"min(N, 50) >= 51", "1 == 0"},
           Case{"max(N, 4) <= 9", "N <= 9"},
           Case{"min(max(N - 3, 0), 4) == 0", "N <= 3"},
           Case{"min(max(N - 3, 0), 4) == 2", "N == 5"},
           Case{"min(max(N - 3, 0), 4) == 4", "N >= 7"},
           Case{"min(max(N - 3, 0), 4) == 5", "1 == 0"},
           Case{"min(max(N - 3, 0), 4) != 4", "N <= 6"},
           Case{"min(max(N - 3, 0), 4) >= 2", "N >= 5"},
           Case{"min(max(N - 3, 0), 4) <= 1", "N <= 4"},
           Case{"2*min(max(N - M, 0), 4) >= 3", "N >= M + 2"},
           Case{"1 - min(max(N - 3, 0), 1) == 1", "N <= 3"},
           Case{"max(N, 4) >= 4", "0 == 0"},
           Case{"M*max(N - 2, 0) >= 1", "N*M >= 2*M + 1"},
           // Both cases are possible.
           Case{"min(N, 512) == M", "N == M + max(N - 512, 0)"},
           // A literal that implies another one is removed.
           Case{"N == 1 or N <= 8", "N <= 8"},
           Case{"N <= 3 or N <= 8", "N <= 8"},
           Case{"N == 1 or min(N, 512) == 1 or max(N - 512, 0) == 0", "N <= 512"},
           Case{"N == 2 or N % 2 == 0", "N % 2 == 0"},
           Case{"N == 1 or N == M or M == 1", "N == 1 or N == M or M == 1"},
       }) {
    DimTable dims;
    const Dim n = dims.Symbol("N"), m = dims.Symbol("M");
    EXPECT_NE(n, m);
    EXPECT_EQ(Normal(dims, c.text), c.normal) << c.text;
  }
}

bool Holds(const DimTable& dims, const Clause& clause, const std::vector<int64_t>& sizes,
           const std::vector<Dim>& symbols) {
  for (const Literal& l : clause) {
    const std::optional<int64_t> value = dims.Evaluate(l.value, [&](Dim s) -> std::optional<int64_t> {
      for (size_t i = 0; i < symbols.size(); ++i) {
        if (symbols[i] == s) return sizes[i];
      }
      return std::nullopt;
    });
    if (l.relation == Relation::kEqual      ? value == 0
        : l.relation == Relation::kNotEqual ? value != 0
                                            : value >= 0)
      return true;
  }
  return false;
}

// Compares random clauses over sums of symbols and max(0, ...) with their normal forms at all small numbers.
TEST(ConditionTest, Normalize_RandomClauses_IsEquivalent) {
  std::mt19937 random(1);
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
  for (int round = 0; round < Rounds(3000); ++round) {
    DimTable dims;
    const std::vector<Dim> symbols = {dims.IntegerSymbol("N"), dims.IntegerSymbol("M")};
    const auto linear = [&] {
      Dim sum = pick(-3, 3);
      for (const Dim s : symbols) sum = dims.Add(sum, dims.Multiply(pick(-2, 2), s));
      return sum;
    };
    Clause clause;
    for (int i = pick(1, 3); i > 0; --i) {
      Dim value = linear();
      for (int j = pick(0, 2); j > 0; --j) {
        value = dims.Add(value, dims.Multiply(pick(-2, 2), dims.Max(linear(), 0)));
      }
      if (pick(0, 2) == 0) {
        value = dims.Add(dims.Multiply(pick(-2, 2), dims.FloorDivide(value, pick(2, 4))), pick(-3, 3));
      }
      clause.push_back({value, static_cast<Relation>(pick(0, 2))});
    }
    const Clause normal = Normalize(dims, clause);
    for (int64_t n = -6; n <= 6; ++n) {
      for (int64_t m = -6; m <= 6; ++m) {
        ASSERT_EQ(Holds(dims, clause, {n, m}, symbols), Holds(dims, normal, {n, m}, symbols))
            << ToString(dims, clause) << " became " << ToString(dims, normal) << " at N = " << n
            << ", M = " << m;
      }
    }
    EXPECT_EQ(Normalize(dims, normal), normal) << ToString(dims, clause);
  }
}

// INT64_MAX is used as "to the end"; it needs no proof.
TEST(ConditionTest, AtLeast_LargestInteger_AlwaysHolds) {
  DimTable dims;
  const Dim n = dims.Symbol("N"), i = dims.IntegerSymbol("i");
  for (const Dim d : {n, i, dims.Multiply(n, i), Dim(INT64_MIN), Dim(INT64_MAX)}) {
    EXPECT_EQ(ToString(dims, Clause{AtLeast(dims, INT64_MAX, d)}), "0 == 0") << dims.ToString(d);
    EXPECT_EQ(ToString(dims, Clause{AtMost(dims, d, INT64_MAX)}), "0 == 0") << dims.ToString(d);
  }
  EXPECT_EQ(ToString(dims, Clause{AtLeast(dims, INT64_MAX - 1, n)}), "N <= 9223372036854775806");
}

}  // namespace
}  // namespace dimwise
