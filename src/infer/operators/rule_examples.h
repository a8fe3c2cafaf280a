// The examples of a rule: lines that document the rule and are tests of it.
//
//   example "f32[N, 3]; f32[3, 4] -> f32[N, 4]"
//   example "f32[N, 3, H, W]; f32[64, 3, 7, 7]; strides=2,2; pads=3,3,3,3
//            -> f32[N, 64, (H + 1)//2, (W + 1)//2]"
//   example "f32[N, 3]; i64[2]={3, -1} -> f32[3, N]"
//   example "f32[N]; f32[M] -> f32[broadcast(N, M)] if N == M or N == 1 or M == 1"
//   example "f32[2]; f32[3] -> error: Add cannot broadcast 3 with 2"
//
// Operands and attributes are written as for `dimwise op`; `none` is an operand that is not given. After the
// arrow come the results, with known contents, and after `if` the guards, separated by `; `. For an error,
// its message follows the arrow. `version=13` selects a version.
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

// The part before the arrow.
struct ExampleCall {
  std::vector<OpOperand> operands;
  AttrMap attrs;
  int version = 0;                           // 0: the newest version for which the rule is valid
  int results = 0;                           // number of results of the node
  std::deque<std::vector<std::byte>> bytes;  // the memory that contents are views of
};

// Parses a call with handles of `analysis`. The result must outlive the analysis.
Result<ExampleCall> ParseExampleCall(Analysis& analysis, const rules::Rule& rule, std::string_view call);

// Returns the example lines of a rule and of its template.
std::vector<std::string_view> ExamplesOf(const rules::Rule& rule);

struct ExampleOutcome {
  std::string example;   // as written
  std::string expected;  // the part after the arrow, in normalized spelling
  std::string found;
  bool ok() const { return expected == found; }
};

// Applies a rule to the call before the arrow and prints the answer.
std::string AnswerExample(const rules::Rule& rule, std::string_view call);

std::vector<ExampleOutcome> RunExamples(const rules::Rule& rule);

}  // namespace dimwise

#endif  // DIMWISE_INFER_OPERATORS_RULE_EXAMPLES_H_
