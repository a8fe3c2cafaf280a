// A visit of one node: from what is known of its operands to what is known of its results.
#include <algorithm>
#include <bit>
#include <utility>

#include "core/base/hash_mix.h"
#include "core/base/scratch_array.h"
#include "core/dims/condition_logic.h"
#include "core/dims/symbol_set.h"
#include "graph/graph_walk.h"
#include "graph/program_names.h"
#include "infer/engine/element_extremes.h"
#include "infer/engine/engine.h"
#include "infer/engine/region_rule.h"
#include "infer/operators/rule_function.h"

namespace dimwise {

// What a visit depends on, as words; nothing where it depends on more.
inline bool Engine::MakeKey(NodeId node, const Resolved& resolved, VisitKey* key) const {
  const std::span<const ValueId> operands = graph_.operands(node);
  if (!resolved.is_plain || operands.size() > VisitKey::kMaxOperands || has_cuts_) return false;
  if (!graph_.attr_references(node).empty() || graph_.carries_regions(node)) return false;
  if (guide_ != nullptr && (!guide_->MayRemember(node) || HasPinnedResults(node))) return false;
  key->Append(uint64_t{Index(graph_.op_of(node))} << 32 | Index(graph_.attrs_of(node)));
  key->Append(static_cast<uint64_t>(ScopeOf(node)));  // the facts may have a say
  for (const ValueId v : operands) {
    if (v == kNoValue) {
      key->Append(0);
      continue;
    }
    const Known& known = known_[Index(v)];
    if (known.type.container != nullptr) return false;
    key->Append(known);
  }
  return true;
}

// All that it reads and leaves inside; of its results, what was pinned.
uint64_t Engine::ReadInside(NodeId node) const {
  uint64_t h = certain(node) ? 1 : 0;
  ForEachNeeded(graph_, node, [&](ValueId v) {
    const Known& known = known_[Index(v)];
    h = HashMix(h, HashOf(std::span(&known.type, 1), std::span(&known.contents, 1)));
  });
  for (const ValueId v : graph_.results(node)) {
    const auto pin = pins_.find(Index(v));
    const Value nothing;
    if (pin != pins_.end()) h = HashMix(h, HashOf(std::span(&pin->second, 1), std::span(&nothing, 1)));
  }
  return h;
}

bool Engine::Visit(NodeId node) {
  ++visits_;
  if (depth_ > 0 && graph_.carries_regions(node) && WouldRunTheSame(node)) return false;
  Resolved& resolved = Resolve(graph_.op_of(node));
  if (resolved.is_constant && guide_ == nullptr) {
    const Graph::TensorAttr& tensor = graph_.tensor_attr(graph_.attrs_of(node));
    const bool is_whole = graph_.operands(node).empty() && graph_.results(node).size() == 1;
    if (is_whole && tensor.attribute == "value") return VisitConstant(node, tensor);
  }
  VisitKey key;
  const bool has_key = (!resolved.picks || CountedIndices(node).empty()) && MakeKey(node, resolved, &key);
  const size_t result_count = graph_.results(node).size();
  VisitMemory::Entry* known = has_key ? memory_.Find(key, result_count) : nullptr;
  bool changed = false;
  if (known != nullptr && StillHolds(node, known)) {
    NodeState& state = nodes_[Index(node)];
    if (state.record != UINT32_MAX) Forget(node);
    state.visited = true;
    state.asked_version = known->asked_version;
    if (known->asked_version != 0) {
      List(node);
      NoteOperands(node, known->asked_version);
    }
    const Known* results = memory_.ResultsOf(*known);
    for (size_t i = 0; i < result_count; ++i) changed |= Publish(node, i, results[i]);
  } else if (nodes_[Index(node)].record != UINT32_MAX && WouldSayTheSame(node)) {
    NodeState& state = nodes_[Index(node)];
    state.asked_version = QueryTracking(analysis_.facts()).Renew(state.asked_version, ScopeOf(node));
    NoteOperands(node, state.asked_version);
  } else if (!has_key || !VisitByPlan(node, resolved, key, known, &changed)) {
    changed = VisitCarefully(node, resolved, has_key ? &key : nullptr);
  }
  if (changed) ++nodes_[Index(node)].version;
  return changed;
}

// A constant of a file that is a node there: known as others are, without a rule.
bool Engine::VisitConstant(NodeId node, const Graph::TensorAttr& tensor) {
  NodeState& state = nodes_[Index(node)];
  state.visited = true;
  if (!Publish(node, 0, {tensor.type, options_.contents ? tensor.contents : Value()})) return false;
  ++state.version;
  return true;
}

// A visit of an operator whose rule has nothing to say but types, by a plan of it: there is nothing to set up
// for that, and nothing is left behind. False where it takes a context. `known` is what was remembered under
// the key and holds no more.
bool Engine::VisitByPlan(NodeId node, Resolved& resolved, const VisitKey& key,
                         const VisitMemory::Entry* known, bool* changed) {
  const std::span<const ValueId> results = graph_.results(node);
  if (resolved.rule == nullptr || guide_ != nullptr || results.size() > VisitKey::kMaxOperands) return false;
  NodeState& state = nodes_[Index(node)];
  if (record(node) != nullptr || !live(node)) return false;
  const std::span<const ValueId> values = graph_.operands(node);
  ScratchArray<rules::Operand, VisitKey::kMaxOperands> operands;
  for (size_t i = 0; i < values.size(); ++i) {
    rules::Operand& operand = operands[i] = {};
    operand.given = values[i] != kNoValue;
    if (!operand.given) continue;
    const Known& of_value = known_[Index(values[i])];
    if (!of_value.type.is_tensor() || Lacks(of_value.type)) return false;
    operand.type = of_value.type;
    operand.value = of_value.contents;
  }
  Attributes& attributes = AttributesOf(node, resolved);
  if (attributes.error) return false;
  Facts& facts = analysis_.facts();
  const QueryTracking tracking(facts);
  const QueryCount queries = tracking.count();
  const BareCall call{analysis_,
                      ScopeOf(node),
                      {operands.data(), values.size()},
                      *attributes.attrs,
                      graph_.op(graph_.op_of(node)).version};
  ScratchArray<Type, VisitKey::kMaxOperands> types;
  ScratchArray<Value, VisitKey::kMaxOperands> contents;
  if (!ApplyPlan(*resolved.rule, call, &attributes.hint, {types.data(), results.size()},
                 {contents.data(), results.size()})) {
    return false;
  }
  state.visited = true;
  state.asked_version = tracking.StampSince(queries, facts.version(call.scope));
  if (state.asked_version != 0) List(node);
  found_.clear();
  for (size_t i = 0; i < results.size(); ++i) {
    found_.push_back({types[i], options_.contents ? contents[i] : Value()});
    *changed |= Publish(node, i, found_.back());
  }
  if (known == nullptr) {
    memory_.Add(key, state.asked_version, found_);
  } else {
    memory_.Store(key, state.asked_version, found_);
  }
  return true;
}

// Whether the facts would still answer what a remembered visit was told.
bool Engine::StillHolds(NodeId node, VisitMemory::Entry* known) const {
  if (known->asked_version == 0) return true;
  const ScopeId scope = ScopeOf(node);
  const QueryTracking tracking(analysis_.facts());
  if (!tracking.IsOutdated(known->asked_version, scope)) return true;
  if (HaveFactsChanged(node, scope, known->asked_version)) return false;
  known->asked_version = tracking.Renew(known->asked_version, scope);
  return true;
}

NodeDescription Engine::Describe(NodeId node, const OpDef* def, const AttrMap* attrs) {
  if (!live(node)) {
    const auto [own, is_new] = own_scopes_.try_emplace(Index(node));
    if (is_new) own.value() = analysis_.facts().NewScope(regions_[Index(graph_.region(node))].scope);
  }
  NodeDescription d;
  d.name = graph_.name(node);
  d.op = def;
  if (def == nullptr) d.op_name = ShortName(graph_.op_name(node));
  d.attrs = attrs;
  d.version = graph_.op(graph_.op_of(node)).version;
  d.num_outputs = static_cast<int>(graph_.results(node).size());
  d.index = graph_.position(node);
  d.scope = ScopeOf(node);
  d.owner = site_.owner != 0 ? site_.owner : Index(node) + 1;
  d.path = site_.owner != 0 ? HashMix(site_.path, Index(node)) : site_.path;
  d.origin = site_.origin;
  ShareUnknowns(node, &d);
  return d;
}

// What is known of the operands; those that are unknown, or come from further on, are unknown tensors.
void Engine::ReadOperands(NodeId node, std::span<Type> types, std::span<Value> contents) {
  const std::span<const ValueId> operands = graph_.operands(node);
  for (size_t i = 0; i < operands.size(); ++i) {
    types[i] = Type();
    contents[i] = Value();
    if (operands[i] == kNoValue) continue;
    if (!has_cuts_ || !IsCut(node, operands[i])) {
      types[i] = known_[Index(operands[i])].type;
      contents[i] = known_[Index(operands[i])].contents;
    }
    if (types[i].kind == TypeKind::kUnknown) types[i].kind = TypeKind::kTensor;
    if (types[i].is_tensor() && types[i].shape.is_none()) {
      types[i].shape = analysis_.shapes().Unknown(SymbolKey{site_.path, Index(operands[i]), kInputRole + 1});
    }
  }
}

// Runs what stands for the operator: a function's body, the regions, a rule. `says`: that there is something.
Status Engine::RunOperator(NodeId node, const Resolved& resolved, InferenceContext* context, bool* says) {
  const auto nothing = [](InferenceContext*) { return Status(); };
  *says = guide_ == nullptr || guide_->Visits(node);
  if (!*says) return context->Run(nothing);
  if (resolved.function != nullptr && options_.functions) {
    return context->Run([&](InferenceContext* c) { return CallFunction(node, *resolved.function, c); });
  }
  if (resolved.region_op != nullptr) {
    return context->Run([&](InferenceContext* c) { return resolved.region_op(*this, node, c); });
  }
  const ShapeFn* function =
      resolved.op != nullptr && resolved.op->shape_fn ? &resolved.op->shape_fn : nullptr;
  if (guide_ != nullptr) {
    Status status;
    *says = guide_->Run(node, function, context, &status);
    return status;
  }
  *says = function != nullptr;
  if (function == nullptr) return context->Run(nothing);
  return context->Run([&](InferenceContext* c) -> Status {
    const uint64_t fresh = analysis_.dims().fresh_count();
    DIMWISE_RETURN_IF_ERROR((*function)(c));
    if (analysis_.dims().fresh_count() != fresh && !c->asks_about_inputs()) NameByNumbers(node, resolved, c);
    return RequireIndices(node, resolved, c);
  });
}

void Engine::RecordFindings(NodeId node, const Resolved& resolved, const Status& status) {
  if (!status) {
    Diagnostic error = status.error();
    const bool fails = error.code != Code::kNotSupported;  // as against: we do not know
    if (!certain(node)) {
      error.severity = Severity::kWarning;
      error.notes.emplace_back(live(node)
                                   ? "the node may never run: it stands in a branch or in the body of a loop"
                                   : "nothing uses the results of this node, so a runtime may leave it out");
      if (fails) RecordOf(node).checks.push_back({Never(), error.message, error.code});
    }
    RecordOf(node).findings.push_back(std::move(error));
    RecordOf(node).failed = fails;
  } else if (resolved.unknown && guide_ == nullptr) {
    Diagnostic unknown_op = *resolved.unknown;
    unknown_op.severity = options_.require_shape_functions ? Severity::kError : Severity::kWarning;
    unknown_op.node = graph_.name(node);
    unknown_op.op = graph_.op_name(node);
    unknown_op.index = graph_.position(node);
    RecordOf(node).findings.push_back(std::move(unknown_op));
  }
}

bool Engine::VisitCarefully(NodeId node, Resolved& resolved, const VisitKey* key) {
  const size_t operand_count = graph_.operands(node).size();
  ScratchArray<Type, VisitKey::kMaxOperands> few_types;
  ScratchArray<Value, VisitKey::kMaxOperands> few_contents;
  std::vector<Type> many_types;
  std::vector<Value> many_contents;
  if (operand_count > VisitKey::kMaxOperands) {
    many_types.resize(operand_count);
    many_contents.resize(operand_count);
  }
  const std::span<Type> types(many_types.empty() ? few_types.data() : many_types.data(), operand_count);
  const std::span<Value> contents(many_contents.empty() ? few_contents.data() : many_contents.data(),
                                  operand_count);
  ReadOperands(node, types, contents);

  // What it asserted before goes; where the operands are the same, not before the same is said again, so that
  // nobody else sees a change. It stays where nothing has been taken back since: what was true is true,
  // although a visit that is told of it may have no reason to say it again.
  const std::unique_ptr<Record> before = TakeRecord(node);
  if (before != nullptr && guide_ == nullptr && before->operand_hash != HashOf(types, contents)) {
    Retract(node, before.get());
  }
  const bool stays = facts_only_grow_ || (before != nullptr && before->retractions == retractions_);

  Status status;
  const OpDef* def = resolved.op != nullptr ? &resolved.op->def : nullptr;
  const AttrMap* attrs = &graph_.attrs(graph_.attrs_of(node));
  if (def != nullptr) {
    const Attributes& attributes = AttributesOf(node, resolved);
    attrs = attributes.attrs;
    if (attributes.error) status = Unexpected(*attributes.error);
  }
  if (guide_ != nullptr && def != nullptr) attrs = guide_->Attributes(*def, attrs);
  NodeDescription description = Describe(node, def, attrs);
  Facts& facts = analysis_.facts();
  QueryTracking tracking(facts);
  const QueryCount queries = tracking.count();
  const uint64_t fresh = analysis_.dims().fresh_count() + analysis_.shapes().unknown_count();
  const uint64_t version = facts.version(description.scope);
  const auto made_up = [&] {
    return analysis_.dims().fresh_count() + analysis_.shapes().unknown_count() != fresh;
  };

  // A visit may lead into regions and calls, whose nodes are visited meanwhile.
  const bool asks_regions = resolved.is_plain && graph_.carries_regions(node);
  const bool leads_inside = resolved.region_op != nullptr || resolved.function != nullptr || asks_regions;
  std::unique_ptr<InferenceContext> own;
  if (leads_inside) own = std::make_unique<InferenceContext>(analysis_);
  InferenceContext* context = leads_inside ? own.get() : &context_;
  RegionsOfNode regions(*this, node, context);
  if (asks_regions) description.regions = &regions;
  context->Reset(description, types, contents);
  SymbolSet asked_inside;
  SymbolSet* const asked_around = leads_inside ? tracking.SetSymbols(&asked_inside) : nullptr;
  bool both_ways = false, says = false;
  asked_.Clear();
  QueryLog* const log_around = tracking.SetLog(leads_inside ? nullptr : &asked_);
  if (status) {
    both_ways = LooksBack(node, resolved, types);
    if (both_ways) context->set_known_outputs(PinsOfResults(node));
    status = RunOperator(node, resolved, context, &says);
  } else {
    status = context->AttachContext(std::move(status));
  }
  tracking.SetLog(log_around);

  if (leads_inside) {
    tracking.SetSymbols(asked_around);
    if (asked_around != nullptr) {
      for (const Dim d : asked_inside.list()) asked_around->Add(d);
    }
    inside_[Index(node)].asked = asked_inside.list();
  }
  NodeState& state = nodes_[Index(node)];
  state.visited = true;
  state.asked_version = tracking.StampSince(queries, version);
  if (leads_inside && state.asked_version == 0) state.asked_version = tracking.Renew(0, description.scope);
  if (state.asked_version != 0) List(node);
  if (!status && facts_only_grow_ && guide_ == nullptr) {
    refused_.emplace_back(node, std::exchange(state.asked_version, 0));
  }
  if (status && (!context->checks().empty() || !context->constraints().empty())) {
    RecordOf(node).Add(context->constraints(), context->checks());
    const bool is_known = before != nullptr && std::ranges::any_of(before->checks, RestsOnOthers);
    if (!is_known && std::ranges::any_of(context->checks(), RestsOnOthers)) choosers_.push_back(node);
  }
  if (before != nullptr && !stays) {
    Retract(node, before.get());
  } else if (before != nullptr && !before->constraints.empty()) {
    Record& record = RecordOf(node);
    if (facts.version(description.scope) == version) {  // once is enough
      for (const ConstraintId c : record.constraints) analysis_.facts().Retract(c);
      record.constraints.clear();
    }
    record.Add(before->constraints, {});
  }
  RecordFindings(node, resolved, status);
  if (both_ways && status) LearnFromUse(node, *context);

  const std::span<const ValueId> results = graph_.results(node);
  says = says && status;
  found_.clear();
  bool changed = false;
  std::vector<ElementType> elements;  // after an error, where they are known all the same
  if (!status && resolved.is_plain && guide_ == nullptr && !is_trial_) {
    elements = ElementsOf(description, resolved.op->shape_fn, types);
  }
  for (size_t i = 0; i < results.size(); ++i) {
    Known found;
    if (i < elements.size() && elements[i] != ElementType::kUnknown)
      found.type = Type::Tensor(elements[i], Shape());
    if (says) {
      found.type = context->full_output_type(static_cast<int64_t>(i));
      if (options_.contents) found.contents = context->output_value(static_cast<int64_t>(i));
      if (guide_ != nullptr) found.type = guide_->Masked(found.type);
    }
    if (found.type.kind == TypeKind::kUnknown || (found.type.is_tensor() && found.type.shape.is_none()))
      found.type = Unknown(node, i, found.type);
    if (key != nullptr) found_.push_back(found);
    changed |= Publish(node, i, found, both_ways && says && guide_ != nullptr);
  }
  if (record(node) != nullptr) {
    RecordOf(node).operand_hash = HashOf(types, contents);
    RecordOf(node).retractions = retractions_;
    if (status && !leads_inside && !both_ways) RecordOf(node).questions = asked_;
  }
  if (depth_ > 0 && graph_.carries_regions(node)) inside_[Index(node)].read = ReadInside(node);
  if (key != nullptr && status && !made_up() && !both_ways && record(node) == nullptr) {
    memory_.Store(*key, state.asked_version, found_);
  }
  return changed;
}

// Of the results for operands of these element types, whatever their shapes are; nothing where that is an
// error too.
std::vector<ElementType> Engine::ElementsOf(const NodeDescription& description, const ShapeFn& operator_fn,
                                            std::span<const Type> operands) {
  std::vector<Type> shapeless(operands.begin(), operands.end());
  for (size_t i = 0; i < shapeless.size(); ++i) {
    if (!shapeless[i].is_tensor()) continue;
    shapeless[i].shape =
        analysis_.shapes().Unknown(SymbolKey{description.path, static_cast<uint32_t>(i), kInputRole + 4});
  }
  InferenceContext context(analysis_);
  context.Reset(description, shapeless);
  if (!context.Run(operator_fn)) return {};
  for (const ConstraintId c : context.constraints()) analysis_.facts().Retract(c);
  std::vector<ElementType> elements;
  for (int64_t i = 0; i < description.num_outputs; ++i) {
    const Type type = context.full_output_type(i);
    elements.push_back(type.is_tensor() ? type.element : ElementType::kUnknown);
  }
  return elements;
}

// What is known of a result of which the operator says nothing: what the file claims, or nothing.
Type Engine::Unknown(NodeId node, size_t result, Type type) {
  const ValueId value = graph_.results(node)[result];
  const Type declared = guide_ == nullptr ? graph_.declared(value) : Type();
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

// `is_merged`: with what was pinned.
bool Engine::Publish(NodeId node, size_t result, const Known& found, bool is_merged) {
  const ValueId value = graph_.results(node)[result];
  Known& known = known_[Index(value)];
  auto pin = pins_.empty() || is_merged ? pins_.end() : pins_.find(Index(value));
  // What its users told is of no use any more; they will say of these sizes what they said of those.
  if (pin != pins_.end() && !Lacks(found.type) && learnt_.contains(Index(value))) pin = pins_.end();
  Known pinned;
  if (pin != pins_.end()) pinned = {WithPin(node, found.type, pin->second), found.contents};
  const Known& now = pin != pins_.end() ? pinned : found;
  if (known == now) return false;
  known = now;
  // Where the nodes of the region are visited in their order, the users come later anyway.
  if (graph_.region(node) != running_ || has_cuts_) EnqueueUsers(value);
  return true;
}

}  // namespace dimwise
