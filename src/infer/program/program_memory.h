// Computes the bytes of the values of a program, and the largest sum of bytes of live values.
//
// Weights and temporary memory of nodes are not counted; a Reshape counts as a copy. A weight is a constant
// of the graph, an input with a default, or the result of a node that holds a constant.
#ifndef DIMWISE_INFER_PROGRAM_PROGRAM_MEMORY_H_
#define DIMWISE_INFER_PROGRAM_PROGRAM_MEMORY_H_

#include <functional>
#include <string>
#include <vector>

#include "dimwise/inference.h"
#include "infer/program/memory_schedule.h"

namespace dimwise {

// Returns the bytes of a tensor. Returns none if its rank or element type is unknown, or its elements have no
// fixed size.
Dim BytesOf(DimTable& dims, const Type& type);

bool IsWeight(const Inference& inference, ValueId value);

struct PeakCandidate {
  Dim bytes;
  std::string text;  // the text of the bytes
  NodeId node = kNoNode;
};

struct MemoryPeak {
  static constexpr size_t kMaxCandidates = 8;  // more would be too long to read

  // The peak is the maximum of these. A candidate is omitted if another one is proved to be at least as
  // large. Empty if there are more than kMaxCandidates: then the peak follows from the schedule alone.
  std::vector<PeakCandidate> candidates;
  std::vector<MemoryStep> schedule;
  size_t not_counted = 0;  // values whose bytes are unknown, or unknown outside their region
  size_t step_count = 0;   // a measure of the work
};

// `type_of` returns the types to count. `is_known` returns whether an expression is known in the model
// outside all regions.
MemoryPeak PeakOf(const Inference& inference, const std::function<Type(ValueId)>& type_of,
                  const std::function<bool(Dim)>& is_known);

}  // namespace dimwise

#endif  // DIMWISE_INFER_PROGRAM_PROGRAM_MEMORY_H_
