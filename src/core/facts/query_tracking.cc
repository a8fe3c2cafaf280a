#include "core/facts/query_tracking.h"

#include <utility>

#include "core/facts/fact_store.h"

namespace dimwise {
namespace {

// A stamp is the version of the facts with two marks.
constexpr uint64_t kWithoutCheckedFacts = uint64_t{1} << 63;  // no query used checked facts
constexpr uint64_t kDecided = uint64_t{1} << 62;              // each answer was yes or no
constexpr uint64_t kMarks = kWithoutCheckedFacts | kDecided;

}  // namespace

QueryCount QueryTracking::count() const { return facts_.impl_->queries; }

uint64_t QueryTracking::StampSince(const QueryCount& count, uint64_t version) const {
  const QueryCount& now = facts_.impl_->queries;
  if (now == count) return 0;
  if (now.of_checked == count.of_checked) version |= kWithoutCheckedFacts;
  if (now.open == count.open) version |= kDecided;
  return version;
}

uint64_t QueryTracking::Renew(uint64_t stamp, ScopeId scope) const {
  return facts_.version(scope) | (stamp & kMarks);
}

bool QueryTracking::IsOutdated(uint64_t stamp, ScopeId scope) const {
  const uint64_t then = stamp & ~kMarks;
  if (facts_.version(scope) == then) return false;
  return (stamp & kDecided) == 0 || facts_.impl_->RetractionTimes(scope).any > then;
}

bool QueryTracking::IsOutdated(uint64_t stamp, Dim d, ScopeId scope) const {
  return d.is_expression() && IsOutdated(stamp, {&d, 1}, scope);
}

bool QueryTracking::IsOutdated(uint64_t stamp, std::span<const Dim> dims, ScopeId scope) const {
  if (!IsOutdated(stamp, scope)) return false;
  const Facts::Impl::ChangeTimes change = facts_.impl_->ChangeOf(dims, scope);
  return ((stamp & kWithoutCheckedFacts) != 0 ? change.unchecked : change.any) > (stamp & ~kMarks);
}

SymbolSet* QueryTracking::SetSymbols(SymbolSet* symbols) {
  return std::exchange(facts_.impl_->queried_symbols, symbols);
}

bool QueryTracking::records_symbols() const { return facts_.impl_->queried_symbols != nullptr; }

void QueryTracking::RecordQuery(Dim d, ScopeId scope, uint64_t stamp) {
  Facts::Impl& impl = *facts_.impl_;
  if (impl.queried_symbols == nullptr || !d.is_expression()) return;
  impl.CountQuery(d, scope, (stamp & kWithoutCheckedFacts) == 0);
  if ((stamp & kDecided) == 0) ++impl.queries.open;
}

QueryLog* QueryTracking::SetLog(QueryLog* log) { return std::exchange(facts_.impl_->log, log); }

void QueryTracking::MarkRequirement() {
  QueryLog* log = facts_.impl_->log;
  if (log != nullptr && !log->queries.empty()) log->queries.back().is_requirement = true;
}

bool QueryTracking::HasSameAnswers(const QueryLog& log, ScopeId scope, uint64_t stamp) {
  if (!log.is_complete || facts_.impl_->RetractionTimes(scope).any > (stamp & ~kMarks)) return false;
  const Literal* next = log.literals.data();
  Clause clause;
  for (const QueryLog::Query& q : log.queries) {
    clause.assign(next, next + q.size);
    next += q.size;
    // New facts do not change a yes or a no. The guard of a requirement may itself imply the requirement.
    if (!q.is_open && !q.is_requirement) continue;
    const Truth answer = facts_.Holds(clause, scope, q.filter);
    if (q.is_requirement ? answer == Truth::kNo : answer != Truth::kMaybe) return false;
  }
  return true;
}

}  // namespace dimwise
