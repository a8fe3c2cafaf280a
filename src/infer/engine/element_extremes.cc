#include "infer/engine/element_extremes.h"

#include <algorithm>
#include <string_view>

#include "core/types/known_parts.h"
#include "graph/program_names.h"

namespace dimwise {
namespace {

constexpr int kMaxExtremesDepth = 16;   // of makers on the way back
constexpr int kMaxExtremesMakers = 32;  // of them together

// What gives all elements of its first operand, in another order or shape, or more than once.
constexpr std::string_view kKeepers[] = {"Cast",    "Expand", "Flatten",   "Identity", "Reshape",
                                         "Squeeze", "Tile",   "Transpose", "Unsqueeze"};

// Narrower formats wrap what does not fit.
bool IsIndex(ElementType type) { return type == ElementType::kI32 || type == ElementType::kI64; }

class ExtremesFinder {
 public:
  explicit ExtremesFinder(const Engine& engine)
      : engine_(engine), graph_(engine.graph()), dims_(engine.analysis().dims()) {}

  ElementExtremes Of(ValueId value, int depth_left) {
    const Type type = engine_.type(value);
    if (!type.is_tensor() || !IsIndex(type.element)) return {};
    if (const Value contents = engine_.contents(value); !contents.is_none()) return OfContents(contents);
    if (depth_left == 0 || graph_.role(value) != ValueRole::kResult || makers_left_-- <= 0) return {};
    return OfResult(value, depth_left - 1);
  }

 private:
  ElementExtremes OfContents(Value contents) {
    if (contents.size() == 0 || contents.size() > ValueTable::kMaxElements) return {};
    ElementExtremes found{contents.Integer(0), contents.Integer(0)};
    for (int64_t i = 1; i < contents.size() && !found.is_none(); ++i) {
      found.least = dims_.Min(found.least, contents.Integer(i));
      found.greatest = dims_.Max(found.greatest, contents.Integer(i));
    }
    return found;
  }

  ElementExtremes OfResult(ValueId value, int depth_left) {
    const NodeId node = graph_.maker(value);
    const std::string_view name = ShortName(graph_.op_name(node));
    const std::span<const ValueId> operands = graph_.operands(node);
    if (!graph_.op_name(node).starts_with("onnx.") || operands.empty() || operands[0] == kNoValue) return {};
    if (std::ranges::count(kKeepers, name) != 0) return Of(operands[0], depth_left);
    if (name == "Range" && operands.size() == 3) return OfRange(operands, engine_.type(value));
    if (name == "NonZero") return OfPlaces(engine_.type(operands[0]), engine_.type(value));
    if (operands.size() != 2 || operands[1] == kNoValue) return {};
    if (name != "Add" && name != "Sub" && name != "Mul") return {};
    const ElementExtremes a = Of(operands[0], depth_left);
    const ElementExtremes b = a.is_none() ? a : Of(operands[1], depth_left);
    if (b.is_none()) return {};
    if (name == "Mul")
      return b.is_single() ? Times(a, b.least) : a.is_single() ? Times(b, a.least) : ElementExtremes();
    if (!a.is_single() && !b.is_single() && !AreAcross(engine_.type(operands[0]), engine_.type(operands[1])))
      return {};
    if (name == "Add") return {dims_.Add(a.least, b.least), dims_.Add(a.greatest, b.greatest)};
    return {dims_.Subtract(a.least, b.greatest), dims_.Subtract(a.greatest, b.least)};
  }

  ElementExtremes OfRange(std::span<const ValueId> operands, const Type& type) {
    const Dim start = OnlyInteger(engine_.contents(operands[0]));
    const Dim limit = OnlyInteger(engine_.contents(operands[1]));
    const Dim step = OnlyInteger(engine_.contents(operands[2]));
    if (start.is_none() || limit.is_none() || !step.is_constant()) return {};
    if (step == Dim(1)) return {start, dims_.Subtract(limit, 1)};
    if (!IsRanked(type) || type.shape.rank() != 1) return {};
    const Dim last = dims_.Add(start, dims_.Multiply(dims_.Subtract(type.shape[0], 1), step));
    return step.constant() > 0 ? ElementExtremes{start, last} : ElementExtremes{last, start};
  }

  // The places of the elements of a vector of which none is 0.
  ElementExtremes OfPlaces(const Type& data, const Type& places) {
    if (!IsRanked(data) || data.shape.rank() != 1 || !IsRanked(places) || places.shape.rank() != 2) return {};
    if (data.shape[0] != places.shape[1]) return {};
    return {0, dims_.Subtract(data.shape[0], 1)};
  }

  ElementExtremes Times(ElementExtremes a, Dim factor) {
    if (engine_.analysis().facts().AtLeast(factor, 0) != Truth::kYes) return {};
    return {dims_.Multiply(a.least, factor), dims_.Multiply(a.greatest, factor)};
  }

  // Whether each element of one meets each of the other where the two are broadcast: no axis of both has more
  // than one element.
  static bool AreAcross(const Type& a, const Type& b) {
    if (!IsRanked(a) || !IsRanked(b)) return false;
    for (int i = 1; i <= std::min(a.shape.rank(), b.shape.rank()); ++i) {
      if (a.shape[a.shape.rank() - i] != Dim(1) && b.shape[b.shape.rank() - i] != Dim(1)) return false;
    }
    return true;
  }

  const Engine& engine_;
  const Graph& graph_;
  DimTable& dims_;
  int makers_left_ = kMaxExtremesMakers;
};

}  // namespace

ElementExtremes ExtremesOf(const Engine& engine, ValueId value) {
  return ExtremesFinder(engine).Of(value, kMaxExtremesDepth);
}

}  // namespace dimwise
