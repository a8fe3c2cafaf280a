#include "core/facts/literal_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/base/rounds_testing.h"
#include "core/dims/condition_logic.h"

namespace dimwise {
namespace {

// Returns the parts of the only literal of a text. N, M and K are sizes of at least 1; P may be 0.
std::string Parts(std::string_view text) {
  DimTable dims;
  for (const char* name : {"N", "M", "K", "P"}) dims.Symbol(name);
  const Result<Condition> condition = ParseCondition(dims, text);
  EXPECT_TRUE(condition.has_value()) << text;
  const auto is_size = [&](Dim d) { return dims.Kind(d) == DimKind::kSymbol && dims.ToString(d) != "P"; };
  const auto is_positive = [&](Dim d) {
    const bool is_quotient = dims.Kind(d) == DimKind::kFloorDiv && dims.Operands(d)[1].is_constant();
    if (!is_quotient) return is_size(d);
    const Dim size = dims.Subtract(dims.Operands(d)[0], dims.Operands(d)[1].constant() - 1);
    return size.is_expression() && is_size(size);  // rounded up
  };
  Condition parts;
  for (const Literal& part : PartsOf(dims, condition->clauses[0][0], is_positive))
    parts.clauses.push_back({part});
  return ToString(dims, parts);
}

TEST(LiteralPartsTest, PartsOf_FloorsEqualCeilings_AreRemainders) {
  EXPECT_EQ(Parts("((N + 7)//8)*((M + 3)//4) == (N//8)*(M//4)"), "N % 8 == 0 and M % 4 == 0");
  EXPECT_EQ(Parts("3*K*(N//8)*(M//4) == 3*K*((N + 7)//8)*((M + 3)//4)"), "N % 8 == 0 and M % 4 == 0");
  for (const std::string_view other : {
           "((N + 7)//8)*((M + 3)//4) == 2*(N//8)*(M//4)",
           "((M + 3)//4)*(N//8) == (M//4)*((N + 7)//8)",  // 2*1 == 1*2
           "((M + 3)//4)*((P + 7)//8) == (M//4)*(P//8)",  // any M where P is 0
       })
    EXPECT_EQ(Parts(other).find('%'), std::string::npos) << Parts(other);
}

TEST(LiteralPartsTest, PartsOf_TableOfLiterals_GivesExpectedText) {
  struct Case {
    std::string_view text, parts;
  };
  for (const Case& c : {
           Case{"N*K == 8*N", "K == 8"},
           Case{"N*M*K >= 2*N*M", "K >= 2"},
           Case{"N*N*M != 3*N", "N*M != 3"},
           Case{"P*K == 8*P", "8*P == K*P"},  // any K where P is 0
           Case{"N*K == 8*N + 1", "8*N + 1 == N*K"},
           Case{"N == M", "N == M"},
           Case{"N*M*K == 4*N*K*(M//4)", "M % 4 == 0"},
           Case{"N*M*K == 6*K*(N//2)*(M//3)", "N % 2 == 0 and M % 3 == 0"},
           Case{"N*N == 4*(N//2)*(N//2)", "N % 2 == 0 and N % 2 == 0"},
           Case{"N*M == 6*(N//2)*(M//6)", "N*M == 6*(N//2)*(M//6)"},
           Case{"N*M == 5*(N//2)*(M//3)", "N*M == 5*(N//2)*(M//3)"},
           Case{"N*M == 6*(N//2)*(K//3)", "N*M == 6*(N//2)*(K//3)"},
           Case{"P*M == 6*(P//2)*(M//3)", "M*P == 6*(M//3)*(P//2)"},
           Case{"N*M == 6*((N + 1)//2)*((M + 2)//3)", "N % 2 == 0 and M % 3 == 0"},
           Case{"N*M == 6*((N + 1)//2)*(M//3)", "N*M == 6*((N + 1)//2)*(M//3)"},  // 3*4 == 6*2*1
           Case{"N*M == 6*((N + 2)//2)*((M + 2)//3)", "N*M == 6*(N//2)*((M + 2)//3) + 6*((M + 2)//3)"},
           Case{"P*M == 6*((P + 1)//2)*((M + 2)//3)", "M*P == 6*((M + 2)//3)*((P + 1)//2)"},
           Case{"P//8 == (P + 7)//8", "P % 8 == 0"},
           Case{"P//8 == (P + 6)//8", "P//8 == (P + 6)//8"},
           Case{"(N + 15)//32 == 1", "N >= 17 and N <= 48"},
           Case{"3 == (N - 1)//2", "N >= 7 and N <= 8"},
           Case{"N//4 == 0", "N >= 0 and N <= 3"},
           Case{"2*N*M == 2", "N == 1 and M == 1"},
           Case{"N*M == 2", "N*M == 2"},
           Case{"N*P == 1", "N*P == 1"},
           Case{"1//N == 0", "N >= 2"},
           Case{"9//N == 2", "N >= 4 and N <= 4"},
           Case{"9//P == 2", "9//P == 2"},
           Case{"N*M*(8//K) == 0", "K >= 9"},
           Case{"N*P == 0", "P == 0"},
           Case{"N//4 + M == 2", "M + N//4 == 2"},
           Case{"min(N, M) >= 8", "N >= 8 and M >= 8"},
           Case{"min(N - 8, M, K + 1) >= 8", "N >= 16 and M >= 8 and K >= 7"},
           Case{"min(N//2, max((N + 1)//2 - 8, 1)) >= 3", "N >= 21"},
           Case{"M >= max(N, K)", "M >= K and M >= N"},
           Case{"max(N, M) >= 8", "max(N, M) >= 8"},
           Case{"N == max(min(N, 64 - M), 0)", "N + M <= 64"},
           Case{"max(min(P, 64 - M), 0) == P", "P == max(min(64 - M, P), 0)"},
       }) {
    EXPECT_EQ(Parts(c.text), c.parts) << c.text;
  }
}

// An image is split into patches of 4, and the patches into windows of 7. The last window is dropped or
// padded.
TEST(LiteralPartsTest, PartsOf_QuotientsOfQuotients_AreRemainders) {
  for (const std::string_view text :
       {"(N//4)*(M//4) == 49*(N//28)*(M//28)", "(N//4)*(M//4) == 49*((N + 24)//28)*((M + 24)//28)"}) {
    DimTable dims;
    const Result<Condition> condition = ParseCondition(dims, text);
    Condition parts;
    for (const Literal& part : PartsOf(dims, condition->clauses[0][0], [](Dim) { return true; }))
      parts.clauses.push_back({part});
    EXPECT_EQ(ToString(dims, parts), "(N//4) % 7 == 0 and (M//4) % 7 == 0") << text;
  }
}

TEST(LiteralPartsTest, PartsOf_RandomLiterals_AreEquivalent) {
  std::mt19937 random(1);
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
  size_t apart = 0;
  for (int round = 0; round < Rounds(2000); ++round) {
    DimTable dims;
    const Dim n = dims.Symbol("N"), m = dims.Symbol("M"), k = dims.Symbol("K");
    const int by_n = pick(1, 3), by_m = pick(1, 3);
    const auto divided = [&](Dim d, int by, bool up) {
      return dims.FloorDivide(up ? dims.Add(d, by - 1) : d, by);
    };
    const bool up = pick(0, 1) == 0;
    const Dim rounded = dims.Multiply(divided(n, by_n, up), divided(m, by_m, up != (pick(0, 4) == 0)));
    const Dim left = dims.Multiply(dims.Multiply(n, m), pick(0, 1) == 0 ? Dim(1) : k);
    const Dim right = dims.Multiply(dims.Multiply(rounded, pick(0, 1) == 0 ? Dim(1) : k),
                                    pick(0, 1) == 0 ? by_n * by_m : pick(1, 9));
    Dim value = dims.Subtract(left, right);
    if (pick(0, 2) == 0) value = dims.Subtract(dims.Min(value, dims.Multiply(pick(-2, 2), k)), pick(0, 9));
    if (pick(0, 3) == 0) value = dims.Add(dims.FloorDivide(dims.Add(n, m), pick(2, 4)), pick(-3, 0));
    const Literal whole{value, static_cast<Relation>(pick(0, 2))};
    const auto is_positive = [&](Dim d) { return dims.Kind(d) == DimKind::kSymbol; };
    const std::vector<Literal> parts = PartsOf(dims, whole, is_positive);
    if (parts.size() > 1) ++apart;
    for (int64_t i = 0; i < 6 * 6 * 3; ++i) {
      const auto value_of = [&](Dim s) -> std::optional<int64_t> {
        return 1 + (s == n ? i % 6 : s == m ? i / 6 % 6 : i / 36);
      };
      const auto holds = [&](const Literal& l) {
        return IsTrueFor(l.relation, *dims.Evaluate(l.value, value_of));
      };
      ASSERT_EQ(holds(whole), std::ranges::all_of(parts, holds)) << ToString(dims, whole);
    }
  }
  EXPECT_GT(apart, Rounds(50u));
}

}  // namespace
}  // namespace dimwise
