// Text forms of a context: its handles, and errors that name the node.
#include <algorithm>

#include "dimwise/inference_context.h"
#include "infer/error.h"

namespace dimwise {
namespace {

// Longer contents are truncated in messages.
constexpr int64_t kShownElements = 12;

std::string ElementText(DimTable& dims, Value value, int64_t i) {
  if (const Dim integer = value.Integer(i); !integer.is_none()) return dims.ToString(integer);
  if (const Float number = value.FloatingPoint(i); const std::optional<double> constant = number.constant()) {
    return fmt::format("{}", *constant);
  } else if (!number.numerator.is_none()) {
    const std::string numerator = dims.ToString(number.numerator);
    return number.denominator <= 1 ? numerator : fmt::format("({})/{}", numerator, number.denominator);
  }
  return "?";
}

// Returns "[2, N]" or "7"; empty if nothing is known.
std::string ContentsText(DimTable& dims, Value value) {
  if (value.is_none()) return {};
  if (value.rank() == 0 && value.size() == 1) return ElementText(dims, value, 0);
  std::string text = "[";
  for (int64_t i = 0; i < std::min(value.size(), kShownElements); ++i) {
    text += (i > 0 ? ", " : "") + ElementText(dims, value, i);
  }
  return text + (value.size() > kShownElements ? ", ...]" : "]");
}

// Returns the type, or only its shape if the other parts are unknown.
std::string TypeText(DimTable& dims, const Type& type) {
  const bool only_shape =
      type.is_tensor() && type.element == ElementType::kUnknown && !type.storage.is_known();
  return only_shape ? ToString(dims, type.shape) : ToString(dims, type);
}

}  // namespace

std::string InferenceContext::DebugString(Shape shape) const {
  return shape.is_none() ? "none" : ToString(dims(), shape);
}

std::string InferenceContext::DebugString(DimensionHandle dim) const {
  return dim.is_none() ? "none" : dims().ToString(dim);
}

std::string InferenceContext::DebugString(const PartialTensorShape& shape) { return shape.DebugString(); }

std::string InferenceContext::DebugString() const {
  std::string inputs;
  for (int64_t i = 0; i < num_inputs(); ++i) {
    inputs +=
        (i > 0 ? ", " : "") + (has_input(i) ? TypeText(dims(), inputs_[i].type) : std::string("not given"));
  }
  std::string outputs;
  for (int64_t i = 0; i < num_outputs(); ++i)
    outputs += (i > 0 ? ", " : "") + TypeText(dims(), outputs_[i].type);
  return fmt::format("{} '{}' ({}) -> ({})", node_.op != nullptr ? node_.op->FullName() : "node", node_.name,
                     inputs, outputs);
}

namespace {

// Returns "X", "inputs[1]" if the argument is a list of tensors, or "input 1" if it has no name.
std::string TensorName(const Result<NameRangeMap>& ranges, size_t i, std::string_view noun) {
  if (ranges) {
    for (const NameRange& range : *ranges) {
      if (i < range.begin || i >= range.end) continue;
      return range.size() == 1 ? std::string(range.name) : fmt::format("{}[{}]", range.name, i - range.begin);
    }
  }
  return fmt::format("{} {}", noun, i);
}

}  // namespace

std::string InferenceContext::InputName(int64_t i) const {
  if (node_.op == nullptr) return fmt::format("input {}", i);
  return TensorName(InputRanges(*node_.op, attrs(), inputs_.size()), static_cast<size_t>(i), "input");
}

std::string InferenceContext::OutputName(int64_t i) const {
  if (node_.op == nullptr) return fmt::format("output {}", i);
  return TensorName(OutputRanges(*node_.op, attrs(), outputs_.size()), static_cast<size_t>(i), "output");
}

Diagnostic InferenceContext::AttachContext(Diagnostic diagnostic) const {
  if (diagnostic.node.empty()) diagnostic.node = node_.name;
  if (diagnostic.op.empty() && node_.op != nullptr) diagnostic.op = node_.op->FullName();
  if (diagnostic.index < 0) diagnostic.index = node_.index;
  if (!diagnostic.sides.empty()) return diagnostic;  // the rule's author has provided the sides
  for (int64_t i = 0; i < num_inputs(); ++i) {
    const InputSlot& slot = inputs_[i];
    if (!slot.given) continue;
    std::string text = TypeText(dims(), slot.type);
    std::string contents = ContentsText(dims(), slot.value);
    if (contents.empty() && RankKnown(slot.as_shape)) contents = DebugString(slot.as_shape);
    if (!contents.empty()) text += " = " + contents;
    diagnostic.sides.push_back({InputName(i), std::move(text), ""});
  }
  return diagnostic;
}

Status InferenceContext::AttachContext(Status status) const {
  if (status) return status;
  return Unexpected(AttachContext(std::move(status.error())));
}

}  // namespace dimwise
