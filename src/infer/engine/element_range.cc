#include "infer/engine/element_range.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "core/types/known_parts.h"
#include "graph/program_names.h"

namespace dimwise {
namespace {

constexpr int kMaxDepth = 12;   // of makers on the way back
constexpr int kMaxMakers = 32;  // of them together

// What gives elements of its first operand, some of them or all, in another order or shape.
constexpr std::string_view kMovers[] = {"Compress", "Expand",   "Flatten",   "Gather",   "GatherElements",
                                        "GatherND", "Identity", "Reshape",   "Slice",    "Split",
                                        "Squeeze",  "Tile",     "Transpose", "Unsqueeze"};

class RangeFinder {
 public:
  explicit RangeFinder(const Engine& engine)
      : engine_(engine), graph_(engine.graph()), dims_(engine.analysis().dims()) {}

  ElementRange Of(ValueId value, int depth_left) {
    const Type type = engine_.type(value);
    if (type.is_tensor() && IsBool(type.element)) return {0, 1};
    if (!type.is_tensor() || !IsInteger(type.element)) return {};
    if (const Value contents = engine_.contents(value); !contents.is_none()) return OfContents(contents);
    ElementRange range;
    if (depth_left > 0 && graph_.role(value) == ValueRole::kResult && makers_left_-- > 0)
      range = OfResult(value, depth_left - 1);
    if (range.low.is_none() && IsUnsigned(type.element)) range.low = 0;
    return range;
  }

 private:
  ElementRange OfContents(Value contents) {
    if (contents.size() == 0 || contents.size() > ValueTable::kMaxElements) return {};
    ElementRange range{contents.Integer(0), contents.Integer(0)};
    for (int64_t i = 1; i < contents.size(); ++i) {
      range.low = dims_.Min(range.low, contents.Integer(i));
      range.high = dims_.Max(range.high, contents.Integer(i));
    }
    return range;
  }

  ElementRange OfResult(ValueId value, int depth_left) {
    const NodeId node = graph_.maker(value);
    const std::string_view name = ShortName(graph_.op_name(node));
    const std::span<const ValueId> operands = graph_.operands(node);
    if (!graph_.op_name(node).starts_with("onnx.") || operands.empty()) return {};
    const auto of = [&](size_t i) {
      return i < operands.size() && operands[i] != kNoValue ? Of(operands[i], depth_left) : ElementRange();
    };
    const bool is_first = graph_.results(node)[0] == value;
    if (std::ranges::count(kMovers, name) != 0 || (name == "TopK" && is_first)) return of(0);
    if (name == "ArgMax" || name == "ArgMin" || (name == "TopK" && !is_first)) return OfIndices(node, name);
    if (name == "Cast") return OfCast(engine_.type(value).element, of(0));
    if (name == "Abs") {
      const ElementRange range = of(0);
      return AtLeastZero(range.low) ? range : ElementRange();
    }
    if (name == "Relu") return {0, dims_.Max(of(0).high, 0)};
    if (name == "Where") return Hull(of(1), of(2));
    if (name == "Concat" || name == "Max" || name == "Min") return OfAll(name, node, depth_left);
    if (name == "Clip" && operands.size() == 3) return AtMost(AtLeast(of(0), of(1)), of(2));
    if (name == "ReduceMax") return {Dim(), of(0).high};  // of no elements it is the smallest number there is
    if (name == "ReduceMin") return {of(0).low, Dim()};
    if (name == "ReduceSum") return OfSum(of(0), operands[0], value);
    return {};
  }

  bool AtLeastZero(Dim d) const { return d.is_constant() && d.constant() >= 0; }

  // Either of two ends, as far as both are known.
  ElementRange Hull(ElementRange a, ElementRange b) {
    return {dims_.Min(a.low, b.low), dims_.Max(a.high, b.high)};
  }

  // Of the larger of two numbers. It is at least what one of them is.
  ElementRange AtLeast(ElementRange a, ElementRange b) {
    return {a.low.is_none()   ? b.low
            : b.low.is_none() ? a.low
                              : dims_.Max(a.low, b.low),
            dims_.Max(a.high, b.high)};
  }
  ElementRange AtMost(ElementRange a, ElementRange b) {
    return {dims_.Min(a.low, b.low), a.high.is_none()   ? b.high
                                     : b.high.is_none() ? a.high
                                                        : dims_.Min(a.high, b.high)};
  }

  ElementRange OfAll(std::string_view name, NodeId node, int depth_left) {
    const std::span<const ValueId> operands = graph_.operands(node);
    if (operands.size() > 4) return {};
    ElementRange range = Of(operands[0], depth_left);
    for (const ValueId v : operands.subspan(1)) {
      const ElementRange more = Of(v, depth_left);
      range = name == "Max" ? AtLeast(range, more) : name == "Min" ? AtMost(range, more) : Hull(range, more);
    }
    return range;
  }

  // Narrow formats wrap what does not fit; sizes fit into 32 bits where they are counted at all.
  ElementRange OfCast(ElementType to, ElementRange from) const {
    const int bits = BitWidth(to) - (IsSigned(to) ? 1 : 0);
    const int64_t greatest = bits < 63 ? (int64_t{1} << bits) - 1 : INT64_MAX;
    const bool low_fits = AtLeastZero(from.low);
    const bool high_fits = from.high.is_constant() ? from.high.constant() <= greatest : bits >= 31;
    if (!low_fits || !high_fits || (from.high.is_none() && bits < 63)) return {};
    return from;
  }

  // Places along an axis. Where it has no elements, implementations may answer 0.
  ElementRange OfIndices(NodeId node, std::string_view name) {
    const Shape shape = engine_.type(graph_.operands(node)[0]).shape;
    if (shape.is_none() || !shape.has_rank() || shape.rank() == 0) return {0, Dim()};
    const AttrValue* axis = graph_.attrs(graph_.attrs_of(node)).Find("axis");
    const int64_t usual = name == "TopK" ? -1 : 0;
    const int64_t written = axis != nullptr ? AsInt(*axis).value_or(INT64_MAX) : usual;
    const int64_t at = written < 0 ? written + shape.rank() : written;
    if (at < 0 || at >= shape.rank()) return {0, Dim()};
    return {0, dims_.Max(dims_.Subtract(shape[static_cast<int>(at)], 1), 0)};
  }

  // As often the largest element as there are elements to each of the sums.
  ElementRange OfSum(ElementRange of, ValueId data, ValueId sums) {
    if (!AtLeastZero(of.low)) return {};
    const Dim all = Count(engine_.type(data)), left = Count(engine_.type(sums));
    if (all.is_none() || left.is_none() || left == Dim(0)) return {0, Dim()};
    const std::optional<Dim> each = dims_.DivideExactly(all, left);
    return {0, each ? dims_.Multiply(*each, of.high) : Dim()};
  }

  Dim Count(const Type& type) {
    if (!IsRanked(type)) return Dim();
    Dim count = 1;
    for (const Dim d : type.shape.dims()) count = dims_.Multiply(count, d);
    return count;
  }

  const Engine& engine_;
  const Graph& graph_;
  DimTable& dims_;
  int makers_left_ = kMaxMakers;
};

}  // namespace

ElementRange RangeOfElements(const Engine& engine, ValueId value) {
  return RangeFinder(engine).Of(value, kMaxDepth);
}

}  // namespace dimwise
