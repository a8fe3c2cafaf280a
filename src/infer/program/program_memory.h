// How many bytes the values of a program take, and how many of them are there at the same time.
//
// Nodes run in the order of the program. A value is there from the node that makes it (an input of the model,
// from the beginning) to the last node that uses it; an output to the end. While a node with regions runs, so
// are the values inside of one of them. Weights are not counted, nor is what nodes need for themselves; a
// Reshape counts as a copy. Nodes whose results nobody uses do not run.
#ifndef DIMWISE_INFER_PROGRAM_PROGRAM_MEMORY_H_
#define DIMWISE_INFER_PROGRAM_PROGRAM_MEMORY_H_

#include <functional>
#include <string>
#include <vector>

#include "dimwise/inference.h"

namespace dimwise {

// The bytes of a tensor; none where its rank or element type is not known, or its elements have no fixed
// size.
Dim BytesOf(DimTable& dims, const Type& type);

struct PeakCandidate {
  Dim bytes;
  std::string text;  // of the bytes
  NodeId node = kNoNode;
};

struct MemoryPeak {
  // The largest of these is the peak: what another is never above is left out, where that can be shown.
  std::vector<PeakCandidate> candidates;
  size_t not_counted = 0;  // values whose bytes are not known, or not outside of the region they are in
};

// `type_of` gives the types that count, and `is_known` says whether an expression is known to the model
// itself.
MemoryPeak PeakOf(const Inference& inference, const std::function<Type(ValueId)>& type_of,
                  const std::function<bool(Dim)>& is_known);

}  // namespace dimwise

#endif  // DIMWISE_INFER_PROGRAM_PROGRAM_MEMORY_H_
