// The driver of rules evaluates an operator on many sample operands and compares all uses of its rule with
// each other (rule_driver_compare.h). If two uses disagree, it searches for the smallest sample on which they
// do.
//
// `dimwise test` and the tests of the built-in rules run it. It cannot find a rule that is wrong in the same
// way in all its uses; only examples show such mistakes.
#ifndef DIMWISE_INFER_DRIVER_RULE_DRIVER_H_
#define DIMWISE_INFER_DRIVER_RULE_DRIVER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "infer/driver/rule_driver_compare.h"
#include "infer/operators/rule_examples.h"
#include "rules/compile/library.h"

namespace dimwise {

struct DriverOptions {
  int samples = 200;  // per rule
  uint64_t seed = 1;
};

struct DriverFailure {
  Sample sample;
  Disagreement disagreement;
};

struct RuleReport {
  const rules::Rule* rule = nullptr;
  std::vector<ExampleOutcome> examples;
  int samples = 0;
  int accepted = 0;                     // samples whose numbers the rule accepts
  int disagreed = 0;                    // samples on which two uses disagree
  std::vector<DriverFailure> failures;  // the smallest of each kind

  int wrong_examples() const;
  bool ok() const { return failures.empty() && wrong_examples() == 0; }
};

RuleReport DriveRule(const rules::Rule& rule, const DriverOptions& options);

// Returns the smallest sample found that disagrees in the same way.
DriverFailure Shrink(const rules::Rule& rule, const OpDef& def, DriverFailure failure);

// TableOf returns a line per rule with the number of samples. FailuresOf describes the failures of a rule:
//
//   rule       examples  samples  accepted  refused  disagree
//   my.Double         2      200       160       40         0
std::string TableOf(const std::vector<RuleReport>& reports);
std::string FailuresOf(const RuleReport& report);

}  // namespace dimwise

#endif  // DIMWISE_INFER_DRIVER_RULE_DRIVER_H_
