// Indices that are counted rather than given: positions up to a length, rows of a mask. No contents are known
// of them, and still the least and the greatest of them have to lie inside what they pick from:
// `seq + past <= 1024` of a table of positions, `seq + past <= total` of a mask.
#include <fmt/format.h>

#include <vector>

#include "core/types/known_parts.h"
#include "graph/program_names.h"
#include "infer/engine/element_extremes.h"
#include "infer/engine/engine.h"

namespace dimwise {
namespace {

int64_t IntegerAttribute(const Graph& graph, NodeId node, std::string_view name) {
  const AttrValue* value = graph.attrs(graph.attrs_of(node)).Find(name);
  return value == nullptr ? 0 : AsInt(*value).value_or(INT64_MAX);
}

// Tuples of indices are one tensor for each axis, side by side.
std::vector<AxisIndices> InTuples(const Engine& engine, NodeId node) {
  const Graph& graph = engine.graph();
  const ValueId indices = graph.operands(node)[1];
  const Shape shape = engine.type(indices).shape;
  const int64_t first = IntegerAttribute(graph, node, "batch_dims");
  const int64_t rank = engine.type(graph.operands(node)[0]).shape.rank();
  if (shape.rank() == 0 || !shape[shape.rank() - 1].is_constant()) return {};
  const int64_t length = shape[shape.rank() - 1].constant();
  if (first < 0 || length < 1 || length > rank || first > rank - length) return {};
  if (length == 1) return {{static_cast<int>(first), ExtremesOf(engine, indices)}};
  const NodeId maker = graph.role(indices) == ValueRole::kResult ? graph.maker(indices) : kNoNode;
  if (maker == kNoNode || graph.op_name(maker) != "onnx.Concat") return {};
  const std::span<const ValueId> columns = graph.operands(maker);
  const int64_t along = IntegerAttribute(graph, maker, "axis");
  if (static_cast<int64_t>(columns.size()) != length || (along != -1 && along != shape.rank() - 1)) return {};
  std::vector<AxisIndices> found;
  for (size_t i = 0; i < columns.size(); ++i) {
    const Type column = engine.type(columns[i]);
    if (!IsRanked(column) || column.shape.rank() != shape.rank()) return {};
    if (column.shape[shape.rank() - 1] != Dim(1)) return {};
    found.push_back({static_cast<int>(first) + static_cast<int>(i), ExtremesOf(engine, columns[i])});
  }
  return found;
}

std::vector<AxisIndices> IndicesOf(const Engine& engine, NodeId node) {
  const Graph& graph = engine.graph();
  const std::span<const ValueId> operands = graph.operands(node);
  if (operands.size() < 2 || operands[0] == kNoValue || operands[1] == kNoValue) return {};
  if (graph.role(operands[1]) != ValueRole::kResult || !engine.contents(operands[1]).is_none()) return {};
  const Type data = engine.type(operands[0]);
  if (!IsRanked(data) || !IsRanked(engine.type(operands[1]))) return {};
  if (graph.op_name(node).ends_with("ND")) return InTuples(engine, node);
  const int64_t written = IntegerAttribute(graph, node, "axis");
  const int64_t axis = written < 0 ? written + data.shape.rank() : written;
  if (axis < 0 || axis >= data.shape.rank()) return {};
  return {{static_cast<int>(axis), ExtremesOf(engine, operands[1])}};
}

}  // namespace

std::vector<AxisIndices> Engine::CountedIndices(NodeId node) {
  if (!TellsAlike() || !options_.contents || !MayRunOnce(graph_.region(node))) return {};
  std::vector<AxisIndices> found = IndicesOf(*this, node);
  std::erase_if(found, [](const AxisIndices& indices) { return indices.extremes.is_none(); });
  return found;
}

// Where there are no indices at all, none is outside.
Status Engine::RequireIndices(NodeId node, const Resolved& resolved, InferenceContext* context) {
  if (!resolved.picks || context->asks_about_inputs()) return {};
  const std::vector<AxisIndices> all = CountedIndices(node);
  if (all.empty()) return {};
  DimTable& dims = analysis_.dims();
  const Shape data = type(graph_.operands(node)[0]).shape;
  const Shape counted = type(graph_.operands(node)[1]).shape;
  const auto require = [&](const AxisIndices& indices, Dim room) -> Status {
    const Literal fits = AtLeast(dims, room, 0);
    if (analysis_.facts().AtLeast(room, 0, ScopeOf(node), Trust::kWithoutChecked) == Truth::kYes) return {};
    Clause clause{fits};
    for (const Dim size : counted.dims()) {
      const bool fits_anyway = analysis_.facts().AtLeast(dims.Add(room, size), 0, ScopeOf(node),
                                                         Trust::kWithoutChecked) == Truth::kYes;
      if (!size.is_constant() && !fits_anyway) clause.push_back(Equal(dims, size, 0));
    }
    return context->Require(clause, [&] {
      return fmt::format("indices {} .. {} are not all inside axis {} of data, which has {} elements",
                         dims.ToString(indices.extremes.least), dims.ToString(indices.extremes.greatest),
                         indices.axis, dims.ToString(data[indices.axis]));
    });
  };
  for (const AxisIndices& indices : all) {
    const Dim size = data[indices.axis];
    DIMWISE_RETURN_IF_ERROR(
        require(indices, dims.Subtract(dims.Subtract(size, 1), indices.extremes.greatest)));
    DIMWISE_RETURN_IF_ERROR(require(indices, dims.Add(size, indices.extremes.least)));
  }
  return {};
}

}  // namespace dimwise
