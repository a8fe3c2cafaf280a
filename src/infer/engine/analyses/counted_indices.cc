#include "infer/engine/analyses/counted_indices.h"

#include <fmt/format.h>

#include <optional>

#include "core/types/known_parts.h"
#include "infer/engine/analyses/property_values.h"

namespace dimwise {

std::vector<CountedIndices::AxisIndices> CountedIndices::IndicesOf(NodeId node) const {
  const std::vector<IndexUse>& uses = state_.operators.Resolve(node).properties->indexes;
  if (uses.empty() || !state_.options.analyses.counted_indices || !state_.options.contents) return {};
  if (!numbering_.is_on() || !state_.RunsAtMostOnce(graph_.region(node))) return {};
  std::vector<AxisIndices> found;
  for (const IndexUse& use : uses) AddIndices(node, use, &found);
  std::erase_if(found, [](const AxisIndices& indices) { return indices.extremes.is_none(); });
  return found;
}

// The rule itself checks indices whose elements are known.
void CountedIndices::AddIndices(NodeId node, const IndexUse& use, std::vector<AxisIndices>* found) const {
  AxisIndices indices;
  indices.data = OnlyOperandOf(state_, node, use.data);
  indices.indices = OnlyOperandOf(state_, node, use.indices);
  indices.negative = use.negative;
  if (indices.data == kNoValue || indices.indices == kNoValue) return;
  if (graph_.role(indices.indices) != ValueRole::kResult || !state_.contents(indices.indices).is_none())
    return;
  const Type data = state_.type(indices.data);
  if (!IsRanked(data) || !IsRanked(state_.type(indices.indices))) return;
  const std::optional<int> axis = PropertyAxis(state_, node, use.axis, data.shape.rank());
  if (!axis) return;
  indices.axis = *axis;
  if (use.tuples) return AddTuples(indices, found);
  indices.extremes = ExtremesOfElements(state_, indices.indices);
  found->push_back(indices);
}

// Tuples of several indices must be a concatenation of one tensor per axis: then each has its own extremes.
void CountedIndices::AddTuples(AxisIndices first, std::vector<AxisIndices>* found) const {
  const Shape shape = state_.type(first.indices).shape;
  const int64_t rank = state_.type(first.data).shape.rank();
  if (shape.rank() == 0 || !shape[shape.rank() - 1].is_constant()) return;
  const int64_t length = shape[shape.rank() - 1].constant();
  if (length < 1 || length > rank || first.axis > rank - length) return;
  if (length == 1) {
    first.extremes = ExtremesOfElements(state_, first.indices);
    found->push_back(first);
    return;
  }
  const NodeId maker = graph_.maker(first.indices);
  const OpProperties& properties = *state_.operators.Resolve(maker).properties;
  const std::span<const ValueId> columns = graph_.operands(maker);
  if (properties.computes != Computation::kConcat || static_cast<int64_t>(columns.size()) != length) return;
  if (PropertyAxis(state_, maker, properties.concat_axis, shape.rank()) != shape.rank() - 1) return;
  for (const ValueId v : columns) {
    const Type column = state_.type(v);
    if (!IsRanked(column) || column.shape.rank() != shape.rank()) return;
    if (column.shape[shape.rank() - 1] != Dim(1)) return;
  }
  for (size_t i = 0; i < columns.size(); ++i) {
    AxisIndices indices = first;
    indices.axis += static_cast<int>(i);
    indices.extremes = ExtremesOfElements(state_, columns[i]);
    found->push_back(indices);
  }
}

Status CountedIndices::Refine(NodeId node, bool /*creates_symbols*/, InferenceContext* context) {
  if (context->refines_inputs()) return {};
  DimTable& dims = state_.analysis.dims();
  for (const AxisIndices& indices : IndicesOf(node)) {
    const Dim size = state_.type(indices.data).shape[indices.axis];
    const Dim above = dims.Subtract(dims.Subtract(size, 1), indices.extremes.greatest);
    const Dim below = indices.negative ? dims.Add(size, indices.extremes.least) : indices.extremes.least;
    DIMWISE_RETURN_IF_ERROR(RequireRoom(node, indices, above, context));
    DIMWISE_RETURN_IF_ERROR(RequireRoom(node, indices, below, context));
  }
  return {};
}

Status CountedIndices::RequireRoom(NodeId node, const AxisIndices& indices, Dim room,
                                   InferenceContext* context) const {
  DimTable& dims = state_.analysis.dims();
  Facts& facts = state_.analysis.facts();
  const auto is_at_least_zero = [&](Dim d) {
    return facts.AtLeast(d, 0, state_.ScopeOf(node), FactFilter::kWithoutChecked) == Truth::kYes;
  };
  if (is_at_least_zero(room)) return {};
  // If the indices have an empty axis, none is out of range. The alternative `size == 0` is omitted if it
  // implies `room` >= 0.
  Clause clause{AtLeast(dims, room, 0)};
  for (const Dim size : state_.type(indices.indices).shape.dims()) {
    if (!size.is_constant() && !is_at_least_zero(dims.Add(room, size)))
      clause.push_back(Equal(dims, size, 0));
  }
  const Dim data_size = state_.type(indices.data).shape[indices.axis];
  return context->Require(clause, [&] {
    return fmt::format("indices {} .. {} are not all inside axis {} of data, which has {} elements",
                       dims.ToString(indices.extremes.least), dims.ToString(indices.extremes.greatest),
                       indices.axis, dims.ToString(data_size));
  });
}

}  // namespace dimwise
