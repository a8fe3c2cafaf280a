// Finds the first values with unknown contents, or of unknown rank.
#ifndef DIMWISE_REPORT_EXPLAIN_UNKNOWN_ORIGIN_H_
#define DIMWISE_REPORT_EXPLAIN_UNKNOWN_ORIGIN_H_

#include <vector>

#include "report/models/model_report.h"

namespace dimwise {

struct UnknownOrigin {
  std::vector<NodeId> through;  // nodes through which the contents pass, the last one first
  ValueId value;                // the origin: an input, or a result whose operands are known or large
};

// Returns whether a value has few elements that may decide shapes, and some of them are unknown.
bool IsUnknownNumbers(const ModelReport& report, ValueId value);

// REQUIRES: IsUnknownNumbers(report, value).
UnknownOrigin OriginOfUnknown(const ModelReport& report, ValueId value);

// Finds the first value on the way back that has no rank although all operands of its node have one.
// REQUIRES: `value` has no rank.
UnknownOrigin OriginOfNoRank(const ModelReport& report, ValueId value);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_EXPLAIN_UNKNOWN_ORIGIN_H_
