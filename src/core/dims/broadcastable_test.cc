#include "core/dims/broadcastable.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/dims/condition_logic.h"

namespace dimwise {
namespace {

constexpr std::string_view kSizeNames[] = {"A", "B", "C", "D"};

Condition ParsedSizes(DimTable& dims, std::string_view text) {
  for (const std::string_view name : kSizeNames) dims.Symbol(name);
  const Result<Condition> condition = ParseCondition(dims, text);
  EXPECT_TRUE(condition.has_value()) << text;
  return condition ? *condition : Condition{};
}

std::string NormalText(DimTable& dims, std::string_view text) {
  Condition condition = ParsedSizes(dims, text);
  for (Clause& clause : condition.clauses) clause = Normalize(dims, clause);
  return ToString(dims, condition);
}

// Evaluates a condition for the sizes A, B, C, D.
bool HoldsForSizes(DimTable& dims, const Condition& condition, const std::vector<int64_t>& sizes) {
  const auto size_of = [&](Dim symbol) -> std::optional<int64_t> {
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (dims.NameOf(symbol) == kSizeNames[i]) return sizes[i];
    }
    return std::nullopt;
  };
  for (const Clause& clause : condition.clauses) {
    bool any = false;
    for (const Literal& literal : clause) {
      const std::optional<int64_t> value = dims.Evaluate(literal.value, size_of);
      any = any || (value && IsTrueFor(literal.relation, *value));
    }
    if (!any) return false;
  }
  return true;
}

TEST(BroadcastableTest, Evaluate_TableOfSizes_IsTrueWhereSizesBroadcast) {
  struct Case {
    std::vector<int64_t> sizes;
    bool holds;
  };
  for (const Case& c : {
           Case{{1, 1, 1, 1}, true},
           Case{{5, 1, 5, 1}, true},
           Case{{1, 2, 3, 1}, false},  // pairs with the first size would allow this
           Case{{2, 1, 1, 3}, false},
           Case{{0, 1, 0, 1}, true},
           Case{{0, 1, 2, 1}, false},
           Case{{7, 7, 7, 7}, true},
           Case{{7, 7, 7, 8}, false},
       }) {
    DimTable dims;
    const Condition all = ParsedSizes(dims, "broadcastable(A, B, C, D)");
    EXPECT_EQ(HoldsForSizes(dims, all, c.sizes), c.holds) << testing::PrintToString(c.sizes);
    const Condition none = ParsedSizes(dims, "not broadcastable(A, B, C, D)");
    EXPECT_EQ(HoldsForSizes(dims, none, c.sizes), !c.holds) << testing::PrintToString(c.sizes);
  }
}

TEST(BroadcastableTest, Normalize_TableOfConditions_GivesExpectedText) {
  struct Case {
    std::string_view text, normal;
  };
  for (const Case& c : {
           Case{"broadcastable(B, A, C)", "broadcastable(A, B, C)"},
           Case{"broadcastable(A, 1, B, A, C)", "broadcastable(A, B, C)"},
           Case{"broadcastable(A, B)", "A == 1 or A == B or B == 1"},
           Case{"broadcastable(A, B, 1)", "A == 1 or A == B or B == 1"},
           Case{"broadcastable(A, 4)", "A == 4 or A == 1"},
           Case{"broadcastable(A, 4, B)", "broadcastable(A, B, 4)"},
           Case{"broadcastable(A)", "0 == 0"},
           Case{"broadcastable(A, 1)", "0 == 0"},
           Case{"broadcastable(A, 3, 4)", "1 == 0"},
           Case{"broadcastable(3, 1, 3)", "0 == 0"},
           Case{"broadcastable(A, broadcast(B, C))", "broadcastable(A, B, C)"},
           Case{"broadcastable(A, broadcast(A, B))", "A == 1 or A == B or B == 1"},
           Case{"broadcastable(A + 1, 2*B, C//2)", "broadcastable(A + 1, 2*B, C//2)"},
           Case{"not broadcastable(A, B, C)", "not broadcastable(A, B, C)"},
           Case{"not not broadcastable(A, B, C)", "broadcastable(A, B, C)"},
           Case{"not broadcastable(A, B)", "A != B and A != 1 and B != 1"},
           Case{"broadcastable(A, B, C) or D == 1", "D == 1 or broadcastable(A, B, C)"},
           Case{"broadcastable(A, B, C) and D == 1", "broadcastable(A, B, C) and D == 1"},
           // A condition that implies another alternative is removed.
           Case{"broadcastable(A, B, C) or broadcastable(A, B, C, D)", "broadcastable(A, B, C)"},
           Case{"broadcastable(A, B, C) or broadcastable(B, C, D)",
                "broadcastable(A, B, C) or broadcastable(B, C, D)"},
       }) {
    DimTable dims;
    const std::string normal = NormalText(dims, c.text);
    EXPECT_EQ(normal, c.normal) << c.text;
    EXPECT_EQ(NormalText(dims, normal), normal) << "what is printed is parsed again: " << c.text;
  }
}

TEST(BroadcastableTest, Parse_Mistakes_AreErrors) {
  for (const std::string_view text :
       {"broadcastable", "broadcastable(A", "broadcastable()", "broadcastable(A, B == 1)",
        "broadcastable(A, B, C) == 1", "1 + broadcastable(A, B, C) >= 1"}) {
    DimTable dims;
    EXPECT_FALSE(ParseCondition(dims, text).has_value()) << text;
  }
}

TEST(BroadcastableTest, SymbolOfThisName_IsQuoted) {
  DimTable dims;
  const Dim symbol = dims.Symbol("broadcastable");
  EXPECT_EQ(dims.ToString(symbol), "`broadcastable`");
  EXPECT_EQ(*dims.Parse("`broadcastable`"), symbol);
}

TEST(BroadcastableTest, IsImpliedBy_TableOfConditions_ComparesSets) {
  struct Case {
    std::string_view from, what;
    bool is_implied;
  };
  for (const Case& c : {
           Case{"broadcastable(A, B, C, D)", "broadcastable(A, B, C)", true},
           Case{"broadcastable(A, B, C, D)", "broadcastable(B, C, D)", true},
           Case{"broadcastable(A, B, C)", "broadcastable(A, B, C, D)", false},
           Case{"broadcastable(A, B, C, 4)", "broadcastable(A, B, C)", true},
           Case{"broadcastable(A, B, C, 4)", "broadcastable(A, B, C, 5)", false},
           Case{"not broadcastable(A, B, C)", "not broadcastable(A, B, C, D)", true},
           Case{"not broadcastable(A, B, C, D)", "not broadcastable(A, B, C)", false},
           Case{"broadcastable(A, B, C)", "not broadcastable(A, B, C, D)", false},
       }) {
    DimTable dims;
    const Literal from = ParsedSizes(dims, c.from).clauses.at(0).at(0);
    const Literal what = ParsedSizes(dims, c.what).clauses.at(0).at(0);
    EXPECT_EQ(IsImpliedBy(dims, what, from), c.is_implied) << c.from << " -> " << c.what;
  }
}

TEST(BroadcastableTest, ConflictOf_TableOfClauses_FindsSizes) {
  struct Case {
    std::string_view clause, sizes;
  };
  for (const Case& c : {
           Case{"A == B or A == 1 or B == 1", "conflict(A, B)"},
           Case{"A + 1 == 2*B or A == 0 or 2*B == 1", "none"},  // 2*B is never 1
           Case{"A == 3*B - 7 or A == 1 or 3*B == 8", "none"},
           Case{"A == C//2 or A == 1 or C//2 == 1", "conflict(A, C//2)"},
           Case{"broadcastable(A, B, C)", "conflict(A, B, C)"},
           Case{"not broadcastable(A, B, C)", "none"},
           Case{"A == B or A == 1", "none"},
           Case{"A == B or A == 1 or B == 2", "none"},
           Case{"A == B or A == 1 or C == 1", "none"},
           Case{"A == B or A == 1 or B == 1 or C == 1", "none"},
       }) {
    DimTable dims;
    const Clause clause = Normalize(dims, ParsedSizes(dims, c.clause).clauses.at(0));
    EXPECT_EQ(dims.ToString(ConflictOf(dims, clause)), c.sizes) << c.clause;
  }
}

TEST(BroadcastableTest, Substitute_EqualSizes_LeavesFewer) {
  DimTable dims;
  const Clause clause = ParsedSizes(dims, "broadcastable(A, B, C)").clauses.at(0);
  const Dim a = *dims.FindSymbol("A"), b = *dims.FindSymbol("B"), c = *dims.FindSymbol("C");
  const auto with = [&](Dim from, Dim to) {
    const Dim value = dims.Substitute(clause[0].value, [&](Dim d) { return d == from ? to : Dim(); });
    return ToString(dims, Normalize(dims, Clause{{value, Relation::kEqual}}));
  };
  EXPECT_EQ(with(a, b), "B == 1 or B == C or C == 1");
  EXPECT_EQ(with(c, 1), "A == 1 or A == B or B == 1");
  EXPECT_EQ(with(c, 8), "broadcastable(A, B, 8)");
  EXPECT_EQ(with(c, dims.Broadcast(a, b)), "A == 1 or A == B or B == 1");
}

}  // namespace
}  // namespace dimwise
