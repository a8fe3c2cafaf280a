// The shapes and types behind resource handles: variables, queues, lists.
//
// If an operand is a handle, the container of its type holds the types behind it. The shape of the slot is
// the shape of the handle itself, usually a scalar.
#include "dimwise/inference_context.h"

namespace dimwise {
namespace {

const std::vector<Type>* Behind(const Type& type) {
  return type.kind == TypeKind::kHandle && type.container != nullptr ? &type.container->elements : nullptr;
}

void SetBehind(TypeTable& types, std::span<const Type> behind, Type* type) {
  type->container = types.Handle(behind).container;
  type->kind = TypeKind::kHandle;
  if (type->element == ElementType::kUnknown) type->element = ElementType::kResource;
}

}  // namespace

const std::vector<Type>* InferenceContext::input_handle_shapes_and_types(int64_t i) const {
  return InRange(i, inputs_) ? Behind(inputs_[i].type) : nullptr;
}

const std::vector<Type>* InferenceContext::output_handle_shapes_and_types(int64_t i) const {
  return InRange(i, outputs_) ? Behind(outputs_[i].type) : nullptr;
}

void InferenceContext::set_input_handle_shapes_and_types(int64_t i, std::span<const Type> behind) {
  if (!InRange(i, inputs_)) return Misuse(Code::kOutOfRange, "there is no input " + std::to_string(i));
  inputs_[i].given = true;
  SetBehind(analysis_->types(), behind, &inputs_[i].type);
}

void InferenceContext::set_output_handle_shapes_and_types(int64_t i, std::span<const Type> behind) {
  if (!InRange(i, outputs_)) return Misuse(Code::kOutOfRange, "there is no output " + std::to_string(i));
  SetBehind(analysis_->types(), behind, &outputs_[i].type);
}

bool InferenceContext::UpdateHandle(Type* type, std::span<const Type> behind, bool relax) {
  const std::vector<Type>* known = Behind(*type);
  if (known == nullptr) {
    SetBehind(analysis_->types(), behind, type);
    return true;
  }
  if (known->size() != behind.size()) return false;
  std::vector<Type> updated = *known;
  for (size_t i = 0; i < updated.size(); ++i) {
    const Result<ElementType> element = MergeElementTypes(updated[i].element, behind[i].element);
    if (!element) return false;
    updated[i].element = *element;
  }
  for (size_t i = 0; i < updated.size(); ++i) {
    if (relax) {
      updated[i].shape = Relax(updated[i].shape, behind[i].shape);
    } else if (updated[i].shape.is_none()) {
      updated[i].shape = behind[i].shape;
    } else if (const Result<Shape> merged = Merge(updated[i].shape, behind[i].shape)) {
      updated[i].shape = *merged;
    }
  }
  if (updated == *known) return false;
  SetBehind(analysis_->types(), updated, type);
  return true;
}

bool InferenceContext::MergeInputHandleShapesAndTypes(int64_t i, std::span<const Type> behind) {
  return InRange(i, inputs_) && UpdateHandle(&inputs_[i].type, behind, /*relax=*/false);
}

bool InferenceContext::MergeOutputHandleShapesAndTypes(int64_t i, std::span<const Type> behind) {
  return InRange(i, outputs_) && UpdateHandle(&outputs_[i].type, behind, /*relax=*/false);
}

bool InferenceContext::RelaxInputHandleShapesAndMergeTypes(int64_t i, std::span<const Type> behind) {
  return InRange(i, inputs_) && UpdateHandle(&inputs_[i].type, behind, /*relax=*/true);
}

bool InferenceContext::RelaxOutputHandleShapesAndMergeTypes(int64_t i, std::span<const Type> behind) {
  return InRange(i, outputs_) && UpdateHandle(&outputs_[i].type, behind, /*relax=*/true);
}

}  // namespace dimwise
