#include "infer/engine/node_evaluator.h"

#include <algorithm>

#include "core/base/hash_mix.h"
#include "core/base/scratch_array.h"
#include "core/dims/condition_logic.h"
#include "core/dims/symbol_set.h"
#include "core/values/contents_limit.h"
#include "graph/program_names.h"
#include "infer/engine/control/region_rule.h"
#include "infer/error.h"
#include "infer/operators/rule_function.h"

namespace dimwise {

NodeEvaluator::NodeEvaluator(ProgramState& state, QueryStamps& stamps, Clients clients)
    : state_(state),
      graph_(state.graph),
      stamps_(stamps),
      clients_(std::move(clients)),
      context_(state.analysis) {}

// ---- Visits ----

// Builds the key of a visit. Returns false if a visit depends on more than a key can hold.
inline bool NodeEvaluator::MakeKey(NodeId node, const ResolvedOperator& resolved, VisitKey* key) const {
  const std::span<const ValueId> operands = graph_.operands(node);
  if (!resolved.is_plain || operands.size() > VisitKey::kMaxOperands || state_.has_cuts) return false;
  if (!graph_.attr_references(node).empty() || graph_.carries_regions(node)) return false;
  if (state_.hooks != nullptr && (!state_.hooks->IsCacheable(node) || state_.HasRefinedResults(node)))
    return false;
  key->Append(uint64_t{Index(graph_.op_of(node))} << 32 | Index(graph_.attrs_of(node)));
  key->Append(static_cast<uint64_t>(state_.ScopeOf(node)));
  for (const ValueId v : operands) {
    if (v == kNoValue) {
      key->Append(0);
      continue;
    }
    const ValueState& value = state_.values[v];
    if (value.type.container != nullptr) return false;
    key->Append(value);
  }
  return true;
}

bool NodeEvaluator::LooksBeyondOperands(NodeId node) const {
  return std::ranges::any_of(clients_.analyses,
                             [&](NodeAnalysis* a) { return a->LooksBeyondOperands(node); });
}

bool NodeEvaluator::Visit(NodeId node) {
  ++state_.budget.visits;
  if (state_.nesting > 0 && graph_.carries_regions(node) && stamps_.NestedIsCurrent(node)) return false;
  const ResolvedOperator& resolved = state_.operators.Resolve(node);
  bool changed = false;
  if (resolved.is_constant && state_.hooks == nullptr &&
      !graph_.tensor_attr(graph_.attrs_of(node)).attribute.empty() && graph_.operands(node).empty() &&
      graph_.results(node).size() == 1) {
    changed = VisitConstant(node);
  } else {
    VisitKey key;
    const bool has_key =
        !(resolved.uses_indices && LooksBeyondOperands(node)) && MakeKey(node, resolved, &key);
    VisitCache::Entry* entry = has_key ? cache_.Find(key, graph_.results(node).size()) : nullptr;
    if (entry != nullptr && stamps_.IsCurrent(node, &entry->stamp)) {
      changed = VisitByCache(node, *entry);
    } else if (state_.effects.MayHave(node) && stamps_.WouldRepeat(node)) {
      const QueryStamp stamp = state_.queries().Renew(state_.schedule.stamp(node), state_.ScopeOf(node));
      state_.SetStamp(node, stamp);
      stamps_.RepeatQueries(node, stamp);
    } else if (!has_key || !VisitByTrace(node, resolved, key, /*is_stored=*/entry != nullptr, &changed)) {
      changed = VisitByOperator(node, resolved, has_key ? &key : nullptr);
    }
  }
  if (changed) state_.schedule.IncrementVersion(node);
  if (state_.first_unfinished == kNoNode && state_.analysis.facts().unfinished_queries() > 0)
    state_.first_unfinished = node;
  return changed;
}

bool NodeEvaluator::VisitConstant(NodeId node) {
  const Graph::TensorAttr& tensor = graph_.tensor_attr(graph_.attrs_of(node));
  state_.schedule.set_visited(node, true);
  return Publish(node, 0, {tensor.type, state_.options.contents ? tensor.contents : Value()});
}

bool NodeEvaluator::VisitByCache(NodeId node, const VisitCache::Entry& entry) {
  if (state_.effects.MayHave(node)) state_.DropEffects(node);
  state_.schedule.set_visited(node, true);
  state_.SetStamp(node, entry.stamp);
  if (entry.stamp != kNoStamp) stamps_.RepeatQueries(node, entry.stamp);
  const ValueState* results = cache_.ResultsOf(entry);
  bool changed = false;
  for (size_t i = 0; i < graph_.results(node).size(); ++i) changed |= Publish(node, i, results[i]);
  return changed;
}

// Computes the results by a trace of the rule (rules/evaluate/trace_cache.h), which has no effects and needs
// no context. Returns false if there is none. `is_stored`: the cache has an entry of the key that is not
// current.
bool NodeEvaluator::VisitByTrace(NodeId node, const ResolvedOperator& resolved, const VisitKey& key,
                                 bool is_stored, bool* changed) {
  const std::span<const ValueId> results = graph_.results(node);
  if (!resolved.may_trace || state_.hooks != nullptr || results.size() > VisitKey::kMaxOperands) return false;
  if (state_.effects_of(node) != nullptr || !state_.live(node)) return false;
  const std::span<const ValueId> values = graph_.operands(node);
  ScratchArray<rules::Operand, VisitKey::kMaxOperands> operands;
  for (size_t i = 0; i < values.size(); ++i) {
    rules::Operand& operand = operands[i] = {};
    operand.given = values[i] != kNoValue;
    if (!operand.given) continue;
    const ValueState& value = state_.values[values[i]];
    if (!value.type.is_tensor() || state_.IsIncomplete(value.type)) return false;
    operand.type = value.type;
    operand.value = value.contents;
  }
  OperatorAttributes& attributes = state_.operators.AttributesOf(node, resolved);
  if (attributes.error) return false;
  const QueryTracking queries = state_.queries();
  const QueryCount count = queries.count();
  const BareCall call{state_.analysis,
                      state_.ScopeOf(node),
                      {operands.data(), values.size()},
                      *attributes.attrs,
                      graph_.op(graph_.op_of(node)).version};
  ScratchArray<Type, VisitKey::kMaxOperands> types;
  ScratchArray<Value, VisitKey::kMaxOperands> contents;
  if (!ApplyTrace(*resolved.rule, call, {types.data(), results.size()}, {contents.data(), results.size()})) {
    return false;
  }
  state_.schedule.set_visited(node, true);
  const QueryStamp stamp = queries.StampSince(count, state_.analysis.facts().version(call.scope));
  state_.SetStamp(node, stamp);
  traced_.clear();
  for (size_t i = 0; i < results.size(); ++i) {
    traced_.push_back({types[i], state_.options.contents ? contents[i] : Value()});
    *changed |= Publish(node, i, traced_.back());
  }
  if (is_stored) {
    cache_.Store(key, stamp, traced_);
  } else {
    cache_.Add(key, stamp, traced_);
  }
  return true;
}

// The constraints of the last evaluation are retracted before the new evaluation if the operands differ.
// Otherwise they are retracted after it, so that other nodes see no change.
bool NodeEvaluator::VisitByOperator(NodeId node, const ResolvedOperator& resolved, const VisitKey* key) {
  const OperandStates operands(state_, node);
  std::unique_ptr<NodeEffects> before = state_.effects.Take(node);
  if (before != nullptr && state_.hooks == nullptr && before->operand_hash != operands.hash())
    state_.Retract(node, before.get());
  NodeOutcome outcome = Evaluate(node, resolved, operands);
  return Commit(node, operands, std::move(outcome), std::move(before), key);
}

// ---- Evaluation ----

uint64_t NodeEvaluator::SymbolCount() const {
  return state_.analysis.dims().fresh_count() + state_.analysis.shapes().unknown_count();
}

NodeDescription NodeEvaluator::Describe(NodeId node, const OpDef* def, const AttrMap* attrs) {
  if (!state_.live(node))
    state_.live_nodes.Enter(node, state_.scope(graph_.region(node)), state_.analysis.facts());
  NodeDescription d;
  d.name = graph_.name(node);
  d.op = def;
  if (def == nullptr) d.op_name = ShortName(graph_.op_name(node));
  d.attrs = attrs;
  d.version = graph_.op(graph_.op_of(node)).version;
  d.num_outputs = static_cast<int>(graph_.results(node).size());
  d.index = graph_.position(node);
  d.scope = state_.ScopeOf(node);
  const CallSite& site = state_.site;
  d.owner = site.owner != 0 ? site.owner : Index(node) + 1;
  d.path = site.owner != 0 ? HashMix(site.path, Index(node)) : site.path;
  d.origin = site.origin;
  for (NodeAnalysis* analysis : clients_.analyses) analysis->Describe(node, &d);
  return d;
}

NodeOutcome NodeEvaluator::Evaluate(NodeId node, const ResolvedOperator& resolved,
                                    const OperandStates& operands) {
  NodeOutcome outcome;
  const bool reads_regions = resolved.is_plain && graph_.carries_regions(node);
  outcome.visits_others = resolved.visits_others() || reads_regions;
  if (!outcome.visits_others) {
    Run(node, resolved, operands, &context_, &outcome);
    return outcome;
  }
  // The nested nodes use the shared context meanwhile.
  InferenceContext own(state_.analysis);
  QueryTracking queries = state_.queries();
  SymbolSet nested;
  SymbolSet* const outer = queries.SetSymbols(&nested);
  Run(node, resolved, operands, &own, &outcome);
  queries.SetSymbols(outer);
  if (outer != nullptr) {
    for (const Dim d : nested.list()) outer->Add(d);
  }
  outcome.nested_symbols = nested.list();
  return outcome;
}

// Runs the operator in a context and collects the outcome.
void NodeEvaluator::Run(NodeId node, const ResolvedOperator& resolved, const OperandStates& operands,
                        InferenceContext* context, NodeOutcome* outcome) {
  Status status;
  const OpDef* def = resolved.op != nullptr ? &resolved.op->def : nullptr;
  const AttrMap* attrs = &graph_.attrs(graph_.attrs_of(node));
  if (def != nullptr) {
    const OperatorAttributes& attributes = state_.operators.AttributesOf(node, resolved);
    attrs = attributes.attrs;
    if (attributes.error) status = Unexpected(*attributes.error);
    if (state_.hooks != nullptr) attrs = state_.hooks->Attributes(*def, attrs);
  }
  QueryTracking queries = state_.queries();
  const QueryCount count = queries.count();
  log_.Clear();
  QueryLog* const outer_log = queries.SetLog(outcome->visits_others ? nullptr : &log_);
  NodeDescription description = Describe(node, def, attrs);
  ControlFlowContext control{state_, clients_.nested, clients_.numbering, clients_.trials, clients_.memory,
                             node,   context};
  RegionsOfNode regions(control);
  if (resolved.is_plain && graph_.carries_regions(node)) description.regions = &regions;
  context->Reset(description, operands.types(), operands.contents());

  outcome->facts_version = state_.analysis.facts().version(description.scope);
  const uint64_t symbols = SymbolCount();
  if (status) {
    outcome->refines_operands = NeedsBackward(node, resolved, operands.types());
    if (outcome->refines_operands) context->set_known_outputs(RefinementsOfResults(node));
    outcome->status = RunOperator(node, resolved, context, outcome);
  } else {
    outcome->status = context->AttachContext(std::move(status));
  }
  if (!outcome->status && resolved.is_plain && state_.hooks == nullptr && !state_.is_trial) {
    // The error of a node that may not run, or of a function, is reported where it is called; then later
    // errors do not matter. After an error that is not certain the results may be others.
    const bool with_shapes =
        outcome->status.error().code != Code::kNotSupported && state_.certain(node) && state_.site.owner == 0;
    outcome->types_after_error = TypesAfterError(description, resolved.op->shape_fn, operands, with_shapes);
  }
  queries.SetLog(outer_log);
  outcome->stamp = queries.StampSince(count, outcome->facts_version);
  if (outcome->visits_others && outcome->stamp == kNoStamp)
    outcome->stamp = queries.Renew(kNoStamp, description.scope);
  if (outcome->status) outcome->effects.Add(context->constraints(), context->guards());
  AddFindings(node, resolved, outcome);
  if (outcome->refines_operands && outcome->status) {
    for (size_t i = 0; i < operands.types().size(); ++i)
      outcome->operands.push_back(context->refined_input_type(static_cast<int64_t>(i)));
  }
  ReadResults(node, *context, outcome);
  outcome->creates_symbols = SymbolCount() != symbols;
}

// Runs what defines the operator: the body of a function, regions, a rule or a C++ function.
Status NodeEvaluator::RunOperator(NodeId node, const ResolvedOperator& resolved, InferenceContext* context,
                                  NodeOutcome* outcome) {
  const auto nothing = [](InferenceContext*) { return Status(); };
  outcome->has_results = state_.hooks == nullptr || state_.hooks->Visits(node);
  if (!outcome->has_results) return context->Run(nothing);
  if (resolved.function != nullptr && state_.options.functions) {
    return context->Run([&](InferenceContext* c) {
      return clients_.nested.CallFunction(node, *resolved.function, c, &outcome->effects);
    });
  }
  if (resolved.has_control_flow()) {
    return context->Run([&](InferenceContext* c) {
      ControlFlowContext control{
          state_, clients_.nested, clients_.numbering, clients_.trials, clients_.memory, node, c};
      return InferControlFlow(control);
    });
  }
  const ShapeFn* function =
      resolved.op != nullptr && resolved.op->shape_fn ? &resolved.op->shape_fn : nullptr;
  if (state_.hooks != nullptr) {
    Status status;
    outcome->has_results = state_.hooks->Run(node, function, context, &status);
    return status;
  }
  outcome->has_results = function != nullptr;
  if (function == nullptr) return context->Run(nothing);
  return context->Run([&](InferenceContext* c) { return RunAnalyses(node, resolved, c); });
}

// Runs the shape function, then the analyses.
Status NodeEvaluator::RunAnalyses(NodeId node, const ResolvedOperator& resolved, InferenceContext* context) {
  const ContentsLimit limit(
      ContentsLimit::ForNode(std::max(graph_.operands(node).size(), graph_.results(node).size())));
  const uint64_t sizes = state_.analysis.dims().fresh_count();
  DIMWISE_RETURN_IF_ERROR(resolved.op->shape_fn(context));
  const bool creates_sizes = state_.analysis.dims().fresh_count() != sizes;
  for (NodeAnalysis* analysis : clients_.analyses)
    DIMWISE_RETURN_IF_ERROR(analysis->Refine(node, creates_sizes, context));
  return {};
}

void NodeEvaluator::AddFindings(NodeId node, const ResolvedOperator& resolved, NodeOutcome* outcome) const {
  NodeEffects& effects = outcome->effects;
  if (!outcome->status) {
    Diagnostic error = outcome->status.error();
    effects.fails = error.code != Code::kNotSupported;  // otherwise the answer is unknown
    if (!state_.certain(node)) {
      error.severity = Severity::kWarning;
      error.notes.emplace_back(state_.live(node)
                                   ? "the node may never run: it is in a branch or in the body of a loop"
                                   : "the results of this node are unused, so a runtime may skip it");
      if (effects.fails) effects.guards.push_back({Never(), error.message, error.code});
    }
    effects.findings.push_back(std::move(error));
  } else if (resolved.function == nullptr && resolved.op == nullptr && state_.hooks == nullptr) {
    Diagnostic unknown = state_.operators.UnknownOperator(node);
    unknown.severity = state_.options.require_shape_functions ? Severity::kError : Severity::kWarning;
    unknown.node = graph_.name(node);
    unknown.op = graph_.op_name(node);
    unknown.index = graph_.position(node);
    effects.findings.push_back(std::move(unknown));
  }
}

void NodeEvaluator::ReadResults(NodeId node, const InferenceContext& context, NodeOutcome* outcome) {
  const bool is_known = outcome->has_results && outcome->status;
  const size_t count = graph_.results(node).size();
  outcome->results.resize(count);
  for (size_t i = 0; i < count; ++i) {
    ValueState& result = outcome->results[i];
    if (i < outcome->types_after_error.size()) result.type = outcome->types_after_error[i];
    if (is_known) {
      result.type = context.full_output_type(static_cast<int64_t>(i));
      if (state_.options.contents) result.contents = context.output_value(static_cast<int64_t>(i));
      if (state_.hooks != nullptr) result.type = state_.hooks->Masked(result.type);
    }
    if (result.type.kind == TypeKind::kUnknown || (result.type.is_tensor() && result.type.shape.is_none()))
      result.type = WithDeclaration(node, i, result.type);
  }
}

// Returns what is certain of the results of a node that fails, so that errors of later nodes are found too:
// by its operands without the requirements, or else by their shapes alone and by their element types alone.
// Without `with_shapes`, only element types. An unknown Type, or an empty list, if nothing is certain.
std::vector<Type> NodeEvaluator::TypesAfterError(NodeDescription description, const ShapeFn& function,
                                                 const OperandStates& states, bool with_shapes) {
  const std::span<const Type> operands = states.types();
  description.after_error = true;
  const auto infer = [&](std::span<const Type> types, std::span<const Value> known) {
    InferenceContext context(state_.analysis);
    context.Reset(description, types, known);
    std::vector<Type> found;
    if (!context.Run(function)) return found;
    for (int64_t i = 0; i < description.num_outputs; ++i) {
      const Type type = context.full_output_type(i);
      found.push_back(type.is_tensor() ? type : Type());
    }
    return found;
  };
  std::vector<Type> results;
  if (with_shapes) results = infer(operands, states.contents());
  if (!results.empty()) return results;
  std::vector<Type> untyped(operands.begin(), operands.end()), shapeless = untyped;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i].is_tensor()) continue;
    untyped[i].element = ElementType::kUnknown;
    shapeless[i].shape = state_.analysis.shapes().Unknown(
        SymbolKey{description.path, static_cast<uint32_t>(i), kShapelessRole});
  }
  if (with_shapes) results = infer(untyped, states.contents());
  const std::vector<Type> elements = infer(shapeless, {});
  if (results.empty()) results.resize(elements.size());
  for (size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].is_tensor()) results[i] = Type::Tensor(elements[i].element, results[i].shape);
  }
  return results;
}

// Completes the type of a result that the operator leaves open: by the declaration of the file, or by an
// unknown shape.
Type NodeEvaluator::WithDeclaration(NodeId node, size_t result, Type type) const {
  const ValueId value = graph_.results(node)[result];
  const Type declared = state_.hooks == nullptr ? graph_.declared(value) : Type();
  if (type.kind == TypeKind::kUnknown && declared.kind != TypeKind::kUnknown) type = declared;
  if (type.kind == TypeKind::kUnknown) type.kind = TypeKind::kTensor;
  if (type.is_tensor() && type.shape.is_none()) {
    type.shape =
        declared.is_tensor() && !declared.shape.is_none()
            ? declared.shape
            : state_.analysis.shapes().Unknown(SymbolKey{state_.site.path, Index(value), kResultRole});
  }
  if (type.is_tensor() && type.element == ElementType::kUnknown && declared.is_tensor())
    type.element = declared.element;
  return type;
}

// ---- Commit ----

bool NodeEvaluator::Commit(NodeId node, const OperandStates& operands, NodeOutcome outcome,
                           std::unique_ptr<NodeEffects> before, const VisitKey* key) {
  if (outcome.visits_others) stamps_.SetNestedSymbols(node, std::move(outcome.nested_symbols));
  state_.schedule.set_visited(node, true);
  state_.SetStamp(node, outcome.stamp);
  if (!outcome.status && keeps_effects_ && state_.hooks == nullptr) {
    suspended_.emplace_back(node, outcome.stamp);
    state_.SetStamp(node, kNoStamp);
  }
  CommitEffects(node, &outcome, std::move(before));
  if (outcome.refines_operands && outcome.status) RefineOperands(node, outcome.operands);
  bool changed = false;
  const bool is_merged =
      outcome.refines_operands && outcome.has_results && outcome.status && state_.hooks != nullptr;
  for (size_t i = 0; i < outcome.results.size(); ++i)
    changed |= Publish(node, i, outcome.results[i], is_merged);
  if (state_.effects_of(node) != nullptr) {
    NodeEffects& effects = state_.effects.Of(node);
    effects.operand_hash = operands.hash();
    effects.retractions = state_.retractions;
    if (outcome.status && !outcome.visits_others && !outcome.refines_operands) effects.queries = log_;
  } else if (key != nullptr && outcome.status && !outcome.creates_symbols && !outcome.refines_operands) {
    cache_.Store(*key, outcome.stamp, outcome.results);
  }
  if (state_.nesting > 0 && graph_.carries_regions(node)) stamps_.SetNestedReads(node);
  return changed;
}

// Replaces the effects of the last evaluation. Its constraints stay if the operands are equal and no
// constraint was retracted since. They still hold, but an evaluation that can use them may not assert them
// again.
void NodeEvaluator::CommitEffects(NodeId node, NodeOutcome* outcome, std::unique_ptr<NodeEffects> before) {
  NodeEffects& effects = outcome->effects;
  const auto has_assumption = [](const NodeEffects& e) {
    return std::ranges::any_of(e.guards, IsValidityCondition, &Guard::code);
  };
  if (outcome->status && has_assumption(effects) && (before == nullptr || !has_assumption(*before)))
    state_.assuming.push_back(node);
  if (before != nullptr) {
    const bool stays = keeps_effects_ || before->retractions == state_.retractions;
    if (!stays) {
      state_.Retract(node, before.get());
    } else if (!before->constraints.empty()) {
      Facts& facts = state_.analysis.facts();
      if (facts.version(state_.ScopeOf(node)) == outcome->facts_version) {  // all of them are duplicates
        for (const ConstraintId c : effects.constraints) facts.Retract(c);
        effects.constraints.clear();
      }
      effects.Add(before->constraints, {});
    }
  }
  const bool has_effects =
      !effects.constraints.empty() || !effects.guards.empty() || !effects.findings.empty() || effects.fails;
  if (has_effects) state_.effects.Of(node) = std::move(effects);
}

// Stores a result and enqueues its users if it changed. `is_merged`: the result contains its refinement.
bool NodeEvaluator::Publish(NodeId node, size_t result, const ValueState& found, bool is_merged) {
  const ValueId value = graph_.results(node)[result];
  const Type* refinement = is_merged || state_.refinements.empty() ? nullptr : state_.refinements.Find(value);
  // A complete type makes the types that users inferred obsolete: they will infer the same from it.
  if (refinement != nullptr && !state_.IsIncomplete(found.type) && state_.refinements.ComesFromUse(value))
    refinement = nullptr;
  ValueState now = found;
  if (refinement != nullptr) now.type = WithRefinement(node, found.type, Type(*refinement));
  ValueState& stored = state_.values[value];
  if (stored == now) return false;
  stored = now;
  // Nodes that are visited in order come before their users, so the users need not be enqueued.
  if (graph_.region(node) != state_.running || state_.has_cuts) state_.EnqueueUsers(value);
  return true;
}

// ---- Other evaluations ----

void NodeEvaluator::GiveUp(NodeId node) {
  state_.DropEffects(node);
  state_.SetStamp(node, kNoStamp);
  for (size_t i = 0; i < graph_.results(node).size(); ++i)
    Publish(node, i, {WithDeclaration(node, i, Type()), Value()});
}

void NodeEvaluator::ReportUnsettled(NodeId node) {
  NodeOutcome outcome;
  outcome.status = Error(Code::kNotSupported,
                         "the types of this node still change after {} visits of the program's nodes; its "
                         "results, and all values that depend on them, are unknown",
                         state_.budget.visits);
  AddFindings(node, state_.operators.Resolve(node), &outcome);
  Diagnostic& finding = outcome.effects.findings.back();
  finding.severity = Severity::kWarning;
  state_.effects.Of(node).findings.push_back(std::move(finding));
}

}  // namespace dimwise
