// A Recording denotes what a rule does for operands of given ranks, as a straight line of integer instructions.
//
// It is found by applying the rule once with a symbol for every size and every integer of the contents, at a Site that
// knows their numbers. Whatever the rule asks is answered by the numbers, and the answer is kept as a guard. As long as
// the guards hold for other numbers, the rule goes the same way, so the same expressions are its results; and since
// they are in normal form, less is computed than the rule says. Where the rule needs a size that only data decides, or
// leaves a question open, nothing is recorded.
#ifndef DIMWISE_RULES_RECORDING_H_
#define DIMWISE_RULES_RECORDING_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dimwise/rule.h"
#include "rules/evaluator.h"
#include "rules/straight_line.h"

namespace dimwise::rules {

class Recording {
 public:
  // Records the application whose operands are these; nothing where it fails or cannot be recorded.
  static std::optional<Recording> Make(const RuleCode& code, const Application& application,
                                       std::span<const RunTimeOperand> operands, Evaluator* evaluator);

  // Whether it is for operands of these ranks and numbers, which it then computes with.
  bool Run(std::span<const RunTimeOperand> operands);
  // REQUIRES: Run succeeded. Appends the sizes of all results to `sizes`, and where each begins and its rank to
  // `results`.
  void Results(std::vector<int64_t>* sizes, std::vector<std::pair<size_t, int>>* results) const;

 private:
  struct Form {
    size_t rank, contents;
    bool given;
  };
  std::vector<Form> forms_;                                            // of the operands
  StraightLine line_;
  std::vector<std::optional<std::vector<StraightLine::Register>>> results_;  // none: its rank is not known
};

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_RECORDING_H_
