// The rules that ship with Dimwise.
#ifndef DIMWISE_INFER_OPERATORS_BUILTIN_RULES_LIBRARY_H_
#define DIMWISE_INFER_OPERATORS_BUILTIN_RULES_LIBRARY_H_

#include "rules/compile/rule_index.h"

namespace dimwise {

// All built-in rules, each read when it is first asked for; they load without a mistake, which a test holds
// them to.
const rules::RuleIndex& BuiltinRules();

}  // namespace dimwise

#endif  // DIMWISE_INFER_OPERATORS_BUILTIN_RULES_LIBRARY_H_
