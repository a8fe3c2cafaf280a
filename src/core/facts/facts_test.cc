// Tests queries with tables of facts, a query and its answer.
#include "dimwise/facts.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dimwise {
namespace {

class FactsFixture : public ::testing::Test {
 protected:
  FactsFixture() {
    for (const char* name : {"N", "M", "K", "P"}) dims.Symbol(name);
  }
  ConstraintId Assume(std::string_view text, OwnerId owner = 1, FactKind kind = FactKind::kGiven,
                      ScopeId scope = ScopeId::kRoot) {
    Result<Condition> c = ParseCondition(dims, text);
    EXPECT_TRUE(c.has_value()) << text;
    ConstraintId last{};
    for (const Clause& clause : c->clauses) last = facts.Assert(clause, kind, owner, scope);
    return last;
  }
  std::string Query(std::string_view text, ScopeId scope = ScopeId::kRoot,
                    FactFilter filter = FactFilter::kEverything) {
    Result<Condition> c = ParseCondition(dims, text);
    EXPECT_TRUE(c.has_value()) << text;
    const Truth t = facts.Holds(*c, scope, filter);
    return t == Truth::kYes ? "yes" : t == Truth::kNo ? "no" : "maybe";
  }
  std::string Simple(std::string_view text, bool solve = false) {
    return dims.ToString(facts.Simplify(*dims.Parse(text), ScopeId::kRoot, FactFilter::kEverything, solve));
  }

  DimTable dims;
  Facts facts{dims};
};

// The answer to a query is the same with and without answers in the cache.
TEST_F(FactsFixture, Holds_BeyondTheLimitOfSteps_IsOpenEachTime) {
  Assume("N >= 3, M >= 2*N, K >= M + N");
  const char* hard = "max(N - M, 0) + max(M - K, 0)*K//2 <= K//2 + max(K - N*M, 0)";
  EXPECT_EQ(Query(hard), "yes");
  EXPECT_EQ(facts.unfinished_queries(), 0);
  facts.SetMaxQuerySteps(4);
  EXPECT_EQ(Query(hard), "maybe");
  EXPECT_EQ(facts.unfinished_queries(), 1);
  EXPECT_EQ(Query(hard), "maybe");
  facts.SetMaxQuerySteps(Facts::kDefaultQuerySteps);
  EXPECT_EQ(Query(hard), "yes");
}

struct QueryRow {
  const char* facts;
  const char* query;
  const char* answer;
};

TEST(FactsTest, Holds_TableOfQueries_GivesAnswer) {
  const QueryRow rows[] = {
      // Without facts: sizes are >= 0, and the laws of the algebra hold.
      {"", "N >= 0", "yes"},
      {"", "N + 1 > 0", "yes"},
      {"", "N == M", "maybe"},
      {"", "N == N + 1", "no"},
      {"", "2*N == 2*M + 1", "no"},
      {"", "N//2 + (N + 1)//2 == N", "yes"},
      {"", "max(max(N - 20, 0), max(N - 7, -2)) >= 0", "yes"},
      {"", "max(max(N - 20, -1), max(N - 7, -2)) >= 0", "maybe"},
      {"", "N % 4 <= 3", "yes"},
      {"N % 7 == 0, M % 7 == 0", "K*(N//7)*(M//7) == K*(N*M//49)", "yes"},
      {"N % 7 == 0", "K*(N//7)*(M//7) == K*(N*M//49)", "maybe"},
      {"(N//4) % 7 == 0, (M//4) % 7 == 0", "49*(N//28)*(M//28) == (N//4)*(M//4)", "yes"},
      {"(N//4) % 7 == 0", "49*(N//28)*(M//28) == (N//4)*(M//4)", "maybe"},
      {"", "N//M >= 0", "yes"},  // where it is defined
      {"", "N//(M - K) >= 0", "maybe"},
      {"", "4*(N//4) <= N", "yes"},
      {"", "min(N, M) <= N", "yes"},
      {"", "max(N, M) >= M", "yes"},
      {"", "min(N, M) <= max(N, M)", "yes"},
      {"", "min(N, 5) <= 7", "yes"},
      {"", "min(A, 9) + min(B, 9) + min(C, 9) + min(D, 9) + min(E, 9) + min(F, 9) + min(G, 9) >= 0", "yes"},
      {"", "min(A, 9) + min(B, 9) + min(C, 9) + min(D, 9) + min(E, 9) + min(F, 9) + min(G, 9) <= 63", "yes"},
      {"", "N*M >= 0", "yes"},
      {"", "N*M == 0 or N*M >= 1", "maybe"},  // there is no case analysis
      // Equalities solve symbols.
      {"M == N", "M + 1 == N + 1", "yes"},
      {"M == N + 1", "M > N", "yes"},
      {"M == N + 1, K == M + 1", "K == N + 2", "yes"},
      {"2*N == 8", "N == 4", "yes"},
      {"2*N == 3*M", "4*N == 6*M", "yes"},
      {"N*M == 12", "N*M >= 12", "yes"},
      {"N*M == 8*N, N >= 1", "M == 8", "yes"},
      {"N*M == 8*N", "M == 8", "maybe"},
      {"K*N*M == 2*K*N*N, K >= 1, N >= 2", "M == 2*N", "yes"},
      {"M == N - 3", "N >= 3", "yes"},  // since M >= 0
      // Congruences.
      {"N % 8 == 0", "N//8*8 == N", "yes"},
      {"N % 8 == 0", "N % 4 == 0", "yes"},
      {"N % 8 == 0", "(N + 4) % 8 == 4", "yes"},
      {"N % 8 == 0", "N == 12", "no"},
      {"N % 8 == 0", "N % 16 == 0", "maybe"},
      {"N % 4 == 1, N % 6 == 3", "N % 12 == 9", "yes"},
      {"N == 2*(N//2)", "N % 2 == 0", "yes"},
      {"2*N % 6 == 4", "N % 3 == 2", "yes"},
      {"N % 8 == 3", "N >= 3", "yes"},
      {"N % 8 == 0, N >= 1", "N >= 8", "yes"},
      {"N % 8 == 0, M % 8 == 0", "(N + M) % 8 == 0", "yes"},
      // Bounds, and one combination of two facts.
      {"N >= 1", "N != 0", "yes"},
      {"N <= 4096", "N + 1 <= 4097", "yes"},
      {"N >= P, P >= 3", "N >= 3", "yes"},
      {"N >= P", "N - P >= 0", "yes"},
      {"N >= P + 2", "N == P", "no"},
      {"N >= 1, N <= 1", "N == 1", "yes"},
      {"N != 0", "N >= 1", "yes"},
      {"N >= 1, M >= 1", "N*M >= N", "yes"},
      {"N >= 2, M >= 3", "N*M >= 6", "yes"},
      {"N >= 1, M >= 1", "(N - 1)*(M - 1) >= 0", "yes"},
      {"N >= 3, M >= 3", "(N - 2)*(M - 2)*K >= K", "yes"},
      {"N >= 2, M >= 3", "(N - 2)*(M - 2) >= 1", "maybe"},
      {"N >= 1, M//4 >= 1", "(1 - 2*N)*(2*(M//4) - 1) <= -1", "yes"},
      {"K <= N*M", "K <= N*M + 1", "yes"},
      {"N >= 1", "(N + 1)//2 >= 1", "yes"},
      {"N % M == 0, N >= 1, M >= 1", "N//M >= 1", "yes"},
      {"N % M == 0, M >= 1", "N//M >= 1", "maybe"},
      {"N >= 1, M >= 1", "N//M >= 1", "maybe"},
      {"N >= 5", "(N - 5)//2 + 1 >= 1", "yes"},
      // Disjunctions: unit propagation only.
      {"N == M or N == 1 or M == 1, N >= 2, M >= 2", "N == M", "yes"},
      {"N == M or N == 1", "N == 1 or N == M or M == 1", "yes"},
      {"N == M or N == 1", "N == M", "maybe"},
      {"N == 1 or N == 8, N != 1", "N == 8", "yes"},
      // From a result to its operands.
      {"(N + 1)//2 == 4", "N >= 7", "yes"},
      {"(N + 1)//2 == 4", "N <= 8", "yes"},
      {"(N + 1)//2 == 4", "N == 7", "maybe"},
      {"(N - 3)//2 + 1 == 1, N % 2 == 0", "N == 4", "yes"},
      // From an equality of products to its factors, if none is 0.
      {"N >= 1, N*M == 8*N", "M == 8", "yes"},
      {"N*M == 8*N", "M == 8", "maybe"},
      {"N >= 1, M >= 1, N*M == 6*(N//2)*(M//3)", "N % 2 == 0 and M % 3 == 0", "yes"},
      {"N >= 1, M >= 1, N*M == 6*((N + 1)//2)*((M + 2)//3)", "N % 2 == 0 and M % 3 == 0", "yes"},
      {"N >= 1, N*M == 6*(N//2)*(M//3)", "N % 2 == 0", "maybe"},
      {"N >= 1, N % 4 == 0", "N//4 >= 1", "yes"},
      {"N//4 >= 3", "N >= 12", "yes"},
      {"max(N - 3, 0) == 2", "N == 5", "yes"},
      {"max(N - 3, 0) == 0", "N <= 3", "yes"},
      {"max(N - 3, 0)//2 <= 4", "N <= 12", "yes"},
      {"N//M == 4", "N >= 4", "maybe"},
      {"broadcast(N, M) == 1", "N == 1", "yes"},
      {"broadcast(N, M) == 8", "N == 1 or N == 8", "yes"},
      {"broadcast(N, M) == 8", "N == 8", "maybe"},
      {"broadcast(N, M) == 8, N != 1", "N == 8", "yes"},
      {"broadcast(N, M) == K, M == 1", "N == K", "yes"},
      {"broadcast(N, M) == K, N >= 2", "N == K", "yes"},
      {"broadcast(N, M) == 0, N >= 1", "N == 1", "yes"},
  };
  for (const QueryRow& row : rows) {
    DimTable dims;
    Facts facts(dims);
    for (const char* name : {"N", "M", "K", "P"}) dims.Symbol(name);
    if (*row.facts != '\0') facts.Assert(*ParseCondition(dims, row.facts), FactKind::kGiven, 1);
    const Truth t = facts.Holds(*ParseCondition(dims, row.query));
    EXPECT_EQ(t == Truth::kYes  ? "yes"
              : t == Truth::kNo ? "no"
                                : "maybe",
              std::string(row.answer))
        << row.facts << " |- " << row.query;
  }
}

TEST(FactsTest, Simplify_TableOfExpressions_GivesExpectedText) {
  const QueryRow rows[] = {
      {"N >= 1", "max(N, 1)", "N"},
      {"N >= 1", "max(N - 1, 0)", "N - 1"},
      {"", "max(N, 0)", "N"},
      {"N >= 1", "N*M//N", "M"},
      {"", "N*M//N", "N*M//N"},
      {"N >= 1", "(N*M + N*K)//N", "M + K"},
      {"N >= 1", "N*M//(N*K)", "M//K"},
      {"N >= 2", "(N*M + 2*N*K + 1)//N", "M + 2*K"},
      {"N >= 1", "(N*M + K)//N", "M + K//N"},
      {"", "(N*M + K)//N", "(N*M + K)//N"},
      {"N % 8 == 0", "N//8*8", "N"},
      {"N % 8 == 0", "(N + 3)//8", "N//8"},
      {"N % 2 == 1", "(N + 1)//2*2", "N + 1"},
      {"N == M", "M + K", "N + K"},
      {"M == 4", "N*M", "4*N"},
      {"N == 2*M", "N + 1", "N + 1"},          // only proofs use this equality
      {"N == M, M == 2*K", "M + 1", "N + 1"},  // equal symbols have one representative
      {"N % M == 0", "M*(N//M)", "N"},
      {"N % M == 0", "K*M*(N//M) + 1", "N*K + 1"},
      {"N >= 1", "M*(N//M)", "M*(N//M)"},
      {"(N//4) % 7 == 0", "K*7*(N//28)", "K*(N//4)"},
      {"(N//4) % 7 == 3", "7*(N//28)", "N//4 - 3"},
      {"(N//4) % 7 == 0", "7*(N//14)", "7*(N//14)"},
      {"(N//4) % 7 == 0", "K*7*((N + 24)//28)", "K*(N//4)"},
      {"(N//4) % 7 == 0", "7*((N + 25)//28)", "7*((N + 25)//28)"},
      {"N >= 7, M >= 7, N % 7 == 0, M % 7 == 0", "K*(N//7)*(M//7)//(N*M//49)", "K"},
      {"N >= 7, M >= 7, N % 7 == 0", "K*(N//7)*(M//7)//(N*M//49)", "(K*(N//7)*(M//7))//(N*M//49)"},
      {"M >= N", "min(N, M)", "N"},
      {"N >= 2", "broadcast(N, M)", "N"},
      {"N == 1", "broadcast(N, M)", "M"},
      {"N >= 1", "broadcast(N, M)", "broadcast(N, M)"},
      {"N >= 1, M >= N", "broadcast(N, M)", "M"},
      {"N >= 0, M >= N", "broadcast(N, M)", "broadcast(N, M)"},  // broadcast(0, 1) is 0
      {"M >= 1", "broadcast(N, min(N, M))", "N"},
      {"M >= 0", "broadcast(N, min(N, M))", "broadcast(N, min(N, M))"},
      {"N >= 1, M >= 1, K >= N + M", "broadcast(N, K, M)", "K"},
      {"N <= 3", "N//4", "0"},
      {"N >= 1, M < N", "M//N", "0"},
      {"N <= 2147483647", "min(N, 9223372036854775807)", "N"},
  };
  for (const QueryRow& row : rows) {
    DimTable dims;
    Facts facts(dims);
    for (const char* name : {"N", "M", "K", "P"}) dims.Symbol(name);
    if (*row.facts != '\0') facts.Assert(*ParseCondition(dims, row.facts), FactKind::kGiven, 1);
    EXPECT_EQ(dims.ToString(facts.Simplify(*dims.Parse(row.query))), row.answer)
        << row.facts << " |- " << row.query;
  }
}

TEST_F(FactsFixture, Assert_SeveralConditions_AnswersQueries) {
  Assume("seq <= 4096, seq % 8 == 0, M == N + 1");
  EXPECT_EQ(Query("seq != 4095"), "yes");
  EXPECT_EQ(Query("seq + 8 <= 4104"), "yes");
  const Dim seq = dims.Symbol("seq");
  EXPECT_EQ(facts.Bounds(seq), (SizeBounds{0, 4096}));
  EXPECT_EQ(facts.CongruenceOf(seq), (Congruence{8, 0}));
  EXPECT_EQ(facts.CongruenceOf(dims.Add(dims.Multiply(seq, 2), 3)), (Congruence{16, 3}));
}

// The normal form of the clamp is max(0, p) - max(0, p - 8).
TEST_F(FactsFixture, Bounds_Clamp_AreItsEnds) {
  const Dim p = *dims.Parse("N - 2*M"), clamped = dims.Min(dims.Max(p, 0), 8);
  EXPECT_EQ(facts.Bounds(clamped), (SizeBounds{0, 8}));
  EXPECT_EQ(facts.Bounds(dims.Add(dims.Multiply(-3, clamped), 1)), (SizeBounds{-23, 1}));
  Assume("N >= 2*M + 8");
  EXPECT_EQ(facts.Simplify(clamped), Dim(8));
}

// A size that was divided in halves, quarters or sixths is the sum of the parts.
TEST_F(FactsFixture, Holds_SumOfHalves_IsWhole) {
  EXPECT_EQ(Query("N//2 + (N + 1)//2 == N"), "yes");
  EXPECT_EQ(Query("(N + 1)//4 + (N + 3)//4 == (N + 1)//2"), "yes");
  EXPECT_EQ(Query("N//4 - N//8 == (N + 4)//8"), "yes");
  EXPECT_EQ(Query("N//4 + (N + 1)//4 + (N + 2)//4 + (N + 3)//4 == N"), "yes");
  EXPECT_EQ(Query("N//4 + (N + 1)//4 == N//2"), "maybe");
  EXPECT_EQ(Query("(N + M)//6 + (N + M + 3)//6 >= (N + M)//3 + 1"), "no");
}

TEST_F(FactsFixture, Scope_NestedScope_SeesOuterFactsOnly) {
  Assume("N >= 1");
  const ScopeId branch = facts.NewScope(ScopeId::kRoot);
  Assume("N <= 5", 2, FactKind::kChecked, branch);
  const ScopeId inner = facts.NewScope(branch);
  Assume("M == N", 3, FactKind::kChecked, inner);
  EXPECT_EQ(Query("N <= 5"), "maybe");
  EXPECT_EQ(Query("N <= 5 and N >= 1", branch), "yes");
  EXPECT_EQ(Query("M <= 5 and M >= 1", inner), "yes");
  EXPECT_EQ(Query("M <= 5", branch), "maybe");
  Assume("N >= 3");  // a later fact of the outer scope holds in the nested scope too
  EXPECT_EQ(Query("M >= 3", inner), "yes");
  facts.CommitScope(inner);
  EXPECT_EQ(Query("M >= 3", branch), "yes");
  facts.DropScope(branch);
  EXPECT_EQ(Query("M == N"), "maybe");
  EXPECT_EQ(facts.constraint_count(), 2u);
}

TEST_F(FactsFixture, Holds_WithoutAssumed_IgnoresAssumptions) {
  Assume("N >= 1", 0, FactKind::kAssumed);
  EXPECT_EQ(Query("N != 0"), "yes");
  EXPECT_EQ(Query("N != 0", ScopeId::kRoot, FactFilter::kWithoutAssumed), "maybe");
  EXPECT_EQ(Query("N >= 0", ScopeId::kRoot, FactFilter::kWithoutAssumed), "yes");
}

TEST_F(FactsFixture, RetractAll_Owner_RemovesItsFactsOnly) {
  Assume("M == N", 7);
  Assume("K == M", 8);
  EXPECT_EQ(Query("K == N"), "yes");
  facts.RetractAll(7);
  EXPECT_EQ(Query("K == N"), "maybe");
  EXPECT_EQ(Query("K == M"), "yes");
  const uint64_t before = facts.version(ScopeId::kRoot);
  facts.Retract(ConstraintId{12345});
  EXPECT_EQ(facts.version(ScopeId::kRoot), before);
}

TEST_F(FactsFixture, FindContradiction_TwoFacts_NamesBothOwners) {
  Assume("N >= 5", 11);
  EXPECT_FALSE(facts.FindContradiction(ScopeId::kRoot).has_value());
  const ConstraintId second = Assume("N <= 3", 12);
  const std::optional<Contradiction> c = facts.FindContradiction(ScopeId::kRoot);
  ASSERT_TRUE(c.has_value());
  EXPECT_EQ(c->first_text, "N >= 5");
  EXPECT_EQ(c->first_owner, 11u);
  EXPECT_EQ(c->second_text, "N <= 3");
  EXPECT_EQ(c->second_owner, 12u);
  EXPECT_EQ(Query("N == 4"), "maybe") << "a contradictory component is ignored";
  facts.Retract(second);
  EXPECT_FALSE(facts.FindContradiction(ScopeId::kRoot).has_value());
}

TEST_F(FactsFixture, FindContradiction_EachForm_IsFound) {
  for (const char* text :
       {"N == 3, N == 4", "N % 4 == 1, N % 2 == 0", "M == N + 1, N == M", "N >= 1, N == 0", "N != 3, N == 3",
        "N == 1 or N == 2, N >= 5", "N <= 0 - 1", "N % 8 == 3, N <= 2"}) {
    DimTable table;
    Facts f(table);
    f.Assert(*ParseCondition(table, text), FactKind::kGiven, 1);
    EXPECT_TRUE(f.FindContradiction(ScopeId::kRoot).has_value()) << text;
  }
}

TEST_F(FactsFixture, SymbolicMax_BoundBySymbols_IsExpression) {
  const Dim u = dims.Fresh();
  const Dim n = dims.Symbol("N"), m = dims.Symbol("M");
  facts.Assert(Clause{AtMost(dims, u, dims.Multiply(n, m))}, FactKind::kGiven, 4);
  EXPECT_EQ(dims.ToString(facts.SymbolicMax(u)), "N*M");
  EXPECT_TRUE(facts.SymbolicMin(u).is_none());
  EXPECT_EQ(facts.Bounds(u), (SizeBounds{0, std::nullopt}));
}

// A component with many members grows one by one, in nested scopes and in the root, and loses one.
TEST_F(FactsFixture, Assert_LargeComponent_ExtendsDerivedFacts) {
  const Dim first = dims.Symbol("s0");
  const auto holds = [&](Dim s, ScopeId scope, FactFilter filter = FactFilter::kEverything) {
    return facts.Equal(first, s, scope, filter);
  };
  std::vector<Dim> symbols;
  std::vector<ConstraintId> equalities;
  for (OwnerId i = 1; i <= 100; ++i) {
    const Dim s = symbols.emplace_back(dims.Symbol("s" + std::to_string(i)));
    facts.Assert(Clause{AtLeast(dims, s, 1)}, FactKind::kAssumed, i);
    const ScopeId scope = facts.NewScope(ScopeId::kRoot);
    equalities.push_back(facts.Assert(Clause{Equal(dims, first, s)}, FactKind::kPending, i, scope));
    EXPECT_EQ(holds(s, scope), Truth::kYes);
    EXPECT_EQ(holds(s, ScopeId::kRoot), Truth::kMaybe);
    facts.CommitScope(scope);
    EXPECT_EQ(holds(s, ScopeId::kRoot), Truth::kYes);
    EXPECT_EQ(holds(s, ScopeId::kRoot, FactFilter::kWithoutChecked), Truth::kMaybe);
  }
  // Asserted again in a scope as given, it holds there with each filter.
  const ScopeId scope = facts.NewScope(ScopeId::kRoot);
  facts.Assert(Clause{Equal(dims, first, symbols[70])}, FactKind::kPending, 200, scope);
  EXPECT_EQ(holds(symbols[70], scope, FactFilter::kWithoutChecked), Truth::kYes);
  EXPECT_EQ(holds(symbols[71], scope, FactFilter::kWithoutChecked), Truth::kMaybe);
  facts.Retract(equalities[70]);
  EXPECT_EQ(holds(symbols[70], scope), Truth::kYes);
  EXPECT_EQ(holds(symbols[70], ScopeId::kRoot), Truth::kMaybe);
  EXPECT_EQ(holds(symbols[71], ScopeId::kRoot), Truth::kYes);
}

// Queries create no expressions from facts about other symbols of the component.
TEST_F(FactsFixture, SymbolicMax_FactsOfOtherSymbols_CreatesNoExpressions) {
  const Dim product = dims.Multiply(dims.Symbol("N"), dims.Symbol("M"));
  std::vector<Dim> counts;
  for (int i = 0; i < 50; ++i) {
    counts.push_back(dims.Fresh());
    facts.Assert(Clause{AtMost(dims, counts.back(), product)}, FactKind::kGiven, 4);
  }
  const size_t before = dims.size();
  for (const Dim u : counts) {
    EXPECT_EQ(facts.SymbolicMax(u), product);
    EXPECT_TRUE(facts.SymbolicMin(u).is_none());
  }
  EXPECT_LE(dims.size(), before + 2 * counts.size());
}

TEST_F(FactsFixture, ParseCondition_TableOfTexts_PrintsExpectedText) {
  const struct {
    const char* written;
    const char* printed;
  } rows[] = {
      {"N == M or N == 1 or M == 1", "N == M or N == 1 or M == 1"},
      {"seq % 8 == 0", "seq % 8 == 0"},
      {"N >= 1", "N >= 1"},
      {"N > 0 and M <= 5", "N >= 1 and M <= 5"},
      {"not (N == 1 or M < 2)", "N != 1 and M >= 2"},
      {"1 <= N < 8", "N >= 1 and N <= 7"},
      {"768*N == 12*64*M", "N == M"},
      {"N % 8 == 3", "N % 8 == 3"},
      {"2*N >= 5", "N >= 3"},
  };
  for (const auto& row : rows) {
    Result<Condition> c = ParseCondition(dims, row.written);
    ASSERT_TRUE(c.has_value()) << row.written;
    for (Clause& clause : c->clauses) {
      for (Literal& l : clause) l = Normalize(dims, l);
    }
    EXPECT_EQ(ToString(dims, *c), row.printed);
  }
  EXPECT_FALSE(ParseCondition(dims, "N + 1").has_value());
  EXPECT_FALSE(ParseCondition(dims, "N == 1 and").has_value());
}

// A name of the user stays. A generated name of a nameless size is replaced by equal names.
TEST(FactsTest, Simplify_NamelessSize_IsReplacedByNames) {
  DimTable dims;
  Facts facts(dims);
  const Dim x = dims.NamelessSymbol("x_d0"), y = dims.NamelessSymbol("y_d0");
  const Dim n = dims.Symbol("N"), m = dims.Symbol("M");
  const auto assert_equal = [&](Dim a, Dim b) {
    facts.Assert(Clause{Equal(dims, a, b)}, FactKind::kGiven, /*owner=*/0);
  };
  assert_equal(x, dims.Add(n, 2));
  assert_equal(m, dims.Add(n, 3));
  assert_equal(y, dims.Add(x, 1));
  EXPECT_EQ(dims.ToString(facts.Simplify(dims.Multiply(x, 2))), "2*N + 4");
  EXPECT_EQ(dims.ToString(facts.Simplify(m)), "M");
  EXPECT_EQ(dims.ToString(facts.Simplify(n)), "N");
  EXPECT_EQ(facts.Equal(y, m), Truth::kYes);
}

}  // namespace
}  // namespace dimwise
