// Follows a size into regions and out of them. A result of a branch or loop comes from the results of its
// regions. An input of a loop body comes from the operands of the loop.
#ifndef DIMWISE_REPORT_EXPLAIN_REGION_ORIGIN_H_
#define DIMWISE_REPORT_EXPLAIN_REGION_ORIGIN_H_

#include <optional>
#include <vector>

#include "report/explain/size_origin.h"

namespace dimwise {

// Returns where a result of an If, a Loop or a Scan has its size from: the taken branch, or both branches. If
// a loop does not change the size, it is that of the operand. Returns nothing if the origin is unknown, and
// for other nodes. REQUIRES: a node computes the value.
std::vector<SizeLocation> LocationsInRegions(const ModelReport& report, const SizeLocation& location);

// Returns where an input of a region has its initial size from.
std::optional<SizeLocation> LocationOutside(const ModelReport& report, const SizeLocation& location);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_EXPLAIN_REGION_ORIGIN_H_
