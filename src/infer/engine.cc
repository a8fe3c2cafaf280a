#include "infer/engine.h"

#include <algorithm>
#include <bit>

#include "core/hash_mix.h"
#include "infer/error.h"
#include "infer/op_call.h"
#include "infer/region_ops.h"

namespace dimwise {
namespace {

constexpr uint32_t kInputRole = 0x20000000u;
constexpr size_t kMaxRemembered = 8;  // operands or results of a node whose visit is remembered
constexpr int kMaxRounds = 6;         // in which the facts settle

bool LacksSomething(const Type& type) {
  if (type.kind == TypeKind::kUnknown) return true;
  return type.is_tensor() && (type.element == ElementType::kUnknown || type.shape.is_none() || !type.shape.has_rank());
}

uint64_t Bits(Shape shape) { return std::bit_cast<uint64_t>(shape); }
uint64_t Bits(Value value) { return std::bit_cast<uint64_t>(value); }

// A part of a key: all that a type says, and the contents. Answers whether it is all numbers.
bool AppendKey(std::vector<uint64_t>* key, const Type& type, Value contents) {
  key->push_back(Bits(type.shape));
  key->push_back(reinterpret_cast<uintptr_t>(type.container));
  key->push_back(static_cast<uint64_t>(type.kind) << 16 | static_cast<uint64_t>(type.element) << 8 |
                 type.storage.bits());
  key->push_back(Bits(contents));
  return type.container == nullptr && !type.shape.is_none() && type.shape.is_constant() &&
         (contents.is_none() || contents.kind() == ValueKind::kBytes);
}

}  // namespace

Engine::Engine(const Graph& graph, const OpRegistry& registry, EngineOptions options, CallSite site)
    : graph_(graph),
      analysis_(graph.analysis()),
      registry_(registry),
      options_(options),
      site_(site),
      context_(graph.analysis()) {
  Grow();
}
Engine::~Engine() = default;

// Makes room for what was added to the graph since.
void Engine::Grow() {
  types_.resize(graph_.value_count());
  contents_.resize(graph_.value_count());
  nodes_.resize(graph_.node_count());
  regions_.resize(graph_.region_count());
  resolved_.resize(graph_.op_count());
  while (place_.size() < nodes_.size()) place_.push_back(next_place_++);
  visit_budget_ = visits_ + 64 * graph_.node_count() + 10'000;
}

// ---- Setting up
// ---------------------------------------------------------------------------------------------

void Engine::SetUpInput(ValueId value) {
  const uint32_t v = Index(value);
  Type& type = types_[v];
  if (type.kind == TypeKind::kUnknown) type = graph_.declared(value);
  if (type.kind == TypeKind::kTensor && type.shape.is_none()) {
    type.shape = analysis_.shapes().Unknown(SymbolKey{site_.path, v, kInputRole});
  }
  if (options_.contents && contents_[v].is_none()) contents_[v] = graph_.contents(value);
}

void Engine::SetInput(ValueId value, Type type, Value contents) {
  Grow();
  if (Index(value) >= types_.size()) return;
  types_[Index(value)] = type;
  contents_[Index(value)] = contents;
}

void Engine::Assume(const Condition& condition) {
  analysis_.facts().Assert(condition, FactKind::kGiven, /*owner=*/0, site_.scope);
  for (const Clause& clause : condition.clauses) {
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
    body.certain = site_.certain;
    body.entered = true;
  }
  for (; values_set_up_ < graph_.value_count(); ++values_set_up_) {
    const ValueId v{values_set_up_};
    const ValueRole role = graph_.role(v);
    if (role == ValueRole::kConstant) SetUpInput(v);
    if (role != ValueRole::kInput || graph_.region(v) != graph_.body()) continue;
    SetUpInput(v);
    const Type& type = types_[values_set_up_];
    if (!options_.assume_not_empty || !type.is_tensor() || type.shape.is_none()) continue;
    for (const Dim d : type.shape.dims()) {
      if (!d.is_expression() || std::ranges::find(bounded_below_, d) != bounded_below_.end()) continue;
      analysis_.facts().Assert(Clause{AtLeast(analysis_.dims(), d, 1)}, FactKind::kAssumed, /*owner=*/0,
                               site_.scope);
    }
  }
}

// A node whose results reach no output of its region may be dropped by a runtime: it teaches nothing outside
// itself. A region without outputs is a fragment: everything in it counts.
void Engine::FindDeadEnds(RegionId region) {
  if (options_.dead_ends_teach || graph_.outputs(region).empty()) return;
  const std::span<const NodeId> members = graph_.nodes(region);
  for (const NodeId n : members) nodes_[Index(n)].dead_end = true;
  std::vector<NodeId> live;
  const auto reach = [&](NodeId n) {
    // Outward to the node of this region that carries it.
    while (n != kNoNode && graph_.region(n) != region) n = graph_.carrier(graph_.region(n));
    if (n == kNoNode || !nodes_[Index(n)].dead_end) return;
    nodes_[Index(n)].dead_end = false;
    live.push_back(n);
  };
  for (const ValueId v : graph_.outputs(region)) reach(graph_.maker(v));
  std::vector<RegionId> inside;
  while (!live.empty()) {
    const NodeId n = live.back();
    live.pop_back();
    for (const ValueId v : graph_.operands(n)) {
      if (v != kNoValue) reach(graph_.maker(v));
    }
    for (const NodeId before : graph_.control_inputs(n)) reach(before);
    for (const Graph::Carried& c : graph_.regions_of(n)) inside.push_back(c.region);
    while (!inside.empty()) {
      const RegionId r = inside.back();
      inside.pop_back();
      for (const ValueId v : graph_.outputs(r)) reach(graph_.maker(v));
      for (const NodeId m : graph_.nodes(r)) {
        if (!graph_.Has(m)) continue;
        for (const ValueId v : graph_.operands(m)) {
          if (v != kNoValue) reach(graph_.maker(v));
        }
        for (const Graph::Carried& c : graph_.regions_of(m)) inside.push_back(c.region);
      }
    }
  }
}

// ---- Driving
// ------------------------------------------------------------------------------------------------

void Engine::InferAll() {
  SetUp();
  RunNodes(graph_.body());
  SettleFacts();
}

void Engine::PutInOrder(RegionId region) {
  FindDeadEnds(region);
  RegionState& state = regions_[Index(region)];
  std::vector<NodeId> cut;
  state.order = graph_.Order(region, &cut);
  for (uint32_t i = 0; i < state.order.size(); ++i) place_[Index(state.order[i])] = i;
  next_place_ = std::max(next_place_, static_cast<uint32_t>(state.order.size()));
  has_cuts_ |= !cut.empty();
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

void Engine::RunNodes(RegionId region) {
  if (regions_[Index(region)].order.empty()) PutInOrder(region);
  const std::vector<NodeId>& order = regions_[Index(region)].order;
  for (const NodeId n : order) nodes_[Index(n)].queued = true;  // so that nobody queues it before its turn
  for (const NodeId n : order) {
    nodes_[Index(n)].queued = false;
    Visit(n);
  }
}

ScopeId Engine::ScopeOf(NodeId node) const {
  const ScopeId own = nodes_[Index(node)].own_scope;
  return own == ScopeId{UINT32_MAX} ? regions_[Index(graph_.region(node))].scope : own;
}

// Whether the facts that a node may have asked about have changed since.
bool Engine::IsStale(NodeId node) const {
  const NodeState& state = nodes_[Index(node)];
  if (state.asked_version == 0 || !graph_.Has(node)) return false;
  const ScopeId scope = ScopeOf(node);
  const Facts& facts = analysis_.facts();
  if (facts.version(scope) == state.asked_version) return false;
  if (graph_.carries_regions(node) || resolved_[Index(graph_.op_of(node))].function != nullptr) return true;
  for (const ValueId v : graph_.operands(node)) {
    if (v == kNoValue) continue;
    const Type& type = types_[Index(v)];
    if (type.container != nullptr) return true;
    if (type.is_tensor() && !type.shape.is_none() && !type.shape.is_constant()) {
      for (const Dim d : type.shape.dims()) {
        if (facts.VersionAbout(d, scope) > state.asked_version) return true;
      }
    }
    const Value held = contents_[Index(v)];
    if (held.kind() != ValueKind::kIntegers) {
      if (held.kind() == ValueKind::kBooleans || held.kind() == ValueKind::kFloats) return true;
      continue;
    }
    for (int64_t i = 0; i < held.size(); ++i) {
      if (facts.VersionAbout(held.Integer(i), scope) > state.asked_version) return true;
    }
  }
  return false;
}

void Engine::RunAskersAgain(std::span<const NodeId> nodes) {
  for (const NodeId n : nodes) {
    if (IsStale(n)) Visit(n);
  }
}

void Engine::SettleFacts() {
  for (int round = 0; round < kMaxRounds; ++round) {
    Settle();
    const uint64_t version = analysis_.facts().version(site_.scope);
    if (version == facts_seen_) return;
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
  Settle();
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
    // A user inside a region that a node here carries: that node.
    while (user != kNoNode && graph_.region(user) != home) user = graph_.carrier(graph_.region(user));
    if (user == kNoNode || Index(user) >= nodes_.size() || !nodes_[Index(user)].visited) return;
    if (has_cuts_ && IsCut(user, value)) return;
    Enqueue(user);
  });
}

void Engine::Settle() {
  while (!queue_.empty()) {
    std::ranges::pop_heap(queue_, std::greater<>());
    const NodeId n = queue_.back().second;
    queue_.pop_back();
    nodes_[Index(n)].queued = false;
    if (graph_.Has(n) && visits_ < visit_budget_) Visit(n);
  }
}

void Engine::RunRegion(RegionId region, std::span<const Type> inputs, std::span<const Value> contents,
                       bool certain) {
  RegionState& state = regions_[Index(region)];
  const RegionId outer = graph_.parent(region);
  if (!state.entered) {
    state.entered = true;
    state.scope = analysis_.facts().NewScope(regions_[Index(outer)].scope);
  }
  state.certain = certain && regions_[Index(outer)].certain;
  const std::span<const ValueId> parameters = graph_.inputs(region);
  for (size_t i = 0; i < parameters.size(); ++i) {
    const uint32_t v = Index(parameters[i]);
    types_[v] = i < inputs.size() ? inputs[i] : Type();
    contents_[v] = i < contents.size() && options_.contents ? contents[i] : Value();
    if (types_[v].kind == TypeKind::kUnknown) types_[v] = graph_.declared(parameters[i]);
    if (types_[v].is_tensor() && types_[v].shape.is_none()) {
      types_[v].shape = analysis_.shapes().Unknown(SymbolKey{site_.path, v, kInputRole});
    }
  }
  // Outer nodes that wait are not this region's business.
  std::vector<std::pair<uint32_t, NodeId>> outer_queue;
  outer_queue.swap(queue_);
  RunNodes(region);
  for (int round = 0; round < 3; ++round) {
    const uint64_t before = visits_;
    RunAskersAgain(regions_[Index(region)].order);
    Settle();
    if (visits_ == before) break;
  }
  outer_queue.swap(queue_);
}

RegionId Engine::FindRegion(NodeId node, std::string_view attribute) const {
  for (const Graph::Carried& c : graph_.regions_of(node)) {
    if (c.attribute == attribute) return c.region;
  }
  return kNoRegion;
}

bool Engine::IsInvariant(Dim d, RegionId region) const {
  if (!d.is_expression()) return true;
  for (const Dim s : analysis_.dims().SymbolsOf(d)) {
    if (const Definition* definition = analysis_.dims().GetDefinition(s)) {
      if (!std::ranges::all_of(definition->operands, [&](Dim x) { return IsInvariant(x, region); }))
        return false;
      continue;
    }
    const SymbolKey* key = analysis_.dims().KeyOf(s);
    if (key == nullptr) continue;
    if (site_.owner != 0) return false;  // inside a call: whose it is cannot be told
    if (key->role == kInputRole || key->value == 0 || key->value > graph_.node_count()) continue;
    const NodeId owner{key->value - 1};
    for (RegionId r = graph_.region(owner); r != kNoRegion; r = graph_.parent(r)) {
      if (r == region) return false;
    }
    // What the carrier itself made up stands for the region's parameters.
    if (owner == graph_.carrier(region)) return false;
  }
  return true;
}

// ---- Visiting
// -----------------------------------------------------------------------------------------------

const Engine::Resolved& Engine::Resolve(OpId id) {
  Resolved& r = resolved_[Index(id)];
  if (r.looked_up) return r;
  r.looked_up = true;
  const Graph::Op& op = graph_.op(id);
  r.function = graph_.FindFunction(op.name);
  if (r.function == nullptr && site_.functions != nullptr)
    r.function = site_.functions->FindFunction(op.name);
  if (r.function != nullptr) return r;
  const int version = op.version > 0 ? op.version : OpRegistry::kLatest;
  r.region_op = FindRegionOp(op.name);
  Result<const OpRegistrationData*> found = registry_.LookUp(op.name, version);
  if (found) {
    r.op = *found;
  } else if (r.region_op == nullptr) {
    r.unknown = found.error();
  }
  return r;
}

// The attributes as the file has them, with those of the call in the place of references to them.
const AttrMap* Engine::RawAttrs(NodeId node) {
  const AttrMap& own = graph_.attrs(graph_.attrs_of(node));
  const std::span<const Graph::AttrReference> references = graph_.attr_references(node);
  if (references.empty()) return &own;
  if (const auto it = call_attrs_.find(Index(node)); it != call_attrs_.end()) return &it->second;
  AttrMap attrs = own;
  for (const Graph::AttrReference& r : references) {
    const AttrValue* value = site_.attrs == nullptr ? nullptr : site_.attrs->Find(r.of_call);
    if (value == nullptr) {
      for (const Graph::FunctionAttr& a : graph_.function_attrs) {
        if (a.name == r.of_call) value = a.otherwise;
      }
    }
    if (value != nullptr) attrs.Set(std::string(r.attribute), *value);
  }
  return &call_attrs_.insert({Index(node), std::move(attrs)}).first->second;
}

// The attributes in the kinds that the operator declares.
const AttrMap* Engine::AttrsOf(NodeId node, const OpDef& def, Status* status) {
  static const AttrMap kNone;
  const bool shared = graph_.attr_references(node).empty();
  if (shared && graph_.attrs_of(node) == kNoAttrs) return &kNone;
  const uint64_t id = shared ? uint64_t{Index(graph_.op_of(node))} << 32 | Index(graph_.attrs_of(node))
                             : uint64_t{Index(node)} << 32 | UINT32_MAX;
  std::unique_ptr<ReadAttributes>& slot = read_attrs_[id];
  if (slot == nullptr) {
    slot = std::make_unique<ReadAttributes>();
    Result<AttrMap> attrs = ReadAttrs(def, *RawAttrs(node));
    if (attrs) {
      slot->attrs = *std::move(attrs);
    } else {
      slot->error = attrs.error();
    }
  }
  if (slot->error) *status = Unexpected(*slot->error);
  return &slot->attrs;
}

bool Engine::Visit(NodeId node) {
  NodeState& state = nodes_[Index(node)];
  ++visits_;
  const Resolved& resolved = Resolve(graph_.op_of(node));
  const std::span<const ValueId> operands = graph_.operands(node);
  const std::span<const ValueId> results = graph_.results(node);
  const bool plain = resolved.op != nullptr && resolved.region_op == nullptr &&
                     resolved.op->shape_fn != nullptr && operands.size() <= kMaxRemembered &&
                     results.size() <= kMaxRemembered && !has_cuts_ && graph_.attr_references(node).empty();
  key_.clear();
  if (plain) {
    key_.push_back(uint64_t{Index(graph_.op_of(node))} << 32 | Index(graph_.attrs_of(node)));
    bool numbers = true;
    for (const ValueId v : operands) {
      if (v == kNoValue) {
        key_.push_back(0);
        continue;
      }
      numbers &= AppendKey(&key_, types_[Index(v)], contents_[Index(v)]);
    }
    if (!numbers) {
      const ScopeId scope = regions_[Index(graph_.region(node))].scope;
      key_.push_back(uint64_t{static_cast<uint32_t>(scope)} << 1 | 1);
      key_.push_back(analysis_.facts().version(scope));
    }
    const VisitMemory::Remembered* known = memory_.Find(key_, results.size());
    if (known != nullptr) {
      if (state.record != UINT32_MAX) Forget(node);
      state.asked_version = numbers ? 0 : key_.back();
      if (!numbers) List(node);
      state.visited = true;
      bool changed = false;
      for (size_t i = 0; i < results.size(); ++i)
        changed |= Publish(node, i, known[i].type, known[i].contents);
      if (changed) ++state.version;
      return changed;
    }
  }
  const bool changed = VisitCarefully(node, resolved);
  if (changed) ++nodes_[Index(node)].version;
  return changed;
}

NodeDescription Engine::Describe(NodeId node, const OpDef* def, const AttrMap* attrs) {
  NodeState& state = nodes_[Index(node)];
  const RegionId region = graph_.region(node);
  if (state.dead_end && state.own_scope == ScopeId{UINT32_MAX}) {
    state.own_scope = analysis_.facts().NewScope(regions_[Index(region)].scope);
  }
  NodeDescription d;
  d.name = graph_.name(node);
  d.op = def;
  d.attrs = attrs;
  d.version = graph_.op(graph_.op_of(node)).version;
  d.num_outputs = static_cast<int>(graph_.results(node).size());
  d.index = graph_.position(node);
  d.scope = state.dead_end ? state.own_scope : regions_[Index(region)].scope;
  d.owner = site_.owner != 0 ? site_.owner : Index(node) + 1;
  d.path = site_.owner != 0 ? HashMix(site_.path, Index(node)) : site_.path;
  d.origin = site_.origin;
  return d;
}

bool Engine::VisitCarefully(NodeId node, const Resolved& resolved) {
  const std::vector<uint64_t> key = key_;  // a visit of a region overwrites it
  const std::span<const ValueId> operands = graph_.operands(node);
  std::vector<Type> types(operands.size());
  std::vector<Value> contents(operands.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i] == kNoValue) continue;
    if (!has_cuts_ || !IsCut(node, operands[i])) {
      types[i] = types_[Index(operands[i])];
      contents[i] = contents_[Index(operands[i])];
    }
    if (types[i].kind == TypeKind::kUnknown) types[i].kind = TypeKind::kTensor;
    if (types[i].is_tensor() && types[i].shape.is_none()) {
      types[i].shape = analysis_.shapes().Unknown(SymbolKey{site_.path, Index(operands[i]), kInputRole + 1});
    }
  }

  // What it asserted before goes; where nothing is new, not before the same is said again, so that nobody
  // else sees a change.
  std::unique_ptr<Record> before;
  NodeState& state = nodes_[Index(node)];
  if (state.record != UINT32_MAX) before = std::move(records_[state.record]);
  state.record = UINT32_MAX;
  const uint64_t operand_hash = VisitMemory::HashOfOperands(types, contents);
  if (before != nullptr && before->operand_hash != operand_hash) {
    for (const ConstraintId c : before->constraints) analysis_.facts().Retract(c);
    before->constraints.clear();
  }

  Status status;
  const OpDef* def = resolved.op != nullptr ? &resolved.op->def : nullptr;
  const AttrMap* attrs = def != nullptr ? AttrsOf(node, *def, &status) : &graph_.attrs(graph_.attrs_of(node));
  NodeDescription description = Describe(node, def, attrs);
  const uint64_t questions = analysis_.facts().question_count();
  const uint64_t fresh = analysis_.dims().fresh_count() + analysis_.shapes().unknown_count();
  const uint64_t version = analysis_.facts().version(description.scope);

  const bool plain_function = resolved.function == nullptr && resolved.region_op == nullptr && def != nullptr;
  // A visit may lead into regions and calls, whose nodes are visited meanwhile.
  std::unique_ptr<InferenceContext> own;
  InferenceContext* context = &context_;
  if (resolved.region_op != nullptr || resolved.function != nullptr) {
    own = std::make_unique<InferenceContext>(analysis_);
    context = own.get();
  }
  bool unknown = false;
  bool both_ways = false;
  if (status) {
    context->Reset(description, types, contents);
    both_ways = options_.backward && plain_function && std::ranges::any_of(types, LacksSomething);
    if (both_ways) {
      std::vector<Type> known(graph_.results(node).size());
      for (size_t i = 0; i < known.size(); ++i) {
        const auto pin = pins_.find(Index(graph_.results(node)[i]));
        if (pin != pins_.end()) known[i] = pin->second;
      }
      context->set_known_outputs(known);
    }
    if (resolved.function != nullptr && options_.functions) {
      status = context->Run([&](InferenceContext* c) { return CallFunction(node, *resolved.function, c); });
    } else if (resolved.region_op != nullptr) {
      status = context->Run([&](InferenceContext* c) { return resolved.region_op(*this, node, c); });
    } else if (resolved.op != nullptr && resolved.op->shape_fn) {
      status = context->Run(resolved.op->shape_fn);
    } else {
      unknown = true;
      status = context->Run([](InferenceContext*) { return Status(); });
    }
  } else {
    context->Reset(description, types, contents);
    status = context->AttachContext(std::move(status));
  }

  NodeState& now = nodes_[Index(node)];
  now.visited = true;
  now.asked_version = analysis_.facts().question_count() != questions ? version : 0;
  if (resolved.region_op != nullptr || resolved.function != nullptr) now.asked_version = version;
  if (now.asked_version != 0) List(node);
  if (status && (!context->checks().empty() || !context->constraints().empty())) {
    Record& record = RecordOf(node);
    record.constraints.insert(record.constraints.end(), context->constraints().begin(),
                              context->constraints().end());
    record.checks.insert(record.checks.end(), context->checks().begin(), context->checks().end());
  }
  if (now.record != UINT32_MAX) {
    records_[now.record]->operand_hash = operand_hash;
    records_[now.record]->scope = description.scope;
  }
  if (before != nullptr) {
    for (const ConstraintId c : before->constraints) analysis_.facts().Retract(c);
  }
  if (!status) {
    Diagnostic error = status.error();
    if (now.dead_end || !regions_[Index(graph_.region(node))].certain) {
      error.severity = Severity::kWarning;
      error.notes.emplace_back(
          now.dead_end ? "nothing uses the results of this node, so a runtime may leave it out"
                       : "the node may never run: it stands in a branch or in the body of a loop");
    }
    RecordOf(node).findings.push_back(std::move(error));
  } else if (resolved.unknown) {
    Diagnostic unknown_op = *resolved.unknown;
    unknown_op.severity = options_.require_shape_functions ? Severity::kError : Severity::kWarning;
    unknown_op.node = graph_.name(node);
    unknown_op.op = graph_.op_name(node);
    unknown_op.index = graph_.position(node);
    RecordOf(node).findings.push_back(std::move(unknown_op));
  }

  if (both_ways && status) LearnFromUse(node, *context);

  const std::span<const ValueId> results = graph_.results(node);
  bool changed = false;
  std::vector<VisitMemory::Remembered> found(results.size());
  for (size_t i = 0; i < results.size(); ++i) {
    Type& type = found[i].type;
    if (status && !unknown) {
      type = context->full_output_type(static_cast<int64_t>(i));
      found[i].contents = context->output_value(static_cast<int64_t>(i));
    }
    if (type.kind == TypeKind::kUnknown || (type.is_tensor() && type.shape.is_none()))
      type = Unknown(node, i, type);
    changed |= Publish(node, i, type, options_.contents ? found[i].contents : Value());
  }
  const bool made_up = analysis_.dims().fresh_count() + analysis_.shapes().unknown_count() != fresh;
  if (!key.empty() && status && !made_up && now.record == UINT32_MAX &&
      (now.asked_version == 0 || key.back() == version)) {
    memory_.Store(key, found);
  }
  return changed;
}

// Operands of which something was not known: what the operator says of them, seen from its results.
void Engine::LearnFromUse(NodeId user, const InferenceContext& context) {
  const std::span<const ValueId> operands = graph_.operands(user);
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i] == kNoValue || (has_cuts_ && IsCut(user, operands[i]))) continue;
    if (graph_.region(operands[i]) != graph_.region(user)) continue;  // a branch teaches nothing outside
    if (nodes_[Index(user)].dead_end || !LacksSomething(types_[Index(operands[i])])) continue;
    Learn(operands[i], context.refined_input_type(static_cast<int64_t>(i)));
  }
}

void Engine::Learn(ValueId value, const Type& type) {
  if (!type.is_tensor()) return;
  Type& known = types_[Index(value)];
  Type more = known;
  if (more.kind == TypeKind::kUnknown) more.kind = TypeKind::kTensor;
  if (!more.is_tensor()) return;
  if (more.element == ElementType::kUnknown) more.element = type.element;
  if (!type.shape.is_none() && type.shape.has_rank() && (more.shape.is_none() || !more.shape.has_rank())) {
    more.shape = type.shape;
  }
  if (more == known) return;
  known = more;
  pins_[Index(value)] = more;
  EnqueueUsers(value);
  if (const NodeId maker = graph_.maker(value); maker != kNoNode && nodes_[Index(maker)].visited) Enqueue(maker);
}

// What is known of a result of which the operator says nothing: what the file claims, or nothing.
Type Engine::Unknown(NodeId node, size_t result, Type type) {
  const ValueId value = graph_.results(node)[result];
  const Type declared = graph_.declared(value);
  if (type.kind == TypeKind::kUnknown && declared.kind != TypeKind::kUnknown) type = declared;
  if (type.kind == TypeKind::kUnknown) type.kind = TypeKind::kTensor;
  if (type.is_tensor() && type.shape.is_none()) {
    type.shape = declared.is_tensor() && !declared.shape.is_none()
                     ? declared.shape
                     : analysis_.shapes().Unknown(SymbolKey{site_.path, Index(value), kInputRole + 2});
  }
  if (type.is_tensor() && type.element == ElementType::kUnknown && declared.is_tensor())
    type.element = declared.element;
  return type;
}

void Engine::List(NodeId node) {
  NodeState& state = nodes_[Index(node)];
  if (state.listed || graph_.region(node) != graph_.body()) return;
  state.listed = true;
  askers_.push_back(node);
}

bool Engine::Publish(NodeId node, size_t result, Type type, Value contents) {
  const ValueId value = graph_.results(node)[result];
  if (!pins_.empty()) {
    if (const auto it = pins_.find(Index(value)); it != pins_.end()) type = WithPin(node, type, it->second);
  }
  Type& known = types_[Index(value)];
  Value& held = contents_[Index(value)];
  if (known == type && held == contents) return false;
  known = type;
  held = contents;
  EnqueueUsers(value);
  return true;
}

// What is known of a value together with what was pinned. Where they cannot both be true the pin is left out:
// it was refused, or the node has changed since.
Type Engine::WithPin(NodeId node, Type type, const Type& pin) {
  if (!type.is_tensor()) return type.kind == TypeKind::kUnknown ? pin : type;
  if (type.shape.is_none()) type.shape = pin.shape;
  if (type.element == ElementType::kUnknown) type.element = pin.element;
  if (!type.storage.is_known()) type.storage = pin.storage;
  if (pin.shape.is_none()) return type;
  InferenceContext context(analysis_);
  context.Reset(Describe(node, nullptr, nullptr), std::span<const Type>());
  Status status = context.Run([&](InferenceContext* c) -> Status {
    DIMWISE_ASSIGN_OR_RETURN(type.shape, c->Merge(type.shape, pin.shape));
    return {};
  });
  if (status && !context.constraints().empty()) {
    Record& record = RecordOf(node);
    record.constraints.insert(record.constraints.end(), context.constraints().begin(),
                              context.constraints().end());
    record.checks.insert(record.checks.end(), context.checks().begin(), context.checks().end());
  }
  return type;
}

Status Engine::Pin(ValueId value, const Type& type) {
  SetUp();
  Type merged = type;
  if (const auto it = pins_.find(Index(value)); it != pins_.end()) merged = it->second;
  const Type known = types_[Index(value)];
  InferenceContext context(analysis_);
  context.Reset(NodeDescription{}, std::span<const Type>());
  Status status = context.Run([&](InferenceContext* c) -> Status {
    if (!known.shape.is_none()) DIMWISE_RETURN_IF_ERROR(c->Merge(known.shape, type.shape));
    if (!merged.shape.is_none()) {
      DIMWISE_ASSIGN_OR_RETURN(merged.shape, c->Merge(merged.shape, type.shape));
    }
    return {};
  });
  for (const ConstraintId c : context.constraints()) analysis_.facts().Retract(c);
  if (!status) return status;
  if (merged.element == ElementType::kUnknown) merged.element = type.element;
  pins_[Index(value)] = merged;
  const NodeId maker = graph_.maker(value);
  if (maker != kNoNode) {
    Visit(maker);
    return {};
  }
  // An input: it is what was pinned wherever that says more.
  Type& now = types_[Index(value)];
  const Type before = now;
  if (now.kind == TypeKind::kUnknown) now.kind = TypeKind::kTensor;
  if (now.element == ElementType::kUnknown) now.element = merged.element;
  if (now.shape.is_none() || !now.shape.has_rank()) {
    now.shape = merged.shape;
  } else if (merged.shape.has_rank() && merged.shape.rank() == now.shape.rank()) {
    std::vector<Dim> sizes;
    for (int i = 0; i < now.shape.rank(); ++i) {
      sizes.push_back(merged.shape[i].is_constant() ? merged.shape[i] : now.shape[i]);
    }
    now.shape = analysis_.shapes().Make(sizes);
  }
  if (now != before) EnqueueUsers(value);
  return {};
}

void Engine::Remove(NodeId node, std::span<const ValueId> results) {
  Grow();
  Forget(node);
  nodes_[Index(node)].visited = false;
  for (const ValueId v : results) {
    if (types_[Index(v)] == Type() && contents_[Index(v)].is_none()) continue;
    types_[Index(v)] = Type();
    contents_[Index(v)] = Value();
    EnqueueUsers(v);
  }
}

// ---- What is left behind
// ------------------------------------------------------------------------------------

Engine::Record& Engine::RecordOf(NodeId node) {
  NodeState& state = nodes_[Index(node)];
  if (state.record == UINT32_MAX) {
    state.record = static_cast<uint32_t>(records_.size());
    records_.push_back(std::make_unique<Record>());
  }
  return *records_[state.record];
}

const Engine::Record* Engine::record(NodeId node) const {
  const uint32_t r = nodes_[Index(node)].record;
  return r == UINT32_MAX ? nullptr : records_[r].get();
}

void Engine::Forget(NodeId node) {
  NodeState& state = nodes_[Index(node)];
  if (state.record == UINT32_MAX) return;
  for (const ConstraintId c : records_[state.record]->constraints) analysis_.facts().Retract(c);
  records_[state.record].reset();
  state.record = UINT32_MAX;
}

void Engine::Warn(NodeId node, Diagnostic diagnostic) {
  diagnostic.node = graph_.name(node);
  diagnostic.op = graph_.op_name(node);
  diagnostic.index = graph_.position(node);
  RecordOf(node).findings.push_back(std::move(diagnostic));
}

}  // namespace dimwise
