// Refines types by information that does not come from the node that computes the value, but from its users
// or from the caller.
#include <algorithm>

#include "core/base/hash_mix.h"
#include "infer/engine/node_evaluator.h"
#include "infer/error.h"

namespace dimwise {

// Returns whether an evaluation may refine operands. With solver hooks, all types of results are certain.
bool NodeEvaluator::NeedsBackward(NodeId node, const ResolvedOperator& resolved,
                                  std::span<const Type> operands) const {
  if (!state_.options.backward) return false;
  if (state_.hooks != nullptr && state_.HasRefinedResults(node)) return true;
  if (resolved.visits_others()) return false;
  if (resolved.op == nullptr && state_.hooks == nullptr) return false;
  const ValueId* value = graph_.operands(node).data();
  return std::ranges::any_of(operands,
                             [&](const Type& t) { return *value++ != kNoValue && state_.IsIncomplete(t); });
}

std::vector<Type> NodeEvaluator::RefinementsOfResults(NodeId node) const {
  std::vector<Type> known(graph_.results(node).size());
  for (size_t i = 0; i < known.size(); ++i) {
    const Type* refinement = state_.refinements.Find(graph_.results(node)[i]);
    if (refinement != nullptr) known[i] = *refinement;
  }
  return known;
}

// Refines incomplete operands. A node in a branch does not refine values outside of it.
void NodeEvaluator::RefineOperands(NodeId user, std::span<const Type> refined) {
  const std::span<const ValueId> operands = graph_.operands(user);
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i] == kNoValue || (state_.has_cuts && state_.IsCut(user, operands[i]))) continue;
    if (graph_.region(operands[i]) != graph_.region(user)) continue;
    if (!state_.live(user) || !state_.IsIncomplete(state_.values[operands[i]].type)) continue;
    RefineFromUse(operands[i], refined[i]);
  }
}

void NodeEvaluator::RefineFromUse(ValueId value, const Type& type) {
  const SolverHooks* hooks = state_.hooks;
  Type refined = hooks != nullptr ? hooks->Masked(type) : type;
  if (!refined.is_tensor()) return;
  ShapeTable& shapes = state_.analysis.shapes();
  if (hooks != nullptr && !refined.shape.is_none() && refined.shape.has_rank() &&
      !refined.shape.is_constant()) {
    std::vector<Dim> sizes;  // numbers where the facts determine them
    const ScopeId scope = state_.scope(graph_.region(value));
    for (const Dim d : refined.shape.dims()) sizes.push_back(state_.analysis.facts().Simplify(d, scope));
    refined.shape = shapes.Make(sizes);
  }
  Type& stored = state_.values[value].type;
  Type now = stored;
  if (now.kind == TypeKind::kUnknown) now.kind = TypeKind::kTensor;
  if (!now.is_tensor()) return;
  if (now.element == ElementType::kUnknown) now.element = refined.element;
  const bool has_rank = !now.shape.is_none() && now.shape.has_rank();
  if (!refined.shape.is_none() && refined.shape.has_rank() && !has_rank) now.shape = refined.shape;
  if (hooks != nullptr && !refined.shape.is_none() && !now.shape.is_none() && !now.shape.has_rank()) {
    const int min = std::max(refined.shape.min_rank(), now.shape.min_rank());
    const int max = std::min(refined.shape.max_rank(), now.shape.max_rank());
    if (min <= max && (min > now.shape.min_rank() || max < now.shape.max_rank())) {
      const uint64_t ranks = static_cast<uint64_t>(min) << 8 | static_cast<uint64_t>(max);
      now.shape = shapes.Unknown({HashMix(state_.site.path, ranks), Index(value), kRankRole}, min, max);
    }
  }
  if (now == stored) return;
  stored = now;
  if (hooks == nullptr) {
    state_.refinements.SetFromUse(value, now);
  } else {
    state_.refinements.Set(value, now);
  }
  state_.EnqueueUsers(value);
  const NodeId maker = graph_.maker(value);
  if (maker == kNoNode || !state_.visited(maker)) return;
  // Regions and calls are not evaluated with known results, so they would compute the same again.
  if (hooks != nullptr || !state_.operators.Resolve(maker).visits_others()) state_.Enqueue(maker);
}

// Returns the type that a node computes, merged with its refinement. If they conflict, the refinement is
// ignored: it was rejected, or the node has changed since.
Type NodeEvaluator::WithRefinement(NodeId node, Type type, const Type& refinement) {
  if (!type.is_tensor()) return type.kind == TypeKind::kUnknown ? refinement : type;
  if (type.shape.is_none()) type.shape = refinement.shape;
  if (type.element == ElementType::kUnknown) type.element = refinement.element;
  if (!type.storage.is_known()) type.storage = refinement.storage;
  if (refinement.shape.is_none()) return type;
  InferenceContext context(state_.analysis);
  context.Reset(Describe(node, nullptr, nullptr), std::span<const Type>());
  const Status status = context.Run([&](InferenceContext* c) -> Status {
    DIMWISE_ASSIGN_OR_RETURN(type.shape, c->Merge(type.shape, refinement.shape));
    return {};
  });
  if (status && !context.constraints().empty())
    state_.effects.Of(node).Add(context.constraints(), context.guards());
  return type;
}

Status NodeEvaluator::SetType(ValueId value, const Type& type) {
  state_.Grow();
  stamps_.ForgetAllNested();
  state_.SetUpInputs();
  Type merged = type;
  if (const Type* refinement = state_.refinements.Find(value)) merged = *refinement;
  const Type known = state_.values[value].type;
  InferenceContext context(state_.analysis);
  context.Reset(NodeDescription{}, std::span<const Type>());
  Status status = context.Run([&](InferenceContext* c) -> Status {
    if (!known.shape.is_none()) DIMWISE_RETURN_IF_ERROR(c->Merge(known.shape, type.shape));
    if (!merged.shape.is_none()) {
      DIMWISE_ASSIGN_OR_RETURN(merged.shape, c->Merge(merged.shape, type.shape));
    }
    return {};
  });
  for (const ConstraintId c : context.constraints()) state_.analysis.facts().Retract(c);
  if (!status) return status;
  if (merged.element == ElementType::kUnknown) merged.element = type.element;
  state_.refinements.Set(value, merged);
  const NodeId maker = graph_.maker(value);
  if (maker != kNoNode) {
    Visit(maker);
    return {};
  }
  // Takes each part of the merged type that is more precise than that of the input.
  Type& now = state_.values[value].type;
  const Type before = now;
  if (now.kind == TypeKind::kUnknown) now.kind = TypeKind::kTensor;
  if (now.element == ElementType::kUnknown) now.element = merged.element;
  if (now.shape.is_none() || !now.shape.has_rank()) {
    now.shape = merged.shape;
  } else if (merged.shape.has_rank() && merged.shape.rank() == now.shape.rank()) {
    std::vector<Dim> sizes;
    for (int i = 0; i < now.shape.rank(); ++i)
      sizes.push_back(merged.shape[i].is_constant() ? merged.shape[i] : now.shape[i]);
    now.shape = state_.analysis.shapes().Make(sizes);
  }
  if (now != before) state_.EnqueueUsers(value);
  return {};
}

}  // namespace dimwise
