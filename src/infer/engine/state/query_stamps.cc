#include "infer/engine/state/query_stamps.h"

#include <algorithm>

#include "core/base/hash_mix.h"
#include "graph/graph_walk.h"
#include "infer/engine/state/operand_states.h"
#include "infer/engine/state/value_parts.h"

namespace dimwise {

bool QueryStamps::HaveFactsChanged(NodeId node, QueryStamp stamp) const {
  const QueryTracking queries = state_.queries();
  const ScopeId scope = state_.ScopeOf(node);
  return std::ranges::any_of(state_.graph.operands(node), [&](ValueId v) {
    if (v == kNoValue) return false;
    const ValueState& value = state_.values[v];
    return value.type.container != nullptr ||
           AnyPart(value, [&](Dim d) { return queries.IsOutdated(stamp, d, scope); });
  });
}

bool QueryStamps::IsStale(NodeId node) const {
  const QueryStamp stamp = state_.schedule.stamp(node);
  if (stamp == kNoStamp || !state_.graph.Has(node)) return false;
  const ScopeId scope = state_.ScopeOf(node);
  const QueryTracking queries = state_.queries();
  if (!queries.IsOutdated(stamp, scope)) return false;
  if (state_.graph.carries_regions(node) || state_.operators.Resolve(node).function != nullptr) {
    const auto nested = nested_.find(Index(node));
    return nested == nested_.end() || queries.IsOutdated(stamp, nested->second.symbols, scope);
  }
  return HaveFactsChanged(node, stamp);
}

bool QueryStamps::RenewIfCurrent(NodeId node, QueryStamp* stamp) const {
  const ScopeId scope = state_.ScopeOf(node);
  const QueryTracking queries = state_.queries();
  if (!queries.IsOutdated(*stamp, scope)) return true;
  if (HaveFactsChanged(node, *stamp)) return false;
  *stamp = queries.Renew(*stamp, scope);
  return true;
}

void QueryStamps::RepeatQueries(NodeId node, QueryStamp stamp) const {
  if (!state_.queries().records_symbols()) return;
  const ScopeId scope = state_.ScopeOf(node);
  for (const ValueId v : state_.graph.operands(node)) {
    if (v == kNoValue) continue;
    AnyPart(state_.values[v], [&](Dim d) {
      state_.queries().RecordQuery(d, scope, stamp);
      return false;
    });
  }
}

bool QueryStamps::WouldRepeat(NodeId node) const {
  const NodeEffects* effects = state_.effects_of(node);
  const QueryStamp stamp = state_.schedule.stamp(node);
  if (effects == nullptr || !effects->queries.is_complete || !effects->findings.empty() || stamp == kNoStamp)
    return false;
  if (effects->retractions != state_.retractions || state_.hooks != nullptr || state_.has_cuts) return false;
  const OperandStates operands(state_, node);
  if (effects->operand_hash != operands.hash()) return false;
  return state_.queries().HasSameAnswers(effects->queries, state_.ScopeOf(node), stamp);
}

// Hashes all values that the node and its regions read, and the refinements of its results.
uint64_t QueryStamps::HashOfReads(NodeId node) const {
  uint64_t h = state_.certain(node) ? 1 : 0;
  ForEachNeeded(state_.graph, node, [&](ValueId v) {
    const ValueState& value = state_.values[v];
    h = HashMix(h, HashOf(std::span(&value.type, 1), std::span(&value.contents, 1)));
  });
  for (const ValueId v : state_.graph.results(node)) {
    const Type* refinement = state_.refinements.Find(v);
    const Value nothing;
    if (refinement != nullptr) h = HashMix(h, HashOf(std::span(refinement, 1), std::span(&nothing, 1)));
  }
  return h;
}

bool QueryStamps::NestedIsCurrent(NodeId node) const {
  const auto nested = nested_.find(Index(node));
  const QueryStamp stamp = state_.schedule.stamp(node);
  if (nested == nested_.end() || stamp == kNoStamp || state_.hooks != nullptr || state_.has_cuts)
    return false;
  if (IsStale(node) || nested->second.reads != HashOfReads(node)) return false;
  for (const Dim d : nested->second.symbols) state_.queries().RecordQuery(d, state_.ScopeOf(node), stamp);
  return true;
}

}  // namespace dimwise
