// Follows a size into regions and out of them. A result of a branch or loop comes from the results of its
// regions. An input of a loop body comes from the operands of the loop.
#ifndef DIMWISE_REPORT_EXPLAIN_REGION_ORIGIN_H_
#define DIMWISE_REPORT_EXPLAIN_REGION_ORIGIN_H_

#include <optional>
#include <vector>

#include "report/explain/size_origin.h"

namespace dimwise {

// Returns the positions from which a result of a branch, loop or scan has its size: in the taken branch, or
// in both branches. If a loop does not change the size, returns the position in the operand. Returns nothing
// if the origin is unknown, and for other nodes. REQUIRES: a node computes the value.
std::vector<SizeLocation> LocationsInRegions(const ModelReport& report, const SizeLocation& location);

// Returns the position from which an input of a region has its initial size.
std::optional<SizeLocation> LocationOutside(const ModelReport& report, const SizeLocation& location);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_EXPLAIN_REGION_ORIGIN_H_
