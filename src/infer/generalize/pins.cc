#include "infer/generalize/pins.h"

#include <tsl/robin_set.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <string_view>

namespace dimwise {
namespace {

constexpr size_t kMaxVisited = 20'000;

// Operands that contain sizes, by operator.
struct Slot {
  std::string_view op;
  uint32_t operand;
};
constexpr uint32_t kAnyOperand = UINT32_MAX;
constexpr Slot kSlots[] = {
    {"onnx.AffineGrid", 1}, {"onnx.CenterCropPad", 1}, {"onnx.Col2Im", 1}, {"onnx.ConstantOfShape", 0},
    {"onnx.Expand", 1},     {"onnx.MaxUnpool", 2},     {"onnx.OneHot", 1}, {"onnx.Pad", 1},
    {"onnx.Range", 1},      {"onnx.Reshape", 1},       {"onnx.Resize", 3}, {"onnx.Slice", 1},
    {"onnx.Slice", 2},      {"onnx.Split", 1},         {"onnx.Tile", 1},   {"onnx.TopK", 1},
};

bool IsSlot(const Graph& graph, NodeId node, uint32_t operand) {
  return std::ranges::any_of(
      kSlots, [&](const Slot& slot) { return slot.operand == operand && slot.op == graph.op_name(node); });
}

// Operands that may be repeated along an axis of size 1 without a change of meaning: data of a sample, and
// initial states. Weights are excluded, and so are integers, which may be axes or indices.
constexpr Slot kData[] = {
    {"onnx.Add", kAnyOperand}, {"onnx.Concat", kAnyOperand},
    {"onnx.Div", kAnyOperand}, {"onnx.Expand", 0},
    {"onnx.GRU", 5},           {"onnx.Identity", 0},
    {"onnx.LSTM", 5},          {"onnx.LSTM", 6},
    {"onnx.Mul", kAnyOperand}, {"onnx.Pad", 0},
    {"onnx.RNN", 5},           {"onnx.Sub", kAnyOperand},
    {"onnx.Tile", 0},          {"onnx.Transpose", 0},
    {"onnx.Unsqueeze", 0},     {"onnx.Where", kAnyOperand},
};

bool IsData(const Attempt& attempt, NodeId node, uint32_t operand, ValueId value) {
  const std::string_view op = attempt.graph().op_name(node);
  if (op == "onnx.Gather" && operand == 1) return true;
  const ElementType element = attempt.type(value).element;
  if (!IsFloat(element) && element != ElementType::kBool) return false;
  return std::ranges::any_of(kData, [&](const Slot& slot) {
    return slot.op == op && (slot.operand == operand || slot.operand == kAnyOperand);
  });
}

std::optional<Pin> ContentsPin(const Attempt& attempt, NodeId node, uint32_t operand, ValueId value) {
  if (attempt.graph().op_name(node) == "onnx.Reshape") return std::nullopt;
  const Value contents = attempt.contents(value);
  if (contents.is_none() || contents.rank() > 1 || contents.size() > ValueTable::kMaxElements)
    return std::nullopt;
  Pin pin{Pin::Kind::kContents, node, operand, value, contents.rank(), {}, false};
  for (int64_t i = 0; i < contents.size(); ++i) {
    pin.elements.push_back(contents.Integer(i));
    if (pin.elements.back().is_none()) return std::nullopt;
  }
  return pin;
}

std::optional<Pin> SizesPin(const Attempt& attempt, Pin::Kind kind, NodeId node, uint32_t operand,
                            ValueId value) {
  const Type type = attempt.type(value);
  if (!type.is_tensor() || type.shape.is_none() || !type.shape.has_rank()) return std::nullopt;
  return Pin{kind, node, operand, value, 1, {type.shape.dims().begin(), type.shape.dims().end()}, false};
}

}  // namespace

bool IsConstant(const Graph& graph, ValueId value) {
  if (graph.role(value) == ValueRole::kConstant) return true;
  return graph.role(value) == ValueRole::kResult && graph.op_name(graph.maker(value)) == "onnx.Constant";
}

std::vector<Pin> FindPins(const Attempt& attempt, NodeId start, size_t limit) {
  const Graph& graph = attempt.graph();
  std::vector<Pin> pins;
  const auto add = [&](std::optional<Pin> pin) {
    if (pin) pins.push_back(std::move(*pin));
  };
  tsl::robin_set<uint32_t> seen = {Index(start)};
  std::deque<NodeId> queue = {start};
  while (!queue.empty() && pins.size() < limit && seen.size() < kMaxVisited) {
    const NodeId node = queue.front();
    queue.pop_front();
    const std::span<const ValueId> operands = graph.operands(node);
    for (uint32_t i = 0; i < operands.size() && pins.size() < limit; ++i) {
      const ValueId value = operands[i];
      if (value == kNoValue) continue;
      if (IsSlot(graph, node, i)) {
        add(ContentsPin(attempt, node, i, value));
      } else if (IsConstant(graph, value)) {
        add(SizesPin(attempt, Pin::Kind::kSizes, node, i, value));
        if (!pins.empty() && pins.back().value == value)
          pins.back().repeats = IsData(attempt, node, i, value);
      } else if (graph.role(value) == ValueRole::kInput) {
        if (graph.region(value) == graph.body()) add(SizesPin(attempt, Pin::Kind::kInput, node, i, value));
      } else if (const NodeId maker = graph.maker(value);
                 maker != kNoNode && seen.insert(Index(maker)).second) {
        queue.push_back(maker);
      }
    }
  }
  return pins;
}

}  // namespace dimwise
