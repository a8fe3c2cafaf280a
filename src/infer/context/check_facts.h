// Whether what is given of sizes can be so: from what cannot, anything would follow.
#ifndef DIMWISE_INFER_CONTEXT_CHECK_FACTS_H_
#define DIMWISE_INFER_CONTEXT_CHECK_FACTS_H_

#include <string_view>

#include "dimwise/analysis.h"
#include "dimwise/result.h"

namespace dimwise {

// An error that names what contradicts itself, or the two that contradict each other, and goes on as `one` or
// `two` say: "N >= 9 and N <= 4 cannot both hold".
Status CheckFacts(Analysis& analysis, std::string_view one, std::string_view two);

}  // namespace dimwise

#endif  // DIMWISE_INFER_CONTEXT_CHECK_FACTS_H_
