// Where contents that shapes need could no longer be told before the program runs.
#ifndef DIMWISE_REPORT_EXPLAIN_UNKNOWN_ORIGIN_H_
#define DIMWISE_REPORT_EXPLAIN_UNKNOWN_ORIGIN_H_

#include <vector>

#include "report/models/model_report.h"

namespace dimwise {

struct UnknownOrigin {
  std::vector<NodeId> through;  // nodes that hand on what they were not told, the last of them first
  ValueId value;                // what they hand on: of an input, or made of what is known or large
};

// Whether a value is one whose contents might decide shapes, a few numbers, and some of them are not known.
bool IsUnknownNumbers(const ModelReport& report, ValueId value);

// REQUIRES: IsUnknownNumbers(report, value).
UnknownOrigin OriginOfUnknown(const ModelReport& report, ValueId value);

// The same of ranks: the first value on the way back that has none though all that it is made of have one.
// REQUIRES: `value` has no rank.
UnknownOrigin OriginOfNoRank(const ModelReport& report, ValueId value);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_EXPLAIN_UNKNOWN_ORIGIN_H_
