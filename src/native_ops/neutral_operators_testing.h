// The operator set onnx with every name replaced: set, operators, operands, results, attributes, regions and
// all other names in its rules. Programs must get the same results as with ONNX's names, because only the
// declarations matter.
#ifndef DIMWISE_NATIVE_OPS_NEUTRAL_OPERATORS_TESTING_H_
#define DIMWISE_NATIVE_OPS_NEUTRAL_OPERATORS_TESTING_H_

#include <string>
#include <string_view>

#include "dimwise/op_registry.h"

namespace dimwise {

// Returns the registry of the renamed operators and all built-in operators.
const OpRegistry& NeutralRegistry();

// Returns a text program with the renamed operators in place of ONNX's.
std::string NeutralProgram(std::string_view program);

// Returns a text with ONNX's names in place of the new names.
std::string WithOnnxNames(std::string text);

}  // namespace dimwise

#endif  // DIMWISE_NATIVE_OPS_NEUTRAL_OPERATORS_TESTING_H_
