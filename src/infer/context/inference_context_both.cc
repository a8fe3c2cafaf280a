// Inference in both directions: merges known output types with inferred ones, and refines inputs.
#include <algorithm>
#include <array>

#include "dimwise/inference_context.h"
#include "infer/error.h"

namespace dimwise {

void InferenceContext::set_known_outputs(std::span<const Type> types) {
  refines_inputs_ = true;
  known_outputs_.assign(types.begin(), types.end());
  refined_inputs_.clear();
}

void InferenceContext::RefineInput(int64_t i, const Type& type) {
  if (!InRange(i, inputs_)) return Misuse(Code::kOutOfRange, fmt::format("there is no input {}", i));
  if (refined_inputs_.empty()) refined_inputs_.resize(inputs_.size());
  refined_inputs_[static_cast<size_t>(i)] = type;
}

Type InferenceContext::refined_input_type(int64_t i) const {
  if (!InRange(i, refined_inputs_)) return full_input_type(i);
  const Type& refined = refined_inputs_[static_cast<size_t>(i)];
  return refined.kind == TypeKind::kUnknown ? full_input_type(i) : refined;
}

Status InferenceContext::MergeKnownOutputs() {
  const size_t count = std::min(known_outputs_.size(), outputs_.size());
  for (size_t i = 0; i < count; ++i) {
    const auto k = static_cast<int64_t>(i);
    DIMWISE_RETURN_IF_ERROR(MergeKnownOutput(k, &outputs_[k].type));
  }
  return {};
}

namespace {

// Returns whether the size is a single generated symbol without a definition.
bool IsGeneratedSymbol(const DimTable& dims, Dim size) {
  return size.is_expression() && dims.Kind(size) == DimKind::kSymbol && !dims.GetSymbol(size).of_user &&
         dims.GetDefinition(size) == nullptr;
}

}  // namespace

Status InferenceContext::MergeKnownOutput(int64_t i, Type* type) {
  const Type known = InRange(i, known_outputs_) ? known_outputs_[static_cast<size_t>(i)] : Type();
  if (known.kind == TypeKind::kUnknown || known == *type) return {};
  if (type->kind == TypeKind::kUnknown) {
    *type = known;
    return {};
  }
  const auto differs = [&](Code code, std::string_view found, std::string_view given) {
    return Error(code, "{} is {}, but {} was given", in_query_ ? std::string() : OutputName(i), found, given);
  };
  if (known.kind != type->kind) {
    return differs(Code::kElementType, ToString(dims(), *type), ToString(dims(), known));
  }
  if (!type->is_tensor()) return {};
  if (type->element == ElementType::kUnknown) type->element = known.element;
  if (known.element != ElementType::kUnknown && known.element != type->element) {
    return differs(Code::kElementType, ToString(type->element), ToString(known.element));
  }
  if (!type->storage.is_known()) type->storage = known.storage;
  if (known.storage.is_known() && known.storage != type->storage) {
    return differs(Code::kElementType, ToString(type->storage), ToString(known.storage));
  }
  if (known.shape.is_none() || known.shape == type->shape) return {};
  if (type->shape.is_none()) {
    type->shape = known.shape;
    return {};
  }
  if (!type->shape.has_rank() || !known.shape.has_rank()) {
    DIMWISE_ASSIGN_OR_RETURN(type->shape, Merge(type->shape, known.shape));
    return {};
  }
  if (type->shape.rank() != known.shape.rank()) {
    return differs(Code::kRankMismatch, fmt::format("of rank {}", type->shape.rank()),
                   fmt::format("rank {}", known.shape.rank()));
  }
  std::array<DimensionHandle, kMaxRank> merged;
  for (int axis = 0; axis < known.shape.rank(); ++axis) {
    const DimensionHandle inferred = type->shape[axis], given = known.shape[axis];
    merged[static_cast<size_t>(axis)] = given.is_constant() ? given : inferred;
    if (IsGeneratedSymbol(dims(), given)) {  // a generated name for this size needs no guard
      Ensure(dimwise::Equal(dims(), inferred, given));
      continue;
    }
    DIMWISE_RETURN_IF_ERROR(Require(
        dimwise::Equal(dims(), inferred, given),
        [&] {
          return fmt::format("{} has {} on axis {}, but {} was given", OutputName(i), DebugString(inferred),
                             axis, DebugString(given));
        },
        Code::kSizeMismatch));
  }
  type->shape = analysis_->shapes().Make(
      std::span<const DimensionHandle>(merged.data(), static_cast<size_t>(known.shape.rank())));
  return {};
}

InferenceContext::PendingQuery InferenceContext::BeginQuery() {
  PendingQuery query{Save(),   {outputs_.begin(), outputs_.end()}, refined_inputs_, next_role_, !misuse_,
                     in_query_};
  in_query_ = true;
  return query;
}

Truth InferenceContext::EndQuery(const PendingQuery& query, const Status& status) {
  Truth truth = guards_.size() > query.before.guards ? Truth::kMaybe : Truth::kYes;
  // A rule that exceeded its limits gives no answer.
  if (!status) truth = status.error().code == Code::kRuleLimit ? Truth::kMaybe : Truth::kNo;
  GoBack(query.before);
  if (has_pending_scope_ && pending_constraints_.empty()) {
    facts().DropScope(pending_scope_);
    has_pending_scope_ = false;
  }
  std::copy(query.outputs.begin(), query.outputs.end(), outputs_.begin());
  refined_inputs_ = query.refined_inputs;
  next_role_ = query.next_role;
  if (!query.misused && !misuse_) misuse_ = {};
  in_query_ = query.was_in_query;
  return truth;
}

}  // namespace dimwise
