// CountedIndices checks indices whose elements are unknown, but whose least and greatest element follow from
// the operators that computed them: positions up to a length, or rows of a mask. Both extremes must be inside
// the indexed axis, for example `seq + past <= 1024` for a table of positions.
#ifndef DIMWISE_INFER_ENGINE_ANALYSES_COUNTED_INDICES_H_
#define DIMWISE_INFER_ENGINE_ANALYSES_COUNTED_INDICES_H_

#include <vector>

#include "infer/engine/analyses/element_intervals.h"
#include "infer/engine/analyses/node_analysis.h"
#include "infer/engine/analyses/value_numbering.h"
#include "infer/engine/state/program_state.h"

namespace dimwise {

class CountedIndices : public NodeAnalysis {
 public:
  CountedIndices(const ProgramState& state, const ValueNumbering& numbering)
      : state_(state), graph_(state.graph), numbering_(numbering) {}

  bool LooksBeyondOperands(NodeId node) override { return !IndicesOf(node).empty(); }
  Status Refine(NodeId node, bool creates_symbols, InferenceContext* context) override;

 private:
  // Indices along one axis of data.
  struct AxisIndices {
    ValueId data = kNoValue, indices = kNoValue;
    int axis = 0;
    ElementExtremes extremes;
    bool negative = false;  // an index below 0 counts from the end
  };
  // Returns the indices of a node whose extremes are known.
  std::vector<AxisIndices> IndicesOf(NodeId node) const;
  void AddIndices(NodeId node, const IndexUse& use, std::vector<AxisIndices>* found) const;
  // Adds the indices of tuples whose first elements index the axis of `first`.
  void AddTuples(AxisIndices first, std::vector<AxisIndices>* found) const;
  // Requires that a difference is at least 0, unless there are no indices.
  Status RequireRoom(NodeId node, const AxisIndices& indices, Dim room, InferenceContext* context) const;

  const ProgramState& state_;
  const Graph& graph_;
  const ValueNumbering& numbering_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_ANALYSES_COUNTED_INDICES_H_
