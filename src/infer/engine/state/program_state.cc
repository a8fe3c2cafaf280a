#include "infer/engine/state/program_state.h"

#include <algorithm>

#include "graph/graph_walk.h"

namespace dimwise {
namespace {

// Visits that every program may use, however few nodes it has.
constexpr uint64_t kLeastNodes = 150;

bool IsRankOrElementTypeUnknown(const Type& type) {
  if (type.kind == TypeKind::kUnknown) return true;
  return type.is_tensor() &&
         (type.element == ElementType::kUnknown || type.shape.is_none() || !type.shape.has_rank());
}

}  // namespace

ProgramState::ProgramState(const Graph& g, const OpRegistry& r, EngineOptions o, CallSite s)
    : graph(g),
      analysis(g.analysis()),
      registry(r),
      options(o),
      site(s),
      live_nodes(graph),
      regions(graph, analysis.facts()),
      operators(graph, registry, site),
      assumptions(analysis, site.scope),
      nesting(site.nesting) {
  Grow();
}

void ProgramState::Grow() {
  values.Resize(graph.value_count());
  schedule.Resize(graph.node_count());
  live_nodes.Resize(graph.node_count());
  regions.Resize(graph.region_count());
  operators.Resize();
  const uint64_t nodes = graph.node_count() + kLeastNodes;
  budget.limit = budget.visits + options.visits_per_node * nodes;
  uint64_t nodes_in_calls = nodes;
  for (const std::unique_ptr<Graph>& function : graph.functions()) nodes_in_calls += function->node_count();
  budget.left_in_calls = nodes_in_calls * options.visits_in_calls_per_node;
}

// ---- Values ----

bool ProgramState::IsIncomplete(const Type& type) const {
  return hooks != nullptr ? hooks->IsIncomplete(type) : IsRankOrElementTypeUnknown(type);
}

bool ProgramState::HasRefinedResults(NodeId node) const {
  return !refinements.empty() &&
         std::ranges::any_of(graph.results(node), [&](ValueId v) { return refinements.Has(v); });
}

void ProgramState::ReadOperands(NodeId node, std::span<Type> types, std::span<Value> contents) const {
  const std::span<const ValueId> operands = graph.operands(node);
  for (size_t i = 0; i < operands.size(); ++i) {
    types[i] = Type();
    contents[i] = Value();
    if (operands[i] == kNoValue) continue;
    if (!has_cuts || !IsCut(node, operands[i])) {
      types[i] = values[operands[i]].type;
      contents[i] = values[operands[i]].contents;
    }
    if (types[i].kind == TypeKind::kUnknown) types[i].kind = TypeKind::kTensor;
    if (types[i].is_tensor() && types[i].shape.is_none())
      types[i].shape = analysis.shapes().Unknown(SymbolKey{site.path, Index(operands[i]), kOperandRole});
  }
}

// ---- Changes ----

void ProgramState::SetUpInput(ValueId value, Type type, Value contents) {
  if (type.kind == TypeKind::kUnknown) type = graph.declared(value);
  if (type.kind == TypeKind::kTensor && type.shape.is_none())
    type.shape = analysis.shapes().Unknown(SymbolKey{site.path, Index(value), kInputRole});
  values[value].type = type;
  values[value].contents = !options.contents    ? Value()
                           : contents.is_none() ? graph.contents(value)
                                                : contents;
}

void ProgramState::SetUpInputs() {
  RegionState& body = regions[graph.body()];
  if (!body.entered) {
    body.scope = site.scope;
    body.entered = true;
  }
  for (const auto inputs = graph.inputs(graph.body()); inputs_set_up_ < inputs.size();) {
    const ValueId v = inputs[inputs_set_up_++];
    const ValueState& value = values[v];
    SetUpInput(v, value.type, value.contents);
    if (!options.assume_not_empty || !value.type.is_tensor() || value.type.shape.is_none()) continue;
    for (const Dim d : value.type.shape.dims()) assumptions.AssumeNotEmpty(d);
  }
  for (uint32_t r = 0; r < regions.size(); ++r) {
    const std::span<const ValueId> constants = graph.constants(RegionId{r});
    for (uint32_t& next = regions[RegionId{r}].constants_set_up; next < constants.size(); ++next) {
      const ValueState& value = values[constants[next]];
      SetUpInput(constants[next], value.type, value.contents);
    }
  }
}

void ProgramState::OrderNodes(RegionId region) {
  std::vector<NodeId> cut;
  std::vector<NodeId>& order = regions[region].order;
  order = graph.Order(region, &cut);
  schedule.SetOrder(order);
  has_cuts |= !cut.empty();
  if (!options.use_facts_of_dead_nodes) live_nodes.Find(region, order, schedule);
}

void ProgramState::EnqueueUsers(ValueId value) {
  const RegionId home = graph.region(value);
  graph.ForEachUse(value, [&](NodeId user, size_t) {
    user = MemberAround(graph, user, home);
    if (user == kNoNode || !visited(user)) return;
    if (has_cuts && IsCut(user, value)) return;
    Enqueue(user);
  });
  if (hooks == nullptr) return;
  for (const NodeId reader : hooks->ReadersOf(value)) {
    if (visited(reader)) Enqueue(reader);
  }
}

void ProgramState::Retract(NodeId node, NodeEffects* node_effects) {
  if (node_effects->constraints.empty()) return;
  Facts& facts = analysis.facts();
  const ScopeId scope = ScopeOf(node);
  const uint64_t version = facts.version(scope);
  for (const ConstraintId c : node_effects->constraints) facts.Retract(c);
  node_effects->constraints.clear();
  if (facts.version(scope) != version) ++retractions;
}

void ProgramState::DropEffects(NodeId node) {
  if (!effects.MayHave(node)) return;
  if (const std::unique_ptr<NodeEffects> taken = effects.Take(node); taken != nullptr)
    Retract(node, taken.get());
}

bool ProgramState::AssumeIn(RegionId region, std::vector<Clause> clauses) {
  const RegionTable::Change change = regions.Assume(region, std::move(clauses));
  if (change.retracted) ++retractions;
  return change.is_new;
}

}  // namespace dimwise
