#include "core/dims/sample_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/dims/dim_select.h"
#include "dimwise/facts.h"

namespace dimwise {
namespace {

// Evaluates a literal at each point by Evaluate, as a reference implementation.
PointTruth TryOneByOne(const DimTable& table, const Literal& literal) {
  PointTruth tried;
  for (int p = 0; p < kSamplePoints; ++p) {
    const auto size_of = [&](Dim symbol) -> std::optional<int64_t> {
      if (table.GetDefinition(symbol) != nullptr) return std::nullopt;  // computed from its definition
      return SampleSize(p, symbol, table.GetSymbol(symbol));
    };
    const std::optional<int64_t> n = table.Evaluate(literal.value, size_of);
    if (!n) continue;
    const bool holds = literal.relation == Relation::kAtLeast ? *n >= 0
                       : literal.relation == Relation::kEqual ? *n == 0
                                                              : *n != 0;
    tried.computed = static_cast<PointSet>(tried.computed | 1u << p);
    if (holds) tried.holds = static_cast<PointSet>(tried.holds | 1u << p);
  }
  return tried;
}

class SamplePointsTest : public ::testing::Test {
 protected:
  Literal Read(std::string_view text, Relation relation) {
    const Result<Dim> d = table_.Parse(text);
    EXPECT_TRUE(d) << text;
    return {*d, relation};
  }

  DimTable table_;
};

TEST_F(SamplePointsTest, SampleSize_BoundedSymbol_StaysWithinBounds) {
  const Dim any = table_.IntegerSymbol("i"), size = table_.Symbol("N"), few = table_.Fresh(3, 5);
  bool negative = false;
  for (int p = 0; p < kSamplePoints; ++p) {
    EXPECT_GE(SampleSize(p, size, table_.GetSymbol(size)), 0);
    const int64_t of_few = SampleSize(p, few, table_.GetSymbol(few));
    EXPECT_GE(of_few, 3);
    EXPECT_LE(of_few, 5);
    negative |= SampleSize(p, any, table_.GetSymbol(any)) < 0;
  }
  EXPECT_TRUE(negative);
}

TEST_F(SamplePointsTest, TryOut_TableOfExpressions_AgreesWithEvaluate) {
  const char* const kTexts[] = {
      "N",
      "N - M",
      "N*M - 6",
      "(N + 15)//16 - 2*((N + 31)//32)",
      "max(N - M, 0) - 3",
      "N//M - 2",
      "N % 7 - M % 3",
      "broadcast(N, M) - 8",
      "N*N*N*N*M*M*M*M",
      "min(N, 9) - max(M, 4)",
      "(N - 5)//(M - 3)",
      "broadcast(N, 3) - M",
  };
  for (const char* text : kTexts) {
    for (const Relation relation : {Relation::kEqual, Relation::kNotEqual, Relation::kAtLeast}) {
      const Literal literal = Read(text, relation);
      const PointTruth expected = TryOneByOne(table_, literal),
                       tried = EvaluateAtPoints(table_, literal, kAllPoints);
      EXPECT_EQ(tried.computed, expected.computed) << text;
      EXPECT_EQ(tried.holds, expected.holds) << text;
      const PointTruth some = EvaluateAtPoints(table_, literal, 0x0f0f);
      EXPECT_EQ(some.computed, expected.computed & 0x0f0f) << text;
      EXPECT_EQ(some.holds, expected.holds & 0x0f0f) << text;
    }
  }
}

TEST_F(SamplePointsTest, TryOut_SymbolWithDefinition_ComputesFromOperands) {
  const Dim n = table_.Symbol("N"), m = table_.Symbol("M");
  const Dim which = OneIfNotNegative(table_, table_.Subtract(n, 6));
  const Dim chosen = Select(table_, which, table_.Multiply(m, 3), table_.FloorDivide(n, 2));
  ASSERT_NE(table_.GetDefinition(chosen), nullptr);
  const Literal literal{table_.Subtract(chosen, n), Relation::kAtLeast};
  const PointTruth tried = EvaluateAtPoints(table_, literal, kAllPoints),
                   expected = TryOneByOne(table_, literal);
  EXPECT_EQ(tried.computed, kAllPoints);
  EXPECT_EQ(tried.holds, expected.holds);
  EXPECT_NE(tried.holds, 0);
  EXPECT_NE(tried.holds, kAllPoints);
}

// This product exceeds the size cap, so a defined symbol represents a part of it.
TEST_F(SamplePointsTest, TryOut_DefinitionPastSizeCap_ComputesWhereNumbersFit) {
  const Literal literal = Read("N*N*N*N*N*N*N*N*M*M*M*M*M*M*M*M - 1", Relation::kAtLeast);
  ASSERT_TRUE(std::ranges::any_of(table_.SymbolsOf(literal.value),
                                  [&](Dim symbol) { return table_.GetDefinition(symbol) != nullptr; }));
  const PointTruth tried = EvaluateAtPoints(table_, literal, kAllPoints),
                   expected = TryOneByOne(table_, literal);
  EXPECT_NE(tried.computed, 0);
  EXPECT_EQ(tried.holds, expected.holds & tried.computed);
}

// A chain of nested choices exceeds the limit on definitions.
TEST_F(SamplePointsTest, TryOut_TooManyDefinitions_ComputesNothing) {
  Dim d = table_.Symbol("N");
  for (int i = 0; i < 12; ++i) {
    const Dim which = OneIfNotNegative(table_, table_.Subtract(table_.Symbol("M" + std::to_string(i)), 6));
    d = Select(table_, which, table_.Multiply(d, 3), table_.Symbol("K" + std::to_string(i)));
  }
  EXPECT_EQ(EvaluateAtPoints(table_, {d, Relation::kAtLeast}, kAllPoints).computed, 0);
}

TEST_F(SamplePointsTest, PointsOf_ClauseWithDefinition_HoldsNowhere) {
  const Dim n = table_.Symbol("N"), m = table_.Symbol("M");
  const Dim which = OneIfNotNegative(table_, table_.Subtract(n, 6));
  const Dim chosen = Select(table_, which, table_.Multiply(m, 3), table_.FloorDivide(n, 2));
  EXPECT_EQ(PointsOf(table_, {{chosen, Relation::kAtLeast}}, kAllPoints), 0);
}

TEST_F(SamplePointsTest, RangeAt_SubsetOfPoints_SpansOnlyThem) {
  const Dim d = Read("N - 2", Relation::kAtLeast).value;
  const SampleRange all = RangeAt(table_, d, kAllPoints);
  EXPECT_EQ(all.least, -2);
  EXPECT_TRUE(all.has_both_signs());
  const SampleRange one =
      RangeAt(table_, d, EvaluateAtPoints(table_, {d, Relation::kEqual}, kAllPoints).holds);
  EXPECT_EQ(one.least, 0);
  EXPECT_FALSE(one.has_two());
  const SampleRange none = RangeAt(table_, d, 0);
  EXPECT_FALSE(none.has_both_signs() || none.has_two());
}

TEST_F(SamplePointsTest, TryOut_IntegerSymbolDeclaredAsSize_IsNeverNegative) {
  const Dim n = table_.IntegerSymbol("n");
  const Literal is_size{n, Relation::kAtLeast};
  EXPECT_NE(EvaluateAtPoints(table_, is_size, kAllPoints).holds, kAllPoints);
  table_.Symbol("n");
  EXPECT_EQ(EvaluateAtPoints(table_, is_size, kAllPoints).holds, kAllPoints);
}

TEST_F(SamplePointsTest, PointsOf_Disjunction_IsUnionOfLiterals) {
  const Clause either = {Read("N - 1", Relation::kEqual), Read("N - 32", Relation::kAtLeast)};
  const PointSet first = EvaluateAtPoints(table_, either[0], kAllPoints).holds,
                 second = EvaluateAtPoints(table_, either[1], kAllPoints).holds;
  EXPECT_NE(first, 0);
  EXPECT_NE(second, 0);
  EXPECT_EQ(PointsOf(table_, either, kAllPoints), first | second);
}

// Points only refute. A fact that excludes all or most points does not prevent a proof.
TEST(SamplePoints, Facts_FewPointsSatisfyThem_StillProve) {
  DimTable dims;
  Facts facts(dims);
  const Dim n = dims.Symbol("N"), m = dims.Symbol("M");
  facts.Assert(Condition{{{AtLeast(dims, n, 100'000)}}}, FactKind::kGiven, 1);
  EXPECT_EQ(facts.AtLeast(n, 99'999), Truth::kYes);
  EXPECT_EQ(facts.AtLeast(n, 100'001), Truth::kMaybe);
  EXPECT_EQ(facts.AtLeast(m, 7), Truth::kMaybe);
  facts.Assert(Condition{{{Equal(dims, dims.Mod(m, 32), 0)}}}, FactKind::kGiven, 2);
  EXPECT_EQ(facts.Holds(Equal(dims, dims.Mod(m, 16), 0)), Truth::kYes);
  EXPECT_EQ(facts.Holds(Equal(dims, dims.Mod(m, 64), 0)), Truth::kMaybe);
}

// The value of a choice depends on its operands. Points that violate facts about the operands are excluded
// for the choice too.
TEST(SamplePoints, Facts_AboutOperandsOfDefinition_RestrictItsPoints) {
  DimTable dims;
  Facts facts(dims);
  const Dim n = dims.Symbol("N"), m = dims.Symbol("M");
  const Dim which = OneIfNotNegative(dims, dims.Subtract(n, 6));
  const Dim chosen = Select(dims, which, dims.Multiply(m, 3), dims.FloorDivide(n, 2));
  ASSERT_NE(dims.GetDefinition(chosen), nullptr);
  EXPECT_EQ(facts.AtLeast(chosen, 1), Truth::kMaybe);
  facts.Assert(Condition{{{AtLeast(dims, m, 1)}}}, FactKind::kGiven, 1);
  facts.Assert(Condition{{{AtLeast(dims, n, 2)}}}, FactKind::kGiven, 2);
  EXPECT_EQ(facts.AtLeast(chosen, 1), Truth::kYes);
}

}  // namespace
}  // namespace dimwise
