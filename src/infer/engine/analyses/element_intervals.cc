#include "infer/engine/analyses/element_intervals.h"

#include <algorithm>
#include <optional>

#include "core/types/known_parts.h"
#include "infer/engine/analyses/property_values.h"

namespace dimwise {
namespace {

// Limits of the search backward from one value.
constexpr int kMaxIntervalDepth = 12, kMaxExtremesDepth = 16;  // length of a chain of nodes
constexpr int kMaxIntervalNodes = 32;                          // nodes in total
constexpr size_t kMaxJoinedOperands = 4;  // operands of one node that may give an element

bool IsAtLeastZero(Dim d) { return d.is_constant() && d.constant() >= 0; }

// Returns the interval of contents; both ends are none if an element is unknown, or if there is none.
ElementInterval IntervalOfContents(DimTable& dims, Value contents) {
  if (contents.size() == 0 || contents.size() > ValueTable::kMaxElements) return {};
  ElementInterval interval{contents.Integer(0), contents.Integer(0)};
  for (int64_t i = 1; i < contents.size(); ++i) {
    interval.low = dims.Min(interval.low, contents.Integer(i));
    interval.high = dims.Max(interval.high, contents.Integer(i));
  }
  return interval;
}

class IntervalFinder {
 public:
  explicit IntervalFinder(const ProgramState& state)
      : state_(state), graph_(state.graph), dims_(state.analysis.dims()) {}

  ElementInterval Of(ValueId value, int depth_left) {
    if (value == kNoValue) return {};
    const Type type = state_.type(value);
    if (type.is_tensor() && IsBool(type.element)) return {0, 1};
    if (!type.is_tensor() || !IsInteger(type.element)) return {};
    ElementInterval interval;
    if (state_.options.analyses.element_intervals) {
      if (const Value contents = state_.contents(value); !contents.is_none())
        return IntervalOfContents(dims_, contents);
      if (depth_left > 0 && graph_.role(value) == ValueRole::kResult && nodes_left_-- > 0)
        interval = OfResult(value, depth_left - 1);
    }
    if (interval.low.is_none() && IsUnsigned(type.element)) interval.low = 0;
    return interval;
  }

 private:
  ElementInterval OfResult(ValueId value, int depth_left) {
    const NodeId node = graph_.maker(value);
    const OpProperties& properties = *state_.operators.Resolve(node).properties;
    if (graph_.operands(node).empty()) return {};
    if (const auto computed = OfComputation(node, properties.computes, depth_left)) return *computed;
    const ArgIndex result = ArgumentOfResult(state_, value);
    ElementInterval interval;
    if (const ElementSource* source = properties.SourceOf(result); source != nullptr)
      interval = OfSource(node, *source, depth_left);
    if (const ElementBounds* bounds = properties.BoundsOf(result); bounds != nullptr) {
      if (interval.low.is_none()) interval.low = PropertyValue(state_, node, bounds->low);
      if (interval.high.is_none()) interval.high = PropertyValue(state_, node, bounds->high);
    }
    return interval;
  }

  // Returns nullopt for a computation without a formula for intervals.
  std::optional<ElementInterval> OfComputation(NodeId node, Computation computes, int depth_left) {
    const std::span<const ValueId> operands = graph_.operands(node);
    const auto of = [&](size_t i) {
      return i < operands.size() ? Of(operands[i], depth_left) : ElementInterval();
    };
    switch (computes) {
      case Computation::kIdentity:
        return of(0);
      case Computation::kCast:
        return OfCast(state_.type(graph_.results(node)[0]).element, of(0));
      case Computation::kAbsolute: {
        const ElementInterval interval = of(0);
        return IsAtLeastZero(interval.low) ? interval : ElementInterval();
      }
      case Computation::kPositivePart:
        return ElementInterval{0, dims_.Max(of(0).high, 0)};
      case Computation::kSelect:
        return Hull(of(1), of(2));
      case Computation::kConcat:
        return OfAll(operands, depth_left, [&](auto a, auto b) { return Hull(a, b); });
      case Computation::kMaximum:
        return OfAll(operands, depth_left, [&](auto a, auto b) { return Larger(a, b); });
      case Computation::kMinimum:
        return OfAll(operands, depth_left, [&](auto a, auto b) { return Smaller(a, b); });
      case Computation::kClamp: {
        const auto is_given = [&](size_t i) { return i < operands.size() && operands[i] != kNoValue; };
        ElementInterval interval = of(0);
        if (is_given(1)) interval = Larger(interval, of(1));
        return is_given(2) ? Smaller(interval, of(2)) : interval;
      }
      default:
        return std::nullopt;
    }
  }

  ElementInterval OfSource(NodeId node, const ElementSource& source, int depth_left) {
    std::vector<ValueId> operands;
    for (const ArgIndex argument : source.operands) {
      const std::span<const ValueId> more = OperandsOf(state_, node, argument);
      operands.insert(operands.end(), more.begin(), more.end());
    }
    const ElementInterval interval = OfAll(operands, depth_left, [&](auto a, auto b) { return Hull(a, b); });
    switch (source.kind) {
      case ElementSource::Kind::kAtMost:  // also the result for no elements: the least number of the type
        return {Dim(), interval.high};
      case ElementSource::Kind::kAtLeast:
        return {interval.low, Dim()};
      case ElementSource::Kind::kSums:
        if (!IsAtLeastZero(interval.low)) return {};
        return {0, dims_.Multiply(PropertyValue(state_, node, source.count), interval.high)};
      case ElementSource::Kind::kSame:
      case ElementSource::Kind::kPermuted:
      case ElementSource::Kind::kAll:
      case ElementSource::Kind::kSome:
        return interval;
    }
    return {};
  }

  template <typename Combine>
  ElementInterval OfAll(std::span<const ValueId> operands, int depth_left, const Combine& combine) {
    if (operands.empty() || operands.size() > kMaxJoinedOperands) return {};
    ElementInterval interval = Of(operands[0], depth_left);
    for (const ValueId v : operands.subspan(1)) interval = combine(interval, Of(v, depth_left));
    return interval;
  }

  // Returns the interval of elements that come from either interval.
  ElementInterval Hull(ElementInterval a, ElementInterval b) {
    return {dims_.Min(a.low, b.low), dims_.Max(a.high, b.high)};
  }
  // Return the interval of the larger or smaller one of two numbers. One known end limits the larger number
  // below, and the smaller number above.
  ElementInterval Larger(ElementInterval a, ElementInterval b) {
    const Dim low = a.low.is_none() ? b.low : b.low.is_none() ? a.low : dims_.Max(a.low, b.low);
    return {low, dims_.Max(a.high, b.high)};
  }
  ElementInterval Smaller(ElementInterval a, ElementInterval b) {
    const Dim high = a.high.is_none() ? b.high : b.high.is_none() ? a.high : dims_.Min(a.high, b.high);
    return {dims_.Min(a.low, b.low), high};
  }

  // Returns nothing if a number may not fit: narrow types wrap. A symbolic bound is a number of elements, or
  // a size, so it fits 32 bits.
  ElementInterval OfCast(ElementType to, ElementInterval from) const {
    const int bits = BitWidth(to) - (IsSigned(to) ? 1 : 0);
    const int64_t greatest = bits < 63 ? (int64_t{1} << bits) - 1 : INT64_MAX;
    const bool low_fits = IsAtLeastZero(from.low);
    const bool high_fits = from.high.is_constant() ? from.high.constant() <= greatest : bits >= 31;
    if (!low_fits || !high_fits || (from.high.is_none() && bits < 63)) return {};
    return from;
  }

  const ProgramState& state_;
  const Graph& graph_;
  DimTable& dims_;
  int nodes_left_ = kMaxIntervalNodes;
};

class ExtremesFinder {
 public:
  explicit ExtremesFinder(const ProgramState& state)
      : state_(state), graph_(state.graph), dims_(state.analysis.dims()) {}

  // Narrower types than i32 wrap numbers that do not fit.
  ElementExtremes Of(ValueId value, int depth_left) {
    if (value == kNoValue) return {};
    const Type type = state_.type(value);
    if (!type.is_tensor() || (type.element != ElementType::kI32 && type.element != ElementType::kI64))
      return {};
    if (const Value contents = state_.contents(value); !contents.is_none()) {
      const ElementInterval all = IntervalOfContents(dims_, contents);
      return {all.low, all.high};
    }
    if (depth_left == 0 || graph_.role(value) != ValueRole::kResult || nodes_left_-- <= 0) return {};
    return OfResult(value, depth_left - 1);
  }

 private:
  ElementExtremes OfResult(ValueId value, int depth_left) {
    const NodeId node = graph_.maker(value);
    const OpProperties& properties = *state_.operators.Resolve(node).properties;
    const std::span<const ValueId> operands = graph_.operands(node);
    if (operands.empty()) return {};
    if (properties.computes == Computation::kIdentity || properties.computes == Computation::kCast)
      return Of(operands[0], depth_left);
    const ArgIndex result = ArgumentOfResult(state_, value);
    if (const ElementSource* source = properties.SourceOf(result); source != nullptr && HasAll(*source))
      return Of(OnlyOperandOf(state_, node, source->operands[0]), depth_left);
    if (const ElementBounds* bounds = properties.BoundsOf(result); bounds != nullptr && bounds->exact)
      return {PropertyValue(state_, node, bounds->low), PropertyValue(state_, node, bounds->high)};
    const auto places = std::ranges::find(properties.element_indices, result, &ElementIndices::result);
    if (places != properties.element_indices.end())
      return OfPlaces(state_.type(OnlyOperandOf(state_, node, places->operand)), state_.type(value));
    return OfArithmetic(properties.computes, operands, depth_left);
  }

  // Returns whether the extremes of the operand are elements of the result.
  static bool HasAll(const ElementSource& source) {
    return source.operands.size() == 1 &&
           (source.kind == ElementSource::Kind::kSame || source.kind == ElementSource::Kind::kPermuted ||
            source.kind == ElementSource::Kind::kAll);
  }

  // Returns the extremes of the indices of the nonzero elements of a vector, if no element is 0.
  ElementExtremes OfPlaces(const Type& data, const Type& places) {
    if (!IsRanked(data) || data.shape.rank() != 1 || !IsRanked(places) || places.shape.rank() != 2) return {};
    if (data.shape[0] != places.shape[1]) return {};
    return {0, dims_.Subtract(data.shape[0], 1)};
  }

  ElementExtremes OfArithmetic(Computation computes, std::span<const ValueId> operands, int depth_left) {
    const bool is_product = computes == Computation::kMultiply, is_sum = computes == Computation::kAdd;
    if (operands.size() != 2 || (!is_product && !is_sum && computes != Computation::kSubtract)) return {};
    const ElementExtremes a = Of(operands[0], depth_left);
    const ElementExtremes b = a.is_none() ? a : Of(operands[1], depth_left);
    if (b.is_none()) return {};
    if (is_product)
      return b.is_single() ? Times(a, b.least) : a.is_single() ? Times(b, a.least) : ElementExtremes();
    if (!a.is_single() && !b.is_single() && !AreAcross(state_.type(operands[0]), state_.type(operands[1])))
      return {};
    if (is_sum) return {dims_.Add(a.least, b.least), dims_.Add(a.greatest, b.greatest)};
    return {dims_.Subtract(a.least, b.greatest), dims_.Subtract(a.greatest, b.least)};
  }

  ElementExtremes Times(ElementExtremes a, Dim factor) {
    if (state_.analysis.facts().AtLeast(factor, 0) != Truth::kYes) return {};
    return {dims_.Multiply(a.least, factor), dims_.Multiply(a.greatest, factor)};
  }

  // Returns whether broadcasting combines each element of one tensor with each element of the other: on each
  // axis, one of them has the size 1.
  static bool AreAcross(const Type& a, const Type& b) {
    if (!IsRanked(a) || !IsRanked(b)) return false;
    for (int i = 1; i <= std::min(a.shape.rank(), b.shape.rank()); ++i) {
      if (a.shape[a.shape.rank() - i] != Dim(1) && b.shape[b.shape.rank() - i] != Dim(1)) return false;
    }
    return true;
  }

  const ProgramState& state_;
  const Graph& graph_;
  DimTable& dims_;
  int nodes_left_ = kMaxIntervalNodes;
};

}  // namespace

ElementInterval IntervalOfElements(const ProgramState& state, ValueId value) {
  return IntervalFinder(state).Of(value, kMaxIntervalDepth);
}

ElementExtremes ExtremesOfElements(const ProgramState& state, ValueId value) {
  if (!state.options.analyses.element_intervals) return {};
  return ExtremesFinder(state).Of(value, kMaxExtremesDepth);
}

}  // namespace dimwise
