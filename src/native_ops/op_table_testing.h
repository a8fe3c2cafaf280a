// Tests of operators as tables: each line is a case with its complete result as text.
//
//   {"onnx.MatMul", "f32[N, 3]; f32[3, M]", "", "f32[N, M]"},
//   {"onnx.Add", "f32[N]; f32[M]", "", "f32[broadcast(N, M)]\ncheck: N == M or N == 1 or M == 1"},
//   {"onnx.Squeeze@11", "f32[1, 3]", "axes=0", "f32[3]"},
//
// - op: the name of the operator, and its version after `@`.
// - operands: types in the form of ParseType, separated by `;`. `-` omits an operand. `={N, -1}` after a type
//   is its contents, in which `?` is an unknown integer. `-> 3` at the end requests three results.
// - attrs: `name=value`, separated by spaces.
// - expected: the results, separated by `;`, with known contents and the possible ranks of an unknown shape.
//   A line for each guard follows, and one for each unknown size with a symbolic upper bound. For an error:
//   its code and message, and a line for each note.
// - assumed: a given condition.
#ifndef DIMWISE_NATIVE_OPS_OP_TABLE_TESTING_H_
#define DIMWISE_NATIVE_OPS_OP_TABLE_TESTING_H_

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dimwise/inference_context.h"
#include "dimwise/op_registry.h"

namespace dimwise {

struct OpCase {
  const char* op;
  const char* operands;
  const char* attrs;
  const char* expected;
  const char* assumed = "";
};

// The result of a case.
struct OpOutcome {
  std::unique_ptr<Analysis> analysis;  // owns the handles below
  Status status;
  std::vector<Type> outputs;
  std::vector<Value> contents;
  std::vector<Guard> guards;
};
OpOutcome RunOpCase(const OpCase& op_case, const OpRegistry& registry);
std::string ToText(const OpOutcome& outcome);
// Expects that each case has its expected result with the built-in operators.
void ExpectOpCases(std::span<const OpCase> cases);

}  // namespace dimwise

#endif  // DIMWISE_NATIVE_OPS_OP_TABLE_TESTING_H_
