// QueryTracking records which queries an analysis made to Facts, and detects answers that may have changed.
//
// A caller counts the queries before and after a computation and keeps a stamp of them. The stamp holds the
// version of the facts and two marks: no query used checked facts; no query was open. Later the caller tests
// the stamp. If the stamp is outdated, a replay of the logged queries shows whether an answer has changed.
//
// A QueryTracking is a view of one Facts: 8 bytes, created where it is used.
#ifndef DIMWISE_CORE_FACTS_QUERY_TRACKING_H_
#define DIMWISE_CORE_FACTS_QUERY_TRACKING_H_

#include <cstdint>
#include <span>
#include <vector>

#include "dimwise/condition.h"
#include "dimwise/facts.h"

namespace dimwise {

class SymbolSet;

// The number of queries that used the constraints; queries that the expressions alone decide do not count.
struct QueryCount {
  uint32_t all = 0;
  uint32_t of_checked = 0;  // queries whose answer used checked facts
  uint32_t open = 0;        // queries that more facts could decide: those not answered yes or no
  bool operator==(const QueryCount&) const = default;
};

// A log of queries. Replaying it detects answers that have changed.
struct QueryLog {
  struct Query {
    uint32_t size = 0;  // the number of literals in the clause
    FactFilter filter{};
    bool is_open = false;         // the answer was neither yes nor no
    bool is_requirement = false;  // a requirement: only a new refutation matters
  };
  std::vector<Literal> literals;
  std::vector<Query> queries;
  bool is_complete = true;  // false if a query of another form was made

  void Clear() {
    literals.clear();
    queries.clear();
    is_complete = true;
  }
};

class QueryTracking {
 public:
  explicit QueryTracking(Facts& facts) : facts_(facts) {}

  QueryCount count() const;
  // Returns a stamp of the queries since `count` at this version; 0 if there were none.
  uint64_t StampSince(const QueryCount& count, uint64_t version) const;
  // Returns the stamp with the present version, for queries that were made again.
  uint64_t Renew(uint64_t stamp, ScopeId scope) const;
  // Returns whether the answers to the stamped queries may have changed, in general or about the symbols of
  // d. Queries that used no checked facts are unaffected by new checked facts. Queries that were decided are
  // affected only by retractions.
  bool IsOutdated(uint64_t stamp, ScopeId scope) const;
  bool IsOutdated(uint64_t stamp, Dim d, ScopeId scope) const;
  bool IsOutdated(uint64_t stamp, std::span<const Dim> dims, ScopeId scope) const;

  // Adds the symbols of all following queries to `symbols`; null stops this. Returns the previous set.
  SymbolSet* SetSymbols(SymbolSet* symbols);
  bool records_symbols() const;
  // Records d as queried in the manner of the stamp, if symbols are recorded.
  void RecordQuery(Dim d, ScopeId scope, uint64_t stamp);
  // Records all following queries in `log`; null stops this. Returns the previous log.
  QueryLog* SetLog(QueryLog* log);
  // Marks the last query of the log as a requirement.
  void MarkRequirement();
  // Returns whether the logged queries would get the same answers now. `stamp` is theirs.
  bool HasSameAnswers(const QueryLog& log, ScopeId scope, uint64_t stamp);

 private:
  Facts& facts_;
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_FACTS_QUERY_TRACKING_H_
