// The uses of one rule held against each other on one sample.
//
// What the rule infers where every size, rank, element type and content is a number is the measure. Against
// it are held: the run time (RuleCall); inference from what the sample tells, which may be symbols or
// nothing, with its results, bounds, contents, checks and facts; inference from the results back to the
// operands; and the questions whether all this would succeed. Sizes that the rule says not to speak of
// (`assume`) are left out.
#ifndef DIMWISE_INFER_DRIVER_RULE_DRIVER_COMPARE_H_
#define DIMWISE_INFER_DRIVER_RULE_DRIVER_COMPARE_H_

#include <optional>
#include <string>

#include "dimwise/op_def.h"
#include "infer/driver/rule_driver_sample.h"
#include "rules/compile/library.h"

namespace dimwise {

enum class DisagreementKind : uint8_t {
  kRunTime,         // the run time and inference, both from numbers
  kForms,           // two forms take the same operands
  kResult,          // a result is not what the numbers make it
  kContents,        // contents of a result are not
  kElementType,     // the element type of a result is not
  kRefused,         // an error for all sizes, though these are accepted
  kCheckTooStrong,  // a check fails on numbers that are accepted
  kCheckTooWeak,    // all checks hold on numbers that are refused
  kFact,            // what inference learned is false of the numbers
  kBackward,        // the results teach what is false of the operands
  kQuestion,        // "would it be valid?" is answered other than by a run
};

// "a check is too strong".
std::string_view ToString(DisagreementKind kind);

struct Disagreement {
  DisagreementKind kind;
  std::string finding;  // for the rule's author
};

struct Comparison {
  bool accepted = false;  // the rule takes these numbers
  bool skipped = false;   // the sample cannot be told
  std::optional<Disagreement> disagreement;
};

Comparison Compare(const rules::Rule& rule, const OpDef& def, const Sample& sample);
// Only what the results teach of the operands.
std::optional<Disagreement> CompareOnlyBackward(const rules::Rule& rule, const OpDef& def,
                                                const Sample& sample);

}  // namespace dimwise

#endif  // DIMWISE_INFER_DRIVER_RULE_DRIVER_COMPARE_H_
