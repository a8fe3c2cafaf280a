// How what is known settles: visits of what waits, and of those who were told by the facts what the facts no
// longer say, until nobody is left.
//
// It ends in a round or two, since what is known mostly grows. A program for which it does not end within the
// budget of visits loses what is in doubt: a value that rests on what was taken back must not be told to
// anybody.
#include <algorithm>
#include <functional>
#include <utility>

#include "core/base/scratch_array.h"
#include "graph/graph_walk.h"
#include "infer/engine/engine.h"
#include "infer/engine/known_sizes.h"
#include "infer/error.h"

namespace dimwise {

// Whether what the facts say of a node's operands may have changed since somebody asked.
bool Engine::HaveFactsChanged(NodeId node, ScopeId scope, uint64_t asked) const {
  const QueryTracking tracking(analysis_.facts());
  return std::ranges::any_of(graph_.operands(node), [&](ValueId v) {
    if (v == kNoValue) return false;
    const Known& known = known_[Index(v)];
    return known.type.container != nullptr ||
           AnyPart(known, [&](Dim d) { return tracking.IsOutdated(asked, d, scope); });
  });
}

// What a remembered visit asked is asked by those who led to it, too.
void Engine::NoteOperands(NodeId node, uint64_t asked) const {
  if (depth_ == 0) return;
  const ScopeId scope = ScopeOf(node);
  for (const ValueId v : graph_.operands(node)) {
    if (v == kNoValue) continue;
    AnyPart(known_[Index(v)], [&](Dim d) {
      QueryTracking(analysis_.facts()).RecordQuery(d, scope, asked);
      return false;
    });
  }
}

// Whether a node would be told something else by now.
bool Engine::IsStale(NodeId node) const {
  const NodeState& state = nodes_[Index(node)];
  if (state.asked_version == 0 || !graph_.Has(node)) return false;
  const ScopeId scope = ScopeOf(node);
  const QueryTracking tracking(analysis_.facts());
  if (!tracking.IsOutdated(state.asked_version, scope)) return false;
  if (graph_.carries_regions(node) || resolved_[Index(graph_.op_of(node))].function != nullptr) {
    const auto inside = inside_.find(Index(node));
    if (inside == inside_.end()) return true;
    return tracking.IsOutdated(state.asked_version, inside->second.asked, scope);
  }
  return HaveFactsChanged(node, scope, state.asked_version);
}

// Whether a node that carries regions would find there what it found.
bool Engine::WouldRunTheSame(NodeId node) const {
  const auto inside = inside_.find(Index(node));
  const uint64_t asked = nodes_[Index(node)].asked_version;
  if (inside == inside_.end() || asked == 0 || guide_ != nullptr || has_cuts_) return false;
  if (IsStale(node) || inside->second.read != ReadInside(node)) return false;
  for (const Dim d : inside->second.asked)
    QueryTracking(analysis_.facts()).RecordQuery(d, ScopeOf(node), asked);
  return true;
}

// Whether a node that left something behind would leave the same: its operands are those that it saw, and the
// facts answer what it asked as they did, with what it left among them.
bool Engine::WouldSayTheSame(NodeId node) {
  const Record* r = record(node);
  const uint64_t asked = nodes_[Index(node)].asked_version;
  if (r == nullptr || !r->questions.is_complete || !r->findings.empty() || asked == 0) return false;
  if (r->retractions != retractions_ || guide_ != nullptr || has_cuts_) return false;
  const size_t operand_count = graph_.operands(node).size();
  if (operand_count > VisitKey::kMaxOperands) return false;
  ScratchArray<Type, VisitKey::kMaxOperands> types;
  ScratchArray<Value, VisitKey::kMaxOperands> contents;
  ReadOperands(node, {types.data(), operand_count}, {contents.data(), operand_count});
  if (r->operand_hash != HashOf({types.data(), operand_count}, {contents.data(), operand_count}))
    return false;
  return QueryTracking(analysis_.facts()).HasSameAnswers(r->questions, ScopeOf(node), asked);
}

void Engine::RunAskersAgain(std::span<const NodeId> nodes) {
  for (const NodeId n : nodes) {
    if (IsStale(n)) Visit(n);
  }
}

void Engine::SettleFacts() {
  constexpr int kPatience = 4;
  for (int round = 0;; ++round) {
    Settle();
    const uint64_t version = analysis_.facts().version(site_.scope);
    const bool settled = version == facts_seen_ && queue_.empty();
    if (settled || !MayGoOn()) {
      facts_only_grow_ = guide_ != nullptr;
      if (!settled) GiveUp();
      for (const auto& [node, asked] : std::exchange(refused_, {})) {  // not by what comes after
        nodes_[Index(node)].asked_version = asked;
        List(node);
      }
      return;
    }
    facts_only_grow_ = guide_ != nullptr || round >= kPatience;
    facts_seen_ = version;
    std::ranges::sort(askers_, {}, [&](NodeId n) { return place_[Index(n)]; });
    const std::vector<NodeId> askers = askers_;
    RunAskersAgain(askers);
    std::erase_if(askers_, [&](NodeId n) {
      NodeState& state = nodes_[Index(n)];
      if (state.asked_version != 0 && graph_.Has(n)) return false;
      state.listed = false;
      return true;
    });
  }
}

void Engine::Settle() {
  while (!queue_.empty() && MayGoOn()) {
    if (const NodeId n = TakeFromQueue(); graph_.Has(n)) Visit(n);
  }
}

NodeId Engine::TakeFromQueue() {
  std::ranges::pop_heap(queue_, std::greater<>());
  const NodeId n = queue_.back().second;
  queue_.pop_back();
  nodes_[Index(n)].queued = false;
  return n;
}

// Nothing is known of the results of those who wait or would be told something else by now, nor of what comes
// of them. With a guide what is known only grows, and stays.
void Engine::GiveUp() {
  if (guide_ != nullptr) {
    while (!queue_.empty()) TakeFromQueue();
    return;
  }
  const std::vector<NodeId> askers = askers_;
  const auto enqueue_stale = [&] {
    for (const NodeId n : askers) {
      if (IsStale(n)) Enqueue(n);
    }
  };
  std::vector<bool> given_up(nodes_.size(), false);
  const auto give_up = [&](NodeId n) {
    given_up[Index(n)] = true;
    Forget(n);
    nodes_[Index(n)].asked_version = 0;
    for (size_t i = 0; i < graph_.results(n).size(); ++i) Publish(n, i, {Unknown(n, i, Type()), Value()});
  };
  enqueue_stale();
  const NodeId first = queue_.empty() ? kNoNode : queue_.front().second;
  while (!queue_.empty()) {
    const NodeId n = TakeFromQueue();
    if (graph_.Has(n) && !given_up[Index(n)]) give_up(n);
    if (queue_.empty()) enqueue_stale();  // of what was forgotten
  }
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    const NodeId n{i};
    const NodeId around = graph_.Has(n) ? MemberAround(graph_, n, graph_.body()) : kNoNode;
    if (around != n && around != kNoNode && given_up[Index(around)]) give_up(n);
  }
  while (!queue_.empty()) TakeFromQueue();
  if (first != kNoNode) {
    RecordFindings(
        first, Resolve(graph_.op_of(first)),
        Error(Code::kNotSupported,
              "what is known of this node did not settle in {} visits of the program's nodes; its results, "
              "and what depends on them, are left unknown",
              visits_));
    RecordOf(first).findings.back().severity = Severity::kWarning;
  }
  facts_seen_ = analysis_.facts().version(site_.scope);
}

}  // namespace dimwise
