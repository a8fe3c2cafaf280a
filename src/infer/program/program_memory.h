// Computes the bytes of the values of a program, and the largest sum of bytes of live values.
//
// Nodes run in program order. A value is live from its node (an input from the start) to its last use; an
// output is live to the end. While a node with regions runs, the values inside one of its regions are live
// too. Weights and temporary memory of nodes are not counted; a Reshape counts as a copy. Nodes with unused
// results do not run.
#ifndef DIMWISE_INFER_PROGRAM_PROGRAM_MEMORY_H_
#define DIMWISE_INFER_PROGRAM_PROGRAM_MEMORY_H_

#include <functional>
#include <string>
#include <vector>

#include "dimwise/inference.h"

namespace dimwise {

// Returns the bytes of a tensor. Returns none if its rank or element type is unknown, or its elements have no
// fixed size.
Dim BytesOf(DimTable& dims, const Type& type);

struct PeakCandidate {
  Dim bytes;
  std::string text;  // the text of the bytes
  NodeId node = kNoNode;
};

struct MemoryPeak {
  // The peak is the maximum of these. A candidate is omitted if another one is proved to be at least as
  // large.
  std::vector<PeakCandidate> candidates;
  size_t not_counted = 0;  // values whose bytes are unknown, or unknown outside their region
};

// `type_of` returns the types to count. `is_known` returns whether an expression is known in the model
// outside all regions.
MemoryPeak PeakOf(const Inference& inference, const std::function<Type(ValueId)>& type_of,
                  const std::function<bool(Dim)>& is_known);

}  // namespace dimwise

#endif  // DIMWISE_INFER_PROGRAM_PROGRAM_MEMORY_H_
