// The operators of the set onnx with all names replaced: set, operators, operands, results, attributes,
// regions and all other names of the rules. A program with these operators must get the same answers as with
// ONNX's, because only the declarations matter.
#ifndef DIMWISE_NATIVE_OPS_NEUTRAL_OPERATORS_TESTING_H_
#define DIMWISE_NATIVE_OPS_NEUTRAL_OPERATORS_TESTING_H_

#include <string>
#include <string_view>

#include "dimwise/op_registry.h"

namespace dimwise {

// Contains these operators, and all others of the library.
const OpRegistry& NeutralRegistry();

// Returns a program in the text form with these operators in place of ONNX's.
std::string NeutralProgram(std::string_view program);

// Returns an output with the names of ONNX in place of the other ones.
std::string WithOnnxNames(std::string text);

}  // namespace dimwise

#endif  // DIMWISE_NATIVE_OPS_NEUTRAL_OPERATORS_TESTING_H_
