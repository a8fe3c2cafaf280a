// The functions that the rules of an operator set share (src/ops/<set>/prelude.shape), for rules that are
// loaded later.
#ifndef DIMWISE_OPS_RULE_PRELUDES_H_
#define DIMWISE_OPS_RULE_PRELUDES_H_

#include <string_view>

#include "rules/compile/library.h"

namespace dimwise {

void LoadPreludes(rules::RuleLibrary* library);

// Returns whether a text is one of the preludes.
bool IsPrelude(std::string_view text);

}  // namespace dimwise

#endif  // DIMWISE_OPS_RULE_PRELUDES_H_
