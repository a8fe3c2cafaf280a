#include "infer/engine/engine.h"

#include <algorithm>
#include <utility>

#include "graph/graph_walk.h"

namespace dimwise {
namespace {

// Rounds of RunToFixedPoint in which nodes may retract constraints although their operands are equal. Almost
// all programs need one or two rounds.
constexpr int kRoundsWithRetraction = 5;

}  // namespace

Engine::Engine(const Graph& graph, const OpRegistry& registry, EngineOptions options, CallSite site)
    : state_(graph, registry, options, site),
      graph_(graph),
      stamps_(state_),
      numbering_(state_),
      trials_(state_, *this),
      data_sizes_(state_, numbering_),
      counted_indices_(state_, numbering_),
      evaluator_(state_, stamps_,
                 {*this, numbering_, trials_, branch_memory_, {&data_sizes_, &counted_indices_}}) {
  evaluator_.Expect(graph.node_count());
}
Engine::~Engine() = default;

// ---- Setup ----

void Engine::SetInput(ValueId value, Type type, Value contents) {
  state_.Grow();
  stamps_.ForgetAllNested();
  if (!state_.values.Has(value)) return;
  state_.values[value] = {type, contents};
}

void Engine::set_hooks(SolverHooks* hooks) {
  state_.hooks = hooks;
  evaluator_.set_keeps_effects(hooks != nullptr);
}

void Engine::SetUp() {
  state_.Grow();
  stamps_.ForgetAllNested();
  evaluator_.Expect(graph_.node_count());
  state_.SetUpInputs();
}

// ---- The fixed point ----

void Engine::InferAll() {
  SetUp();
  facts_seen_ = state_.analysis.facts().version(state_.site.scope);
  VisitInOrder(graph_.body());
  RunToFixedPoint();
  DecideOpenBranches();
}

void Engine::RunToFixedPoint(FunctionRef<void(NodeId)> visit) {
  for (int round = 1;; ++round) {
    RunWorklist(visit);
    const uint64_t version = state_.analysis.facts().version(state_.site.scope);
    const bool is_settled = version == facts_seen_ && state_.schedule.empty();
    if (is_settled || !state_.budget.has_visits()) {
      evaluator_.set_keeps_effects(state_.hooks != nullptr);
      if (!is_settled) GiveUpOnUnsettled();
      for (const auto& [node, stamp] : evaluator_.TakeSuspended()) state_.SetStamp(node, stamp);
      return;
    }
    evaluator_.set_keeps_effects(state_.hooks != nullptr || round >= kRoundsWithRetraction);
    facts_seen_ = version;
    const std::span<const NodeId> with_stamps = state_.schedule.NodesWithStamps();
    VisitStale(std::vector<NodeId>(with_stamps.begin(), with_stamps.end()), visit);
    state_.schedule.DropUnstamped(graph_);
  }
}

void Engine::RunWorklist(FunctionRef<void(NodeId)> visit) {
  while (!state_.schedule.empty() && state_.budget.has_visits()) {
    if (const NodeId n = state_.schedule.Take(); graph_.Has(n)) visit(n);
  }
}

void Engine::VisitStale(std::span<const NodeId> nodes, FunctionRef<void(NodeId)> visit) {
  for (const NodeId n : nodes) {
    if (stamps_.IsStale(n)) visit(n);
  }
}

// Makes the results of unsettled nodes unknown, and all values that depend on them. Unsettled are the nodes
// on the worklist, stale nodes, and the nodes inside their regions. With solver hooks types only grow, so
// they are kept.
void Engine::GiveUpOnUnsettled() {
  Schedule& schedule = state_.schedule;
  const auto clear_worklist = [&] {
    while (!schedule.empty()) schedule.Take();
  };
  if (state_.hooks != nullptr) return clear_worklist();
  const std::span<const NodeId> with_stamps = schedule.NodesWithStamps();
  const std::vector<NodeId> nodes(with_stamps.begin(), with_stamps.end());
  const auto enqueue_stale = [&] {
    for (const NodeId n : nodes) {
      if (stamps_.IsStale(n)) state_.Enqueue(n);
    }
  };
  std::vector<bool> given_up(graph_.node_count(), false);
  const auto give_up = [&](NodeId n) {
    given_up[Index(n)] = true;
    evaluator_.GiveUp(n);
  };
  enqueue_stale();
  const NodeId first = schedule.empty() ? kNoNode : schedule.first();
  while (!schedule.empty()) {
    const NodeId n = schedule.Take();
    if (graph_.Has(n) && !given_up[Index(n)]) give_up(n);
    if (schedule.empty()) enqueue_stale();
  }
  for (uint32_t i = 0; i < graph_.node_count(); ++i) {
    const NodeId n{i};
    const NodeId around = graph_.Has(n) ? MemberAround(graph_, n, graph_.body()) : kNoNode;
    if (around != n && around != kNoNode && given_up[Index(around)]) give_up(n);
  }
  clear_worklist();
  if (first != kNoNode) evaluator_.ReportUnsettled(first);
  facts_seen_ = state_.analysis.facts().version(state_.site.scope);
}

// Decides open branches of the body with all types known.
void Engine::DecideOpenBranches() {
  for (const NodeId node : trials_.TakeOpen()) {
    if (!trials_.Decide(node)) continue;
    stamps_.ForgetNested(node);
    state_.Enqueue(node);
    RunToFixedPoint();
  }
}

// ---- Edits ----

void Engine::Place(NodeId node) {
  bool in_order = true;
  for (const ValueId v : graph_.operands(node)) in_order &= v == kNoValue || !state_.IsCut(node, v);
  for (const ValueId v : graph_.results(node))
    graph_.ForEachUse(v, [&](NodeId user, size_t) { in_order &= !state_.IsCut(user, v); });
  if (!in_order) state_.OrderNodes(graph_.region(node));
}

void Engine::DropAssumingEffects() {
  for (const NodeId n : std::exchange(state_.assuming, {})) {
    DropEffects(n);
    if (graph_.Has(n)) state_.Enqueue(MemberAround(graph_, n, graph_.body()));
  }
}

void Engine::ReadInputsAgain(NodeId node) {
  for (const ValueId v : graph_.operands(node)) {
    if (v == kNoValue || graph_.maker(v) != kNoNode || state_.refinements.Has(v)) continue;
    const RegionId region = graph_.region(v);
    const std::span<const ValueId> inputs = graph_.inputs(region);
    // The carrier of a region sets its parameters.
    if (region != graph_.body() && std::ranges::find(inputs, v) != inputs.end()) continue;
    const ValueState before = state_.values[v];
    state_.SetUpInput(v, Type(), Value());
    if (!(state_.values[v] == before)) EnqueueUsers(v);
  }
}

void Engine::Remove(NodeId node, std::span<const ValueId> results) {
  state_.Grow();
  stamps_.ForgetAllNested();
  DropAssumingEffects();
  DropEffects(node);
  state_.schedule.set_visited(node, false);
  for (const ValueId v : results) {
    if (state_.values[v] == ValueState()) continue;
    state_.values[v] = ValueState();
    EnqueueUsers(v);
  }
}

// ---- Assumptions ----

void Engine::StartAgain() {
  state_.Grow();  // also renews the budget
  stamps_.ForgetAllNested();
  for (uint32_t n = 0; n < graph_.node_count(); ++n) {
    const NodeId node{n};
    if (!graph_.Has(node) || (state_.effects_of(node) == nullptr && !state_.has_queried(node))) continue;
    const NodeId member = MemberAround(graph_, node, graph_.body());
    if (member != kNoNode && state_.visited(member)) state_.Enqueue(member);
  }
  for (uint32_t n = 0; n < graph_.node_count(); ++n) DropEffects(NodeId{n});
}

void Engine::SetAside(uint32_t index) {
  state_.assumptions.Withdraw(index);
  ++state_.retractions;
}

}  // namespace dimwise
