// A RuleSet denotes operators declared in the rule language (docs/rules.md); a RuleCall is one of them bound
// to a node's attributes, for the run time.
//
//   RuleSet rules;
//   std::vector<Diagnostic> mistakes =
//       rules.Define("set my\nop Double(X: T[...s]) -> (Y: T[...[2*d for d in s]])", "my.shape");
//   RuleCall call(*rules.Find("my.Double"), {}, 1);
//   const int64_t sizes[] = {2, 3};
//   const RunTimeOperand operands[] = {{.shape = sizes}};
//   Status s = call.Evaluate(operands);  // call.result(0) is [4, 6]
//
// Evaluate works on numbers only: no facts, and no allocation once operands of that kind (the same ranks,
// broadcast the same way) have come twice. From then on it is a short list of integer instructions.
//
// Thread safety: a RuleSet is built by one thread and then may be read by many. A RuleCall is used by one
// thread at a time; make one for each.
#ifndef DIMWISE_RULE_H_
#define DIMWISE_RULE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/attr_value.h"
#include "dimwise/condition.h"
#include "dimwise/export.h"
#include "dimwise/result.h"

namespace dimwise {

namespace rules {
struct Rule;
class RuleLibrary;
}  // namespace rules

class DIMWISE_API RuleSet {
 public:
  RuleSet();
  ~RuleSet();
  RuleSet(RuleSet&&) noexcept;
  RuleSet& operator=(RuleSet&&) noexcept;

  // Adds the rules of a text: all its mistakes, and nothing of it where there is one. The functions of a text
  // are visible to those that come after it.
  std::vector<Diagnostic> Define(std::string_view text, std::string_view file_name);

  // The rule "set.Name" that serves the version, or null.
  const rules::Rule* Find(std::string_view full_name, int version = INT32_MAX) const;
  std::vector<std::string> Names() const;  // sorted, each once

  rules::RuleLibrary& library() { return *library_; }
  const rules::RuleLibrary& library() const { return *library_; }

 private:
  std::unique_ptr<rules::RuleLibrary> library_;
};

// An operand at run time: its sizes, and its contents where the operator reads them (the shape of a Reshape).
struct RunTimeOperand {
  std::span<const int64_t> shape;
  std::span<const int64_t> contents{};  // row by row; empty where they are not needed
  bool given = true;
};

class DIMWISE_API RuleCall {
 public:
  // The attributes are read here and need not live longer. `version` is that of the operator set.
  RuleCall(const rules::Rule& rule, const AttrMap& attrs, size_t num_results, int version = INT32_MAX);
  ~RuleCall();
  RuleCall(RuleCall&&) noexcept;
  RuleCall& operator=(RuleCall&&) noexcept;

  // The sizes of the results for these operands, or why there are none.
  Status Evaluate(std::span<const RunTimeOperand> operands);
  // Whether Evaluate would succeed, for who asks often and wants no words: kMaybe where that depends on more
  // than sizes and the contents that are given.
  Truth IsValid(std::span<const RunTimeOperand> operands);
  // REQUIRES: Evaluate succeeded. A size that depends on data is -1. Valid until the next Evaluate.
  std::span<const int64_t> result(size_t i) const;
  // Whether the rank of a result is known.
  bool has_rank(size_t i) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dimwise

#endif  // DIMWISE_RULE_H_
