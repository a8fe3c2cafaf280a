#include "infer/generalize/pins.h"

#include <tsl/robin_set.h>

#include <algorithm>
#include <deque>
#include <optional>

namespace dimwise {
namespace {

constexpr size_t kMaxVisited = 20'000;

// Returns whether an argument of an operator is the operand `operand` of a node.
bool IsArgument(const OpDef& def, ArgIndex argument, size_t operand, size_t count) {
  const FlatRange range = FlatRangeOf(def.inputs, argument, count);
  return argument != kNoArg && range.begin <= operand && operand < range.end;
}

// Returns the declared use of an operand that contains sizes, or null.
const SizesUse* FindSizesUse(const Attempt& attempt, NodeId node, uint32_t operand) {
  const OpDef* def = attempt.Definition(node);
  if (def == nullptr) return nullptr;
  for (const SizesUse& use : def->properties.sizes) {
    if (IsArgument(*def, use.sizes.operand, operand, attempt.graph().operands(node).size())) return &use;
  }
  return nullptr;
}

// Returns whether an operand may be repeated along an axis of size 1 without a change of meaning: data of a
// sample, indices, and initial states. Weights are excluded, and so are other integers, which may be axes.
bool IsData(const Attempt& attempt, NodeId node, uint32_t operand, ValueId value) {
  const OpDef* def = attempt.Definition(node);
  if (def == nullptr) return false;
  const size_t count = attempt.graph().operands(node).size();
  const auto covers = [&](ArgIndex argument) { return IsArgument(*def, argument, operand, count); };
  if (std::ranges::none_of(def->properties.repeats, covers)) return false;
  if (std::ranges::any_of(def->properties.indexes, covers, &IndexUse::indices)) return true;
  const ElementType element = attempt.type(value).element;
  return IsFloat(element) || element == ElementType::kBool;
}

std::optional<Pin> ContentsPin(const Attempt& attempt, const SizesUse& use, NodeId node, uint32_t operand,
                               ValueId value) {
  if (use.kind == SizesUse::Kind::kReshape) return std::nullopt;
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

bool IsConstant(const Attempt& attempt, ValueId value) {
  const Graph& graph = attempt.graph();
  if (graph.role(value) == ValueRole::kConstant) return true;
  if (graph.role(value) != ValueRole::kResult) return false;
  const OpDef* def = attempt.Definition(graph.maker(value));
  return def != nullptr && def->properties.computes == Computation::kConstant;
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
      if (const SizesUse* use = FindSizesUse(attempt, node, i)) {
        add(ContentsPin(attempt, *use, node, i, value));
      } else if (IsConstant(attempt, value)) {
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
