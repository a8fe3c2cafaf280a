// Tests of whole programs in the text form: the inferred types, the findings, and the guards.
#ifndef DIMWISE_INFER_ENGINE_INFERENCE_TESTING_H_
#define DIMWISE_INFER_ENGINE_INFERENCE_TESTING_H_

#include <string>
#include <string_view>

#include "dimwise/builtin.h"
#include "dimwise/inference.h"

namespace dimwise {

// Infers a program and returns a line for each value that a node computes, such as `y: f32[N, 4]`; values of
// regions are indented. Lines `error: ...`, `warning: ...`, `check: ...` and, for generated symbols, `u1 in 0
// .. N` follow. With the built-in registry, the result must be the same for an operator set with other names.
std::string InferText(std::string_view program, InferenceOptions options = {},
                      const OpRegistry& registry = BuiltinRegistry());

// Returns the line of one value in InferText, followed by the first `u1 in`, `check:`, `warning:` and
// `error:` lines, separated by semicolons.
std::string FoundOf(std::string_view program, std::string_view value);

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_INFERENCE_TESTING_H_
