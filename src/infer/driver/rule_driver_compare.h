// Compares the uses of a rule with each other on one sample.
//
// The reference is inference with numbers for every size, rank, element type and element. It is compared
// with:
// - the run time (RuleCall);
// - inference from the sample, which may contain symbols and unknowns, with its results, bounds, contents,
//   guards and facts;
// - inference from the results back to the operands;
// - the query whether inference would succeed.
//
// Sizes excluded by an assumption of the rule (`assume`) are left out.
#ifndef DIMWISE_INFER_DRIVER_RULE_DRIVER_COMPARE_H_
#define DIMWISE_INFER_DRIVER_RULE_DRIVER_COMPARE_H_

#include <optional>
#include <string>

#include "dimwise/op_def.h"
#include "infer/driver/rule_driver_sample.h"
#include "rules/compile/library.h"

namespace dimwise {

enum class DisagreementKind : uint8_t {
  kRunTime,         // the run time and inference disagree on numbers
  kForms,           // two cases accept the same operands
  kResult,          // a result differs from the reference
  kContents,        // contents of a result differ
  kElementType,     // the element type of a result differs
  kRefused,         // an error for all sizes, but the numbers are accepted
  kGuardTooStrong,  // a guard fails on accepted numbers
  kGuardTooWeak,    // all guards hold on rejected numbers
  kFact,            // an inferred fact is false for the numbers
  kBackward,        // the results imply a fact that is false for the operands
  kQuery,           // the query "would it succeed?" returns the wrong answer
};

// Returns a description such as "a guard is too strong".
std::string_view ToString(DisagreementKind kind);

struct Disagreement {
  DisagreementKind kind;
  std::string finding;  // the text for the author of the rule
};

struct Comparison {
  bool accepted = false;  // the rule accepts these numbers
  bool skipped = false;   // the sample has no valid form for inference
  std::optional<Disagreement> disagreement;
};

Comparison Compare(const rules::Rule& rule, const OpDef& def, const Sample& sample);
// Compares only what the results imply about the operands.
std::optional<Disagreement> CompareOnlyBackward(const rules::Rule& rule, const OpDef& def,
                                                const Sample& sample);

}  // namespace dimwise

#endif  // DIMWISE_INFER_DRIVER_RULE_DRIVER_COMPARE_H_
