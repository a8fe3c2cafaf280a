#include "core/facts/query_tracking.h"

#include <gtest/gtest.h>

#include <string_view>

namespace dimwise {
namespace {

constexpr ScopeId kRootScope = ScopeId::kRoot;

class QueryTrackingTest : public ::testing::Test {
 protected:
  QueryTrackingTest() {
    for (const char* name : {"N", "M", "K", "P"}) dims.Symbol(name);
  }
  ConstraintId Assert(std::string_view text, FactKind kind = FactKind::kGiven) {
    return facts.Assert(ParseCondition(dims, text)->clauses.at(0), kind, /*owner=*/1);
  }
  Truth Query(std::string_view text, FactFilter filter = FactFilter::kEverything) {
    return facts.Holds(*ParseCondition(dims, text), kRootScope, filter);
  }
  // Returns the stamp of one query.
  uint64_t StampOf(std::string_view text) {
    const QueryCount before = tracking.count();
    Query(text);
    return tracking.StampSince(before, facts.version(kRootScope));
  }

  DimTable dims;
  Facts facts{dims};
  QueryTracking tracking{facts};
};

TEST_F(QueryTrackingTest, SetLog_RecordsEachClauseUntilItIsReset) {
  QueryLog log;
  EXPECT_EQ(tracking.SetLog(&log), nullptr);
  Query("N >= 1");
  Query("N == M or N == 4");
  EXPECT_EQ(tracking.SetLog(nullptr), &log);
  Query("K >= 1");
  EXPECT_EQ(log.queries.size(), 2);
  EXPECT_EQ(log.literals.size(), 3);
  EXPECT_TRUE(log.is_complete);
}

TEST_F(QueryTrackingTest, SetLog_QueryForBounds_LogIsIncomplete) {
  QueryLog log;
  tracking.SetLog(&log);
  facts.Bounds(dims.Symbol("K"));
  tracking.SetLog(nullptr);
  EXPECT_FALSE(tracking.HasSameAnswers(log, kRootScope, facts.version(kRootScope)));
}

TEST_F(QueryTrackingTest, HasSameAnswers_NewFacts_OnlyThoseThatDecideAnOpenQueryMatter) {
  Assert("N >= 2");
  QueryLog log;
  tracking.SetLog(&log);
  const QueryCount before = tracking.count();
  EXPECT_EQ(Query("N >= 1"), Truth::kYes);
  EXPECT_EQ(Query("K >= 3"), Truth::kMaybe);
  EXPECT_EQ(Query("N == M or N == 4", FactFilter::kWithoutChecked), Truth::kMaybe);
  EXPECT_EQ(Query("P >= 5"), Truth::kMaybe);
  tracking.MarkRequirement();
  tracking.SetLog(nullptr);
  const uint64_t stamp = tracking.StampSince(before, facts.version(kRootScope));
  EXPECT_TRUE(tracking.HasSameAnswers(log, kRootScope, stamp));

  Assert("N == M", FactKind::kChecked);
  EXPECT_TRUE(tracking.HasSameAnswers(log, kRootScope, stamp)) << "the query excludes checked facts";
  Assert("K >= 1");
  Assert("P >= 5", FactKind::kChecked);
  EXPECT_TRUE(tracking.HasSameAnswers(log, kRootScope, stamp)) << "a requirement that holds is not refuted";
  const ConstraintId decides = Assert("K >= 4", FactKind::kChecked);
  EXPECT_FALSE(tracking.HasSameAnswers(log, kRootScope, stamp));
  facts.Retract(decides);
  EXPECT_FALSE(tracking.HasSameAnswers(log, kRootScope, stamp)) << "a yes may depend on the retracted fact";
}

TEST_F(QueryTrackingTest, HasSameAnswers_RequirementIsRefuted_IsFalse) {
  QueryLog log;
  tracking.SetLog(&log);
  dims.Symbol("Q");
  EXPECT_EQ(Query("Q >= 5"), Truth::kMaybe);
  tracking.MarkRequirement();
  tracking.SetLog(nullptr);
  EXPECT_TRUE(tracking.HasSameAnswers(log, kRootScope, facts.version(kRootScope)));
  Assert("Q <= 4");
  EXPECT_FALSE(tracking.HasSameAnswers(log, kRootScope, facts.version(kRootScope)));
}

TEST_F(QueryTrackingTest, IsOutdated_DecidedQuery_OnlyARetractionOutdatesIt) {
  const ConstraintId n = Assert("N >= 2");
  const uint64_t decided = StampOf("N >= 1"), open = StampOf("N >= 5");
  const ConstraintId more = Assert("N >= 4");
  EXPECT_FALSE(tracking.IsOutdated(decided, kRootScope));
  EXPECT_FALSE(tracking.IsOutdated(decided, dims.Symbol("N"), kRootScope));
  EXPECT_TRUE(tracking.IsOutdated(open, kRootScope));
  EXPECT_TRUE(tracking.IsOutdated(open, dims.Symbol("N"), kRootScope));
  facts.Retract(more);
  EXPECT_TRUE(tracking.IsOutdated(decided, dims.Symbol("N"), kRootScope));
  EXPECT_FALSE(tracking.IsOutdated(decided, dims.Symbol("M"), kRootScope)) << "M is in another component";
  facts.Retract(n);
  EXPECT_TRUE(tracking.IsOutdated(decided, dims.Symbol("N"), kRootScope));
}

TEST_F(QueryTrackingTest, StampSince_NoQuery_IsZero) {
  EXPECT_EQ(tracking.StampSince(tracking.count(), facts.version(kRootScope)), 0);
}

TEST_F(QueryTrackingTest, Count_AnswerFromTheCache_CountsAsQuery) {
  const Dim n = dims.Symbol("N");
  Assert("N == 1", FactKind::kChecked);
  for (int time = 0; time < 3; ++time) {
    const uint32_t before = tracking.count().all;
    EXPECT_EQ(facts.Simplify(dims.Add(n, 4)), Dim(5));
    EXPECT_GT(tracking.count().all, before) << time;
  }
}

}  // namespace
}  // namespace dimwise
