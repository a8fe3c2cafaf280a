// Access to inputs and outputs by index and by name.
//
// The ranges of named arguments are computed on first use: most shape functions use indices.
#include <algorithm>

#include "dimwise/inference_context.h"
#include "infer/context/tensor_limit.h"
#include "infer/error.h"

namespace dimwise {
namespace {

Result<std::vector<Shape>> ShapesIn(const NameRange& range, const auto& slots) {
  std::vector<Shape> shapes;
  for (size_t i = range.begin; i < range.end && i < slots.size(); ++i) {
    shapes.push_back(slots[static_cast<int64_t>(i)].type.shape);
  }
  return shapes;
}

// Returns the range of an argument. Computes *ranges on first use.
Result<NameRange> RangeOf(std::string_view name, std::string_view noun, std::optional<NameRangeMap>* ranges,
                          const OpDef* op, const AttrMap& attrs, size_t count, auto compute) {
  if (op == nullptr)
    return Error(Code::kBadRequest, "the {} '{}' cannot be found: the operator is unknown", noun, name);
  if (!*ranges) {
    DIMWISE_ASSIGN_OR_RETURN(*ranges, compute(*op, attrs, count));
  }
  if (const NameRange* range = (*ranges)->Find(name)) return *range;
  return Error(Code::kBadRequest, "{} has no {} '{}'", op->FullName(), noun, name);
}

std::string NoSuchOutput(int64_t i, int count) {
  return fmt::format("the shape function sets output {}, but the node has {}", i, count);
}

}  // namespace

// ---- Inputs ----

void InferenceContext::SetInput(int64_t i, Shape shape) {
  SetInput(i, shape.is_none() ? Type() : Type::Tensor(ElementType::kUnknown, shape));
}

void InferenceContext::SetInput(int64_t i, const Type& type) {
  if (i < 0 || i >= kMaxTensors) return Misuse(Code::kOutOfRange, fmt::format("there is no input {}", i));
  if (!InRange(i, inputs_)) inputs_.resize(static_cast<size_t>(i) + 1);
  InputSlot& slot = inputs_[i];
  slot.type = type;
  slot.given = type.kind != TypeKind::kUnknown || !type.shape.is_none();
  if (type.kind == TypeKind::kTensor && type.shape.is_none()) slot.type.shape = UnknownShape();
}

bool InferenceContext::MergeInput(int64_t i, Shape shape) {
  if (!has_input(i)) return false;
  const Result<Shape> merged = Merge(inputs_[i].type.shape, shape);
  if (!merged) return false;
  inputs_[i].type.shape = *merged;
  return true;
}

bool InferenceContext::RelaxInput(int64_t i, Shape shape) {
  if (!has_input(i)) return false;
  const Shape relaxed = Relax(inputs_[i].type.shape, shape);
  if (relaxed == inputs_[i].type.shape) return false;
  inputs_[i].type.shape = relaxed;
  return true;
}

ElementType InferenceContext::input_type(int64_t i) const { return full_input_type(i).element; }
Storage InferenceContext::input_storage(int64_t i) const { return full_input_type(i).storage; }

Result<std::vector<Shape>> InferenceContext::input(std::string_view name) const {
  DIMWISE_ASSIGN_OR_RETURN(const NameRange range, RangeOf(name, "input", &input_ranges_, node_.op, attrs(),
                                                          inputs_.size(), InputRanges));
  return ShapesIn(range, inputs_);
}

dimwise::Value InferenceContext::input_tensor(int64_t i) {
  if (!InRange(i, inputs_)) return {};
  inputs_[i].requested_tensor = true;
  return inputs_[i].value;
}

void InferenceContext::set_input_tensors(std::span<const dimwise::Value> tensors) {
  const size_t count = std::min(tensors.size(), inputs_.size());
  for (size_t i = 0; i < count; ++i) inputs_[static_cast<int64_t>(i)].value = tensors[i];
}

void InferenceContext::set_input_tensors_as_shapes(std::span<const Shape> shapes) {
  const size_t count = std::min(shapes.size(), inputs_.size());
  for (size_t i = 0; i < count; ++i) inputs_[static_cast<int64_t>(i)].as_shape = shapes[i];
}

// ---- Outputs ----

void InferenceContext::set_output(int64_t i, Shape shape) {
  if (!InRange(i, outputs_)) return Misuse(Code::kOutOfRange, NoSuchOutput(i, num_outputs()));
  if (shape.is_none())
    return Misuse(Code::kBadHandle, fmt::format("the shape function gives no shape for output {}", i));
  Type& type = outputs_[i].type;
  type.shape = shape;
  if (type.kind == TypeKind::kUnknown) type.kind = TypeKind::kTensor;
}

Status InferenceContext::set_output(std::string_view name, std::span<const Shape> shapes) {
  DIMWISE_ASSIGN_OR_RETURN(const NameRange range, RangeOf(name, "output", &output_ranges_, node_.op, attrs(),
                                                          outputs_.size(), OutputRanges));
  if (shapes.size() != range.size()) {
    return Error(Code::kArity, "output '{}' has {} tensors; {} shapes are given", name, range.size(),
                 shapes.size());
  }
  for (size_t i = 0; i < shapes.size(); ++i) set_output(static_cast<int64_t>(range.begin + i), shapes[i]);
  return {};
}

Result<std::vector<Shape>> InferenceContext::output(std::string_view name) const {
  DIMWISE_ASSIGN_OR_RETURN(const NameRange range, RangeOf(name, "output", &output_ranges_, node_.op, attrs(),
                                                          outputs_.size(), OutputRanges));
  return ShapesIn(range, outputs_);
}

ElementType InferenceContext::output_type(int64_t i) const { return full_output_type(i).element; }
Storage InferenceContext::output_storage(int64_t i) const { return full_output_type(i).storage; }

void InferenceContext::set_output_type(int64_t i, ElementType type) {
  if (!InRange(i, outputs_)) return Misuse(Code::kOutOfRange, NoSuchOutput(i, num_outputs()));
  outputs_[i].type.element = type;
  if (outputs_[i].type.kind == TypeKind::kUnknown) outputs_[i].type.kind = TypeKind::kTensor;
}

void InferenceContext::set_output_storage(int64_t i, Storage storage) {
  if (!InRange(i, outputs_)) return Misuse(Code::kOutOfRange, NoSuchOutput(i, num_outputs()));
  outputs_[i].type.storage = storage;
}

void InferenceContext::set_full_output_type(int64_t i, const Type& type) {
  if (!InRange(i, outputs_)) return Misuse(Code::kOutOfRange, NoSuchOutput(i, num_outputs()));
  outputs_[i].type = type;
}

void InferenceContext::set_output_value(int64_t i, dimwise::Value value) {
  if (!InRange(i, outputs_)) return Misuse(Code::kOutOfRange, NoSuchOutput(i, num_outputs()));
  outputs_[i].value = value;
}

}  // namespace dimwise
