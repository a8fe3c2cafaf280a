// The examples of a rule: lines that show it at work, and are tests of it.
//
//   example "f32[N, 3]; f32[3, 4] -> f32[N, 4]"
//   example "f32[N, 3, H, W]; f32[64, 3, 7, 7]; strides=2,2; pads=3,3,3,3 -> f32[N, 64, (H + 1)//2, (W +
//   1)//2]" example "f32[N, 3]; i64[2]={3, -1} -> f32[3, N]" example "f32[N]; f32[M] -> f32[broadcast(N, M)]
//   if N == M or N == 1 or M == 1" example "f32[2]; f32[3] -> error: Add cannot broadcast 3 with 2"
//
// Operands and attributes are as at `dimwise op`; `none` is an operand that is not given. After the arrow
// come the results with their contents where they are known, then the checks after `if`, joined by `; `; or
// the message of the error. `version=13` asks for a version.
#ifndef DIMWISE_INFER_OPERATORS_RULE_EXAMPLES_H_
#define DIMWISE_INFER_OPERATORS_RULE_EXAMPLES_H_

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "infer/context/op_call.h"
#include "rules/compile/library.h"

namespace dimwise {

// What stands before the arrow.
struct ExampleCall {
  std::vector<OpOperand> operands;
  AttrMap attrs;
  int version = 0;                           // 0: the newest that the rule serves
  int results = 0;                           // how many the node has
  std::deque<std::vector<std::byte>> bytes;  // what contents are views of
};

// Reads it with handles of `analysis`, which it must outlive.
Result<ExampleCall> ParseExampleCall(Analysis& analysis, const rules::Rule& rule, std::string_view call);

// The example lines of a rule and of its template.
std::vector<std::string_view> ExamplesOf(const rules::Rule& rule);

struct ExampleOutcome {
  std::string example;   // as written
  std::string expected;  // what stands after the arrow, in normal spelling
  std::string found;
  bool ok() const { return expected == found; }
};

// Runs one line against a rule: what stands before the arrow, answered.
std::string AnswerExample(const rules::Rule& rule, std::string_view call);

std::vector<ExampleOutcome> RunExamples(const rules::Rule& rule);

}  // namespace dimwise

#endif  // DIMWISE_INFER_OPERATORS_RULE_EXAMPLES_H_
