#include "infer/engine/engine.h"

#include <algorithm>
#include <utility>

#include "graph/graph_walk.h"

namespace dimwise {
namespace {

constexpr size_t kLarge = 10'000, kAhead = 8;  // nodes

}  // namespace

Engine::Engine(const Graph& graph, const OpRegistry& registry, EngineOptions options, CallSite site)
    : graph_(graph),
      analysis_(graph.analysis()),
      registry_(registry),
      options_(options),
      site_(site),
      context_(graph.analysis()),
      depth_(site.depth) {
  Grow();
}
Engine::~Engine() = default;

// Makes room for what was added to the graph since.
void Engine::Grow() {
  known_.resize(graph_.value_count());
  nodes_.resize(graph_.node_count());
  dead_ends_.resize(graph_.node_count(), false);
  regions_.resize(graph_.region_count());
  resolved_.resize(graph_.op_count());
  const size_t placed = place_.size();
  place_.resize(nodes_.size());
  for (size_t i = placed; i < place_.size(); ++i) place_[i] = next_place_++;
  inside_.clear();
  memory_.Expect(nodes_.size());
  const uint64_t nodes = graph_.node_count() + 150;
  visit_budget_ = visits_ + options_.visits_per_node * nodes;
  visits_left_in_calls_ = nodes;
  for (const std::unique_ptr<Graph>& function : graph_.functions())
    visits_left_in_calls_ += function->node_count();
  visits_left_in_calls_ *= options_.visits_in_calls_per_node;
}

// ---- Setting up ----

// An input with what is given for it; what is not given is as the graph says.
void Engine::SetUpInput(ValueId value, Type type, Value contents) {
  const uint32_t v = Index(value);
  if (type.kind == TypeKind::kUnknown) type = graph_.declared(value);
  if (type.kind == TypeKind::kTensor && type.shape.is_none()) {
    type.shape = analysis_.shapes().Unknown(SymbolKey{site_.path, v, kInputRole});
  }
  known_[v].type = type;
  known_[v].contents = !options_.contents ? Value() : contents.is_none() ? graph_.contents(value) : contents;
}

void Engine::SetInput(ValueId value, Type type, Value contents) {
  Grow();
  if (Index(value) >= known_.size()) return;
  known_[Index(value)].type = type;
  known_[Index(value)].contents = contents;
}

void Engine::AssertAssumption(const Clause& clause, FactKind kind) {
  const Clause normal = Normalize(analysis_.dims(), clause);
  if (!assumed_[kind == FactKind::kAssumed ? 1 : 0].insert(normal).second) return;
  assumptions_.push_back({normal, kind, analysis_.facts().Assert(normal, kind, /*owner=*/0, site_.scope)});
}

// What nodes check goes first, and they are asked anew in their order: else what one checked would show that
// it may hold, or that what stands before it does not.
void Engine::SettleAnew() {
  if (analysis_.facts().version(site_.scope) == facts_seen_ && queue_.empty()) return;
  Grow();  // and with that, new time
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    const NodeId node{n};
    if (!graph_.Has(node) || (record(node) == nullptr && !IsStale(node))) continue;
    const NodeId member = MemberAround(graph_, node, graph_.body());
    if (member != kNoNode && visited(member)) Enqueue(member);
  }
  for (uint32_t n = 0; n < nodes_.size(); ++n) Forget(NodeId{n});
  SettleFacts();
}

void Engine::SetAside(uint32_t place) { analysis_.facts().Retract(assumptions_[place].constraint); }

void Engine::PutBack(uint32_t place) {
  Assumption& a = assumptions_[place];
  a.constraint = analysis_.facts().Assert(a.clause, a.kind, /*owner=*/0, site_.scope);
}

void Engine::Withdraw(std::span<const uint32_t> places) {
  for (const uint32_t place : places) SetAside(place);
  ++retractions_;
  SettleAnew();
}

void Engine::Restore(std::span<const uint32_t> places) {
  for (const uint32_t place : places) PutBack(place);
  SettleAnew();
}

void Engine::Assume(const Condition& condition) {
  for (const Clause& clause : condition.clauses) {
    AssertAssumption(clause, FactKind::kGiven);
    if (clause.size() != 1 || clause[0].relation != Relation::kAtLeast || !clause[0].value.is_expression())
      continue;
    const Dim form = analysis_.dims().WithoutConstant(clause[0].value);
    if (form.is_expression() && analysis_.dims().Kind(form) == DimKind::kSymbol)
      bounded_below_.push_back(form);
  }
}

void Engine::SetUp() {
  Grow();
  RegionState& body = regions_[0];
  if (!body.entered) {
    body.scope = site_.scope;
    body.entered = true;
  }
  for (const auto inputs = graph_.inputs(graph_.body()); inputs_set_up_ < inputs.size();) {
    const ValueId v = inputs[inputs_set_up_++];
    Known& known = known_[Index(v)];
    SetUpInput(v, known.type, known.contents);
    if (!options_.assume_not_empty || !known.type.is_tensor() || known.type.shape.is_none()) continue;
    for (const Dim d : known.type.shape.dims()) {
      if (!d.is_expression() || std::ranges::find(bounded_below_, d) != bounded_below_.end()) continue;
      AssertAssumption(Clause{AtLeast(analysis_.dims(), d, 1)}, FactKind::kAssumed);
    }
  }
  for (uint32_t r = 0; r < regions_.size(); ++r) {
    const std::span<const ValueId> constants = graph_.constants(RegionId{r});
    for (uint32_t& next = regions_[r].constants_set_up; next < constants.size(); ++next) {
      const Known& known = known_[Index(constants[next])];
      SetUpInput(constants[next], known.type, known.contents);
    }
  }
}

// Mostly some result of each node is used, or an output: then following the users of any node ends at an
// output.
bool Engine::HasDeadEnds(RegionId region) const {
  if (!graph_.in_order() || graph_.region_count() > 1) return true;
  std::vector<ValueId> unused;
  for (const ValueId v : graph_.outputs(region)) {
    if (graph_.role(v) == ValueRole::kResult && !graph_.is_used(v)) unused.push_back(v);
  }
  std::ranges::sort(unused);
  unused.erase(std::unique(unused.begin(), unused.end()), unused.end());
  if (unused.size() == graph_.unused_results()) return false;
  const auto is_needed = [&](ValueId v) {
    return graph_.is_used(v) || std::ranges::binary_search(unused, v);
  };
  return !std::ranges::all_of(regions_[Index(region)].order,
                              [&](NodeId n) { return std::ranges::any_of(graph_.results(n), is_needed); });
}

// A node whose results reach no output of its region may be dropped by a runtime: it teaches nothing outside
// itself. A region without outputs is a fragment: everything in it counts. Users come after makers, so one
// way through the order from its end finds all but those on a cycle, which wait in `behind`. What is needed
// is marked by value: who makes it is far away in a large program, and asked only for cycles.
void Engine::FindDeadEnds(RegionId region) {
  if (options_.dead_ends_teach || graph_.outputs(region).empty()) return;
  const std::vector<NodeId>& order = regions_[Index(region)].order;
  if (!HasDeadEnds(region)) {
    std::fill(dead_ends_.begin(), dead_ends_.end(), false);
    return;
  }
  for (const NodeId n : order) dead_ends_[Index(n)] = true;
  if (region == graph_.body()) {
    needed_.assign(graph_.value_count(), false);
  } else {
    needed_.resize(graph_.value_count());
    for (const NodeId n : order) {
      for (const ValueId v : graph_.results(n)) needed_[Index(v)] = false;
    }
  }
  const bool has_cycles = !graph_.in_order();
  std::vector<NodeId> behind;
  size_t at = order.size();
  const auto reach_node = [&](NodeId n) {
    if (n == kNoNode || !dead_ends_[Index(n)] || graph_.region(n) != region) return;
    dead_ends_[Index(n)] = false;
    if (place_[Index(n)] >= at) behind.push_back(n);
  };
  const auto reach = [&](ValueId v) {
    needed_[Index(v)] = true;
    if (has_cycles) reach_node(graph_.maker(v));
  };
  const auto reach_needed = [&](NodeId n) {
    ForEachNeeded(graph_, n, reach);
    for (const NodeId before : graph_.control_inputs(n)) reach_node(before);
  };
  const auto is_needed = [&](ValueId v) -> bool { return needed_[Index(v)]; };
  for (const ValueId v : graph_.outputs(region)) reach(v);
  while (at-- > 0) {
    const NodeId n = order[at];
    if (dead_ends_[Index(n)] && std::ranges::none_of(graph_.results(n), is_needed)) continue;
    dead_ends_[Index(n)] = false;
    reach_needed(n);
    while (!behind.empty()) {
      const NodeId next = behind.back();
      behind.pop_back();
      reach_needed(next);
    }
  }
}

// ---- Driving ----

void Engine::InferAll() {
  SetUp();
  facts_seen_ = analysis_.facts().version(site_.scope);
  RunNodes(graph_.body());
  SettleFacts();
  if (!open_branches_.empty()) DecideBranches();
}

void Engine::PutInOrder(RegionId region) {
  RegionState& state = regions_[Index(region)];
  std::vector<NodeId> cut;
  state.order = graph_.Order(region, &cut);
  for (uint32_t i = 0; i < state.order.size(); ++i) place_[Index(state.order[i])] = i;
  next_place_ = std::max(next_place_, static_cast<uint32_t>(state.order.size()));
  has_cuts_ |= !cut.empty();
  FindDeadEnds(region);
}

// Whether an operand comes from further on, where a cycle was cut: it is unknown there.
bool Engine::IsCut(NodeId user, ValueId operand) const {
  const NodeId maker = graph_.maker(operand);
  return maker != kNoNode && graph_.region(maker) == graph_.region(user) &&
         place_[Index(maker)] >= place_[Index(user)];
}

void Engine::Place(NodeId node) {
  bool in_order = true;
  for (const ValueId v : graph_.operands(node)) in_order &= v == kNoValue || !IsCut(node, v);
  for (const ValueId v : graph_.results(node)) {
    graph_.ForEachUse(v, [&](NodeId user, size_t) { in_order &= !IsCut(user, v); });
  }
  if (!in_order) PutInOrder(graph_.region(node));
}

// In their order, from one of them on. A trial ends where it fails.
void Engine::RunNodes(RegionId region, size_t first) {
  const std::vector<NodeId>& order = regions_[Index(region)].order;
  if (order.empty()) {
    PutInOrder(region);
  } else {
    for (size_t i = first; i < order.size(); ++i)  // so that nobody queues it before its turn
      nodes_[Index(order[i])].queued = true;
  }
  const RegionId outer = std::exchange(running_, region);
  // What is known of operands is far away in a large program: it is asked for some nodes ahead.
  const size_t ahead = order.size() > kLarge ? kAhead : order.size();
  for (size_t i = first; i < order.size(); ++i) {
    if (i + ahead < order.size()) {
      for (const ValueId v : graph_.operands(order[i + ahead])) {
        if (v != kNoValue) __builtin_prefetch(&known_[Index(v)]);
      }
    }
    nodes_[Index(order[i])].queued = false;
    Visit(order[i]);
    if (untried_branch_ != kNoNode) TryBranch(order[i]);
    if (is_trial_ && Fails(order[i])) break;
  }
  running_ = outer;
}

// Its own, once it was visited.
ScopeId Engine::ScopeOfDeadEnd(NodeId node) const {
  const auto own = own_scopes_.find(Index(node));
  return own != own_scopes_.end() ? own->second : regions_[Index(graph_.region(node))].scope;
}

void Engine::Enqueue(NodeId node) {
  NodeState& state = nodes_[Index(node)];
  if (state.queued || !graph_.Has(node)) return;
  state.queued = true;
  queue_.emplace_back(place_[Index(node)], node);
  std::ranges::push_heap(queue_, std::greater<>());
}

void Engine::EnqueueUsers(ValueId value) {
  const RegionId home = graph_.region(value);
  graph_.ForEachUse(value, [&](NodeId user, size_t) {
    user = MemberAround(graph_, user, home);
    if (user == kNoNode || Index(user) >= nodes_.size() || !nodes_[Index(user)].visited) return;
    if (has_cuts_ && IsCut(user, value)) return;
    Enqueue(user);
  });
  if (guide_ == nullptr) return;
  for (const NodeId reader : guide_->ReadersOf(value)) {
    if (nodes_[Index(reader)].visited) Enqueue(reader);
  }
}

void Engine::ChooseAnew() {
  for (const NodeId n : std::exchange(choosers_, {})) {
    Forget(n);
    if (graph_.Has(n)) Enqueue(MemberAround(graph_, n, graph_.body()));
  }
}

void Engine::ReadAgain(NodeId node) {
  for (const ValueId v : graph_.operands(node)) {
    if (v == kNoValue || graph_.maker(v) != kNoNode || pins_.contains(Index(v))) continue;
    const RegionId region = graph_.region(v);
    const std::span<const ValueId> inputs = graph_.inputs(region);
    // The parameters of a region are known by who carries it.
    if (region != graph_.body() && std::ranges::find(inputs, v) != inputs.end()) continue;
    const Type type = known_[Index(v)].type;
    const Value contents = known_[Index(v)].contents;
    SetUpInput(v, Type(), Value());
    if (known_[Index(v)].type != type || known_[Index(v)].contents != contents) EnqueueUsers(v);
  }
}

void Engine::Remove(NodeId node, std::span<const ValueId> results) {
  Grow();
  ChooseAnew();
  Forget(node);
  nodes_[Index(node)].visited = false;
  for (const ValueId v : results) {
    if (known_[Index(v)].type == Type() && known_[Index(v)].contents.is_none()) continue;
    known_[Index(v)].type = Type();
    known_[Index(v)].contents = Value();
    EnqueueUsers(v);
  }
}

// ---- What is left behind ----

void Engine::Record::Add(std::span<const ConstraintId> more_constraints, std::span<const Check> more_checks) {
  constraints.insert(constraints.end(), more_constraints.begin(), more_constraints.end());
  checks.insert(checks.end(), more_checks.begin(), more_checks.end());
}

Engine::Record& Engine::RecordOf(NodeId node) {
  NodeState& state = nodes_[Index(node)];
  if (state.record == UINT32_MAX) {
    state.record = static_cast<uint32_t>(records_.size());
    records_.emplace_back();
  }
  std::unique_ptr<Record>& record = records_[state.record];
  if (record == nullptr) record = std::make_unique<Record>();
  return *record;
}

const Engine::Record* Engine::record(NodeId node) const {
  if (Index(node) >= nodes_.size()) return nullptr;
  const uint32_t r = nodes_[Index(node)].record;
  return r == UINT32_MAX ? nullptr : records_[r].get();
}

// The place of the record is kept, for the next one of that node.
std::unique_ptr<Engine::Record> Engine::TakeRecord(NodeId node) {
  const uint32_t r = nodes_[Index(node)].record;
  return r == UINT32_MAX ? nullptr : std::move(records_[r]);
}

void Engine::Forget(NodeId node) {
  if (const std::unique_ptr<Record> record = TakeRecord(node); record != nullptr) Retract(node, record.get());
}

void Engine::Retract(NodeId node, Record* record) {
  if (record->constraints.empty()) return;
  Facts& facts = analysis_.facts();
  const ScopeId scope = ScopeOf(node);
  const uint64_t version = facts.version(scope);
  for (const ConstraintId c : record->constraints) facts.Retract(c);
  record->constraints.clear();
  if (facts.version(scope) != version) ++retractions_;  // nobody else says the same
}

}  // namespace dimwise
