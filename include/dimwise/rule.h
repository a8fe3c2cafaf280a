// A RuleSet denotes operators declared in the rule language (docs/rules.md). A RuleCall binds a rule to a
// node's attributes for use at run time.
//
//   RuleSet rules;
//   std::vector<Diagnostic> mistakes =
//       rules.Define("set my\nop Double(X: T[...s]) -> (Y: T[...[2*d for d in s]])", "my.shape");
//   RuleCall call(*rules.Find("my.Double"), {}, 1);
//   const int64_t sizes[] = {2, 3};
//   const RunTimeOperand operands[] = {{.shape = sizes}};
//   Status s = call.Evaluate(operands);  // call.result(0) is [4, 6]
//
// Evaluate works on numbers only, without facts. From the second call with operands of one kind (equal ranks,
// equal broadcasting) on, it runs a trace of integer instructions and does not allocate.
//
// Thread safety: a RuleSet is built by one thread; after that, many threads may read it. A RuleCall is used
// by one thread at a time.
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

  // Adds the rules of a text, and returns its errors. If there is an error, nothing is added. Functions of a
  // text are visible to later texts.
  std::vector<Diagnostic> Define(std::string_view text, std::string_view file_name);

  // Returns the rule "set.Name" that is valid in the version, or null.
  const rules::Rule* Find(std::string_view full_name, int version = INT32_MAX) const;
  std::vector<std::string> Names() const;  // sorted, without duplicates

  rules::RuleLibrary& library() { return *library_; }
  const rules::RuleLibrary& library() const { return *library_; }

 private:
  std::unique_ptr<rules::RuleLibrary> library_;
};

// An operand at run time: its sizes, and its contents if the operator reads them (the shape of a Reshape).
struct RunTimeOperand {
  std::span<const int64_t> shape;
  std::span<const int64_t> contents{};  // in row-major order; empty if not needed
  bool given = true;
};

class DIMWISE_API RuleCall {
 public:
  // Reads the attributes, which need not outlive the constructor. `version` is the version of the operator
  // set.
  RuleCall(const rules::Rule& rule, const AttrMap& attrs, size_t num_results, int version = INT32_MAX);
  ~RuleCall();
  RuleCall(RuleCall&&) noexcept;
  RuleCall& operator=(RuleCall&&) noexcept;

  // Computes the sizes of the results, or returns why the operands are invalid.
  Status Evaluate(std::span<const RunTimeOperand> operands);
  // Returns whether Evaluate would succeed, without building messages. Returns kMaybe if the answer depends
  // on more than the sizes and given contents.
  Truth IsValid(std::span<const RunTimeOperand> operands);
  // Returns the sizes of a result; a data-dependent size is -1. Valid until the next Evaluate. REQUIRES:
  // Evaluate succeeded.
  std::span<const int64_t> result(size_t i) const;
  // Returns whether the rank of a result is known.
  bool has_rank(size_t i) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dimwise

#endif  // DIMWISE_RULE_H_
