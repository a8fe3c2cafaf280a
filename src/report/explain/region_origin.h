// The way of a size into sub-graphs and out of them: what a branch or a loop gives comes from what its
// sub-graph gives, and what a loop's sub-graph is given comes from the operands of the loop.
#ifndef DIMWISE_REPORT_EXPLAIN_REGION_ORIGIN_H_
#define DIMWISE_REPORT_EXPLAIN_REGION_ORIGIN_H_

#include <optional>
#include <vector>

#include "report/explain/size_origin.h"

namespace dimwise {

// Where a result of an If, a Loop or a Scan has its size from: in the branch that is taken, or in either of
// them; where a loop leaves a size as it is, in its operand. Empty where that is not known, and for other
// nodes. REQUIRES: a node makes the value.
std::vector<SizePlace> PlacesInRegions(const ModelReport& report, const SizePlace& place);

// Where an input of a sub-graph has its size from at first.
std::optional<SizePlace> PlaceOutside(const ModelReport& report, const SizePlace& place);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_EXPLAIN_REGION_ORIGIN_H_
