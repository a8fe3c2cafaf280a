// The driver of rules: it creates an operator from many sample operands and compares all uses of its rule
// with each other (rule_driver_compare.h). Where two disagree, it looks for the smallest sample on which they
// do.
//
// It is what `dimwise test` runs, and the tests of the built-in rules. What it cannot find is a rule that is
// wrong in the same way in all its uses; that is what examples are for.
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
  int samples = 200;  // for each rule
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
  int accepted = 0;                     // samples whose numbers the rule takes
  int disagreed = 0;                    // samples on which two uses disagree
  std::vector<DriverFailure> failures;  // the smallest of each kind

  int wrong_examples() const;
  bool ok() const { return failures.empty() && wrong_examples() == 0; }
};

RuleReport DriveRule(const rules::Rule& rule, const DriverOptions& options);

// The smallest sample found by making this one smaller that disagrees in the same way.
DriverFailure Shrink(const rules::Rule& rule, const OpDef& def, DriverFailure failure);

// A line for each rule, with what it was tried on; and what is wrong with a rule, for its author:
//
//   rule       examples  samples  accepted  refused  disagree
//   my.Double         2      200       160       40         0
std::string TableOf(const std::vector<RuleReport>& reports);
std::string FailuresOf(const RuleReport& report);

}  // namespace dimwise

#endif  // DIMWISE_INFER_DRIVER_RULE_DRIVER_H_
