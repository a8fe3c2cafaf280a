// Tests of operators as tables: a line for each case, with everything that comes out of it as text.
//
//   {"onnx.MatMul", "f32[N, 3]; f32[3, M]", "", "f32[N, M]"},
//   {"onnx.Add", "f32[N]; f32[M]", "", "f32[broadcast(N, M)]\ncheck: N == M or N == 1 or M == 1"},
//   {"onnx.Squeeze@11", "f32[1, 3]", "axes=0", "f32[3]"},
//
// Operator: its name, with `@13` the version. Operands: types as ParseType reads them, separated by `;`; `-`
// is one that is not given; `={N, -1}` behind a type are contents (`?` is an integer that is not known); `->
// 3` at the end asks for that many results. Attributes: `name=value` separated by spaces. Assumed: a
// condition that is given.
//
// Text: the results, separated by `;`, with contents where they are known, and the ranks that an unknown
// shape may have; then a line for each check, and for each unknown size in the results that is bounded by an
// expression. Or the error, with its code, and a line for each note.
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

// What comes out of a case.
struct OpOutcome {
  std::unique_ptr<Analysis> analysis;  // of the handles below
  Status status;
  std::vector<Type> outputs;
  std::vector<Value> contents;
  std::vector<Guard> guards;
};
OpOutcome RunOpCase(const OpCase& op_case, const OpRegistry& registry);
std::string ToText(const OpOutcome& outcome);
// Holds each case, run against the built-in operators, to what it expects.
void ExpectOpCases(std::span<const OpCase> cases);

}  // namespace dimwise

#endif  // DIMWISE_NATIVE_OPS_OP_TABLE_TESTING_H_
