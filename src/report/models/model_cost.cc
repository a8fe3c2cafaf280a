#include "report/models/model_cost.h"

#include <algorithm>
#include <optional>

#include "core/types/known_parts.h"
#include "dimwise/program.h"
#include "infer/program/dim_sum.h"
#include "infer/program/program_memory.h"

namespace dimwise {
namespace {

// How the number of multiply-adds of an operator follows from its shapes.
enum class CostKind : uint8_t {
  kMatrix,         // elements of the result, times the last size of the left side (the one before where it is
                   // transposed)
  kChannelsFirst,  // elements of the result, times those of the weights without the first axis: [M, C,
                   // kernel...]
  kTransposed,  // elements of the data, times those of the weights without the first axis: [C, M, kernel...]
  kChannelsLast,  // elements of the result, times those of the weights without the last axis: [kernel..., C,
                  // M]
  kDepthwise,     // elements of the result, times those of the weights without the last two: [kernel..., C,
                  // multiplier]
  kRecurrent,     // data [T, N, ...]: T*N times the elements of W and R
};

struct CostRule {
  std::string_view op;
  CostKind kind;
  size_t left = 0, weights = 1;      // indices of operands
  std::string_view transposed = {};  // the name of the attribute
};

constexpr CostRule kCostRules[] = {
    {"com.microsoft.FusedConv", CostKind::kChannelsFirst},
    {"com.microsoft.FusedGemm", CostKind::kMatrix, 0, 1, "transA"},
    {"com.microsoft.FusedMatMul", CostKind::kMatrix, 0, 1, "transA"},
    {"mxnet.Convolution", CostKind::kChannelsFirst},
    {"mxnet.FullyConnected", CostKind::kChannelsFirst},
    {"onnx.Conv", CostKind::kChannelsFirst},
    {"onnx.ConvInteger", CostKind::kChannelsFirst},
    {"onnx.ConvTranspose", CostKind::kTransposed},
    {"onnx.GRU", CostKind::kRecurrent},
    {"onnx.Gemm", CostKind::kMatrix, 0, 1, "transA"},
    {"onnx.LSTM", CostKind::kRecurrent},
    {"onnx.MatMul", CostKind::kMatrix},
    {"onnx.MatMulInteger", CostKind::kMatrix},
    {"onnx.QLinearConv", CostKind::kChannelsFirst, 0, 3},
    {"onnx.QLinearMatMul", CostKind::kMatrix, 0, 3},
    {"onnx.RNN", CostKind::kRecurrent},
    {"tensorflow.BatchMatMul", CostKind::kMatrix, 0, 1, "adj_x"},
    {"tensorflow.BatchMatMulV2", CostKind::kMatrix, 0, 1, "adj_x"},
    {"tensorflow.BatchMatMulV3", CostKind::kMatrix, 0, 1, "adj_x"},
    {"tensorflow.Conv2D", CostKind::kChannelsLast},
    {"tensorflow.Conv3D", CostKind::kChannelsLast},
    {"tensorflow.DepthwiseConv2dNative", CostKind::kDepthwise},
    {"tensorflow.MatMul", CostKind::kMatrix, 0, 1, "transpose_a"},
};
static_assert(std::ranges::is_sorted(kCostRules, {}, &CostRule::op));

class Costs {
 public:
  explicit Costs(const ModelReport& report) : report_(report), graph_(report.graph()), dims_(report.dims()) {}

  // Returns the number of multiply-adds, or none if a required shape is unknown.
  Dim MultiplyAdds(NodeId node, const CostRule& rule) {
    const std::span<const ValueId> operands = graph_.operands(node), results = graph_.results(node);
    if (operands.size() <= rule.weights || results.empty()) return {};
    const Sizes left = SizesOf(operands[rule.left]), weights = SizesOf(operands[rule.weights]),
                result = SizesOf(results[0]);
    if (!left || !weights) return {};
    if (rule.kind == CostKind::kRecurrent) {
      const Sizes recurrence = operands.size() > 2 ? SizesOf(operands[2]) : std::nullopt;
      if (!recurrence || left->size() != 3) return {};
      return dims_.Multiply(Product(left->first(2)), dims_.Add(Product(*weights), Product(*recurrence)));
    }
    if (rule.kind == CostKind::kTransposed)
      return weights->empty() ? Dim() : dims_.Multiply(Product(*left), Product(weights->subspan(1)));
    if (!result) return {};
    const size_t last = rule.kind == CostKind::kDepthwise ? 2 : 1;
    switch (rule.kind) {
      case CostKind::kMatrix: {
        const size_t back = IsSet(node, rule.transposed) ? 2 : 1;
        return left->size() < back ? Dim() : dims_.Multiply(Product(*result), (*left)[left->size() - back]);
      }
      case CostKind::kChannelsFirst:
        return weights->empty() ? Dim() : dims_.Multiply(Product(*result), Product(weights->subspan(1)));
      default:
        return weights->size() < last
                   ? Dim()
                   : dims_.Multiply(Product(*result), Product(weights->first(weights->size() - last)));
    }
  }

 private:
  using Sizes = std::optional<std::span<const Dim>>;

  Sizes SizesOf(ValueId value) const {
    if (value == kNoValue) return std::nullopt;
    const Type type = report_.type(value);
    if (!IsRanked(type)) return std::nullopt;
    return type.shape.dims();
  }
  Dim Product(std::span<const Dim> sizes) {
    Dim product = 1;
    for (const Dim size : sizes) product = dims_.Multiply(product, size);
    return product;
  }
  bool IsSet(NodeId node, std::string_view attribute) const {
    if (attribute.empty()) return false;
    const AttrValue* value = graph_.attrs(graph_.attrs_of(node)).Find(attribute);
    return value != nullptr && AsInt(*value).value_or(0) != 0;
  }

  const ModelReport& report_;
  const Graph& graph_;
  DimTable& dims_;
};

const CostRule* FindCostRule(std::string_view op) {
  const auto* at = std::ranges::lower_bound(kCostRules, op, {}, &CostRule::op);
  return at != std::end(kCostRules) && at->op == op ? at : nullptr;
}

}  // namespace

ModelCost CostOf(const ModelReport& report) {
  const Graph& graph = report.graph();
  DimTable& dims = report.dims();
  ModelCost cost;
  DimSum parameters, parameter_bytes, multiply_adds;
  for (uint32_t r = 0; r < graph.region_count(); ++r) {
    for (const ValueId v : graph.constants(RegionId{r})) {
      const Type type = report.type(v);
      if (!IsRanked(type)) continue;
      Dim count = 1;
      for (const Dim size : type.shape.dims()) count = dims.Multiply(count, size);
      parameters.Add(count);
      if (const Dim bytes = BytesOf(dims, type); !bytes.is_none()) parameter_bytes.Add(bytes);
    }
  }
  Costs costs(report);
  for (uint32_t n = 0; n < graph.node_count(); ++n) {
    const NodeId node{n};
    const CostRule* rule = graph.Has(node) ? FindCostRule(graph.op_name(node)) : nullptr;
    if (rule == nullptr) continue;
    const Dim own = graph.region(node) == graph.body() ? costs.MultiplyAdds(node, *rule) : Dim();
    if (own.is_none()) {
      ++cost.not_counted;
    } else {
      multiply_adds.Add(own);
    }
  }
  cost.parameters = parameters.Text(dims);
  cost.parameter_bytes = parameter_bytes.Text(dims);
  cost.multiply_adds = multiply_adds.Text(dims);
  const ShapeProgram program(report.inference);
  cost.peak = program.peak().expression;
  cost.peak_not_counted = program.peak().not_counted;
  return cost;
}

}  // namespace dimwise
