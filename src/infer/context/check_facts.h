// Tests the given facts about sizes for contradictions. Anything would follow from contradictory facts.
#ifndef DIMWISE_INFER_CONTEXT_CHECK_FACTS_H_
#define DIMWISE_INFER_CONTEXT_CHECK_FACTS_H_

#include <string_view>

#include "dimwise/analysis.h"
#include "dimwise/result.h"

namespace dimwise {

// Returns an error that names the contradictory fact followed by `one`, or two contradictory facts followed
// by `two`: "N >= 9 and N <= 4 cannot both hold".
Status CheckFacts(Analysis& analysis, std::string_view one, std::string_view two);

}  // namespace dimwise

#endif  // DIMWISE_INFER_CONTEXT_CHECK_FACTS_H_
