// The memory schedule of a program: which bytes become live and die at each node.
//
// Nodes run in program order. A value is live from its node (an input from the start) to its last use; an
// output is live to the end. While a node with regions runs, the values inside one of its regions are live
// too. Nodes with unused results do not run.
#ifndef DIMWISE_INFER_PROGRAM_MEMORY_SCHEDULE_H_
#define DIMWISE_INFER_PROGRAM_MEMORY_SCHEDULE_H_

#include <functional>
#include <vector>

#include "dimwise/inference.h"

namespace dimwise {

// First `begins` become live, then `ends` die. A byte size may be listed several times.
struct MemoryStep {
  NodeId node = kNoNode;  // kNoNode: the start of the program
  std::vector<Dim> begins, ends;
};

// `bytes_of` returns the bytes of an input or result, or none if it does not count. The steps of a region are
// inserted at the node with the region, and each region leaves the live bytes as they were.
std::vector<MemoryStep> MemoryScheduleOf(const Inference& inference,
                                         const std::function<Dim(ValueId)>& bytes_of);

}  // namespace dimwise

#endif  // DIMWISE_INFER_PROGRAM_MEMORY_SCHEDULE_H_
