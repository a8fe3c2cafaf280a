#include "core/facts/broadcast_parts.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace dimwise {
namespace {

std::string PartsOfClause(std::string_view text) {
  DimTable dims;
  for (const char* name : {"N", "M", "K"}) dims.Symbol(name);
  const Result<Condition> condition = ParseCondition(dims, text);
  EXPECT_TRUE(condition.has_value() && condition->clauses.size() == 1) << text;
  return ToString(dims, Condition{WithoutBroadcasts(dims, condition->clauses[0])});
}

TEST(BroadcastPartsTest, WithoutBroadcasts_TableOfClauses_GivesParts) {
  DimTable dims;
  const std::string kNothing = ToString(dims, Condition{});
  struct Case {
    std::string_view text;
    std::string parts;
  };
  for (const Case& c : {
           Case{"N == broadcast(N, M)", "M == 1 or M == N"},
           Case{"broadcast(N, M) == M", "N == 1 or N == M"},
           Case{"M - 2 == broadcast(N, M - 2)", "N == 1 or N + 2 == M"},
           Case{"K == broadcast(N, M, K)", "(N == 1 or N == K) and (M == 1 or M == K)"},
           Case{"K >= 4 or N == broadcast(N, M)", "K >= 4 or M == 1 or M == N"},
           Case{"4*N == 4*broadcast(N, M)", "M == 1 or M == N"},
           Case{"N == broadcast(N, M) or N == 1 or broadcast(N, M) == 1", "M == 1 or N == 1 or M == N"},
           Case{"K == broadcast(N, M)", kNothing},
           Case{"N >= broadcast(N, M)", kNothing},
           Case{"N == 2*broadcast(N, M)", kNothing},
           Case{"N == M", kNothing},
       }) {
    EXPECT_EQ(PartsOfClause(c.text), c.parts) << c.text;
  }
}

}  // namespace
}  // namespace dimwise
