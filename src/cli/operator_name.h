// Looks up operators by the names that users type.
#ifndef DIMWISE_CLI_OPERATOR_NAME_H_
#define DIMWISE_CLI_OPERATOR_NAME_H_

#include <string>
#include <string_view>

#include "dimwise/op_registry.h"

namespace dimwise {

// Returns the full name of an operator. A name without its set is completed if exactly one set has an
// operator of this name; any other name is returned as it is.
std::string FullOperatorName(const OpRegistry& registry, std::string_view name);

// Finds an operator that a single call can infer. Returns an error, with the signature, for an operator that
// runs sub-graphs: a call does not contain them.
Result<const OpRegistrationData*> LookUpForCall(const OpRegistry& registry, std::string_view name,
                                                int version);

}  // namespace dimwise

#endif  // DIMWISE_CLI_OPERATOR_NAME_H_
