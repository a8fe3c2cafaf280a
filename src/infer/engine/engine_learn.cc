// What is learnt of a value from elsewhere than its maker: from its users, seen from their results, and from
// the caller, who pins it.
#include <algorithm>

#include "core/base/hash_mix.h"
#include "infer/engine/engine.h"
#include "infer/error.h"

namespace dimwise {

namespace {

bool LacksSomething(const Type& type) {
  if (type.kind == TypeKind::kUnknown) return true;
  return type.is_tensor() &&
         (type.element == ElementType::kUnknown || type.shape.is_none() || !type.shape.has_rank());
}

}  // namespace

bool Engine::Lacks(const Type& type) const {
  return guide_ != nullptr ? guide_->Lacks(type) : LacksSomething(type);
}

bool Engine::HasPinnedResults(NodeId node) const {
  return !pins_.empty() &&
         std::ranges::any_of(graph_.results(node), [&](ValueId v) { return pins_.contains(Index(v)); });
}

// Whether a visit may teach something of the operands. With a guide, what is known of the results counts as
// true.
bool Engine::LooksBack(NodeId node, const Resolved& resolved, std::span<const Type> operands) const {
  if (!options_.backward) return false;
  if (guide_ != nullptr && HasPinnedResults(node)) return true;
  if (resolved.function != nullptr || resolved.region_op != nullptr) return false;
  if (resolved.op == nullptr && guide_ == nullptr) return false;
  const ValueId* value = graph_.operands(node).data();
  return std::ranges::any_of(operands, [&](const Type& t) { return *value++ != kNoValue && Lacks(t); });
}

std::vector<Type> Engine::PinsOfResults(NodeId node) const {
  std::vector<Type> known(graph_.results(node).size());
  for (size_t i = 0; i < known.size(); ++i) {
    const auto pin = pins_.find(Index(graph_.results(node)[i]));
    if (pin != pins_.end()) known[i] = pin->second;
  }
  return known;
}

// Operands of which something was not known: what the operator says of them, seen from its results.
void Engine::LearnFromUse(NodeId user, const InferenceContext& context) {
  const std::span<const ValueId> operands = graph_.operands(user);
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i] == kNoValue || (has_cuts_ && IsCut(user, operands[i]))) continue;
    if (graph_.region(operands[i]) != graph_.region(user)) continue;  // a branch teaches nothing outside
    if (!live(user) || !Lacks(known_[Index(operands[i])].type)) continue;
    Learn(operands[i], context.refined_input_type(static_cast<int64_t>(i)));
  }
}

void Engine::Learn(ValueId value, const Type& learnt) {
  Type type = guide_ != nullptr ? guide_->Masked(learnt) : learnt;
  if (!type.is_tensor()) return;
  if (guide_ != nullptr && !type.shape.is_none() && type.shape.has_rank() && !type.shape.is_constant()) {
    std::vector<Dim> sizes;  // as numbers where they are
    const ScopeId scope = regions_[Index(graph_.region(value))].scope;
    for (const Dim d : type.shape.dims()) sizes.push_back(analysis_.facts().Simplify(d, scope));
    type.shape = analysis_.shapes().Make(sizes);
  }
  Type& known = known_[Index(value)].type;
  Type more = known;
  if (more.kind == TypeKind::kUnknown) more.kind = TypeKind::kTensor;
  if (!more.is_tensor()) return;
  if (more.element == ElementType::kUnknown) more.element = type.element;
  if (!type.shape.is_none() && type.shape.has_rank() && (more.shape.is_none() || !more.shape.has_rank())) {
    more.shape = type.shape;
  }
  if (guide_ != nullptr && !type.shape.is_none() && !more.shape.is_none() && !more.shape.has_rank()) {
    const int min = std::max(type.shape.min_rank(), more.shape.min_rank());
    const int max = std::min(type.shape.max_rank(), more.shape.max_rank());
    if (min <= max && (min > more.shape.min_rank() || max < more.shape.max_rank())) {
      const uint64_t ranks = static_cast<uint64_t>(min) << 8 | static_cast<uint64_t>(max);
      more.shape =
          analysis_.shapes().Unknown({HashMix(site_.path, ranks), Index(value), kInputRole + 3}, min, max);
    }
  }
  if (more == known) return;
  known = more;
  if (guide_ == nullptr && !pins_.contains(Index(value))) learnt_.insert(Index(value));
  pins_[Index(value)] = more;
  EnqueueUsers(value);
  const NodeId maker = graph_.maker(value);
  if (maker == kNoNode || !nodes_[Index(maker)].visited) return;
  // What leads into regions or calls is not told what is known of its results, and would find the same again.
  const Resolved& resolved = Resolve(graph_.op_of(maker));
  const bool leads_inside = resolved.region_op != nullptr || resolved.function != nullptr;
  if (guide_ != nullptr || !leads_inside) Enqueue(maker);
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
  if (status && !context.constraints().empty()) RecordOf(node).Add(context.constraints(), context.checks());
  return type;
}

Status Engine::Pin(ValueId value, const Type& type) {
  SetUp();
  Type merged = type;
  if (const auto it = pins_.find(Index(value)); it != pins_.end()) merged = it->second;
  const Type known = known_[Index(value)].type;
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
  Type& now = known_[Index(value)].type;
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

}  // namespace dimwise
