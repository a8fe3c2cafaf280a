// Tests of whole programs in the text form: what is found of each value, what is wrong, and what is left to
// check.
#ifndef DIMWISE_INFER_ENGINE_INFERENCE_TESTING_H_
#define DIMWISE_INFER_ENGINE_INFERENCE_TESTING_H_

#include <string>
#include <string_view>

#include "dimwise/builtin.h"
#include "dimwise/inference.h"

namespace dimwise {

// Infers the program and writes a line for each value that a node makes, `y: f32[N, 4]`, those of regions
// indented by their node; then `error: ...`, `warning: ...`, `check: ...` and, for symbols of ours, `u1 in 0
// .. N`. With the built-in registry, the output must be the same with other names of operators.
std::string InferText(std::string_view program, InferenceOptions options = {},
                      const OpRegistry& registry = BuiltinRegistry());

// Of that the line of one value and, behind semicolons, the first line of `u1 in`, `check:`, `warning:` and
// `error:`.
std::string FoundOf(std::string_view program, std::string_view value);

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_INFERENCE_TESTING_H_
