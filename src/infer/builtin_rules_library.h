// The library of the rules that ship with Dimwise, loaded once.
#ifndef DIMWISE_INFER_BUILTIN_RULES_LIBRARY_H_
#define DIMWISE_INFER_BUILTIN_RULES_LIBRARY_H_

#include "rules/library.h"

namespace dimwise {

// All built-in rules; they load without a mistake, which a test holds them to.
const rules::RuleLibrary& BuiltinRules();

}  // namespace dimwise

#endif  // DIMWISE_INFER_BUILTIN_RULES_LIBRARY_H_
