// The rules that are part of Dimwise.
#ifndef DIMWISE_INFER_OPERATORS_BUILTIN_RULES_LIBRARY_H_
#define DIMWISE_INFER_OPERATORS_BUILTIN_RULES_LIBRARY_H_

#include "rules/compile/rule_index.h"

namespace dimwise {

// Returns all built-in rules. Each is parsed on first use. A test ensures that they load without errors.
const rules::RuleIndex& BuiltinRules();

}  // namespace dimwise

#endif  // DIMWISE_INFER_OPERATORS_BUILTIN_RULES_LIBRARY_H_
