// The host of a rule application: it provides the analysis and the facts, and receives requirements and
// facts. The inference context is a host; a query without side effects is another one. With constant sizes a
// rule needs no host.
#ifndef DIMWISE_RULES_EVALUATE_RULE_HOST_H_
#define DIMWISE_RULES_EVALUATE_RULE_HOST_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/function_ref.h"
#include "dimwise/analysis.h"
#include "dimwise/result.h"

namespace dimwise::rules {

// A function that builds the text of an error on demand.
using Words = FunctionRef<std::string()>;

class RuleHost {
 public:
  virtual ~RuleHost() = default;
  virtual Analysis& analysis() = 0;
  // Returns an unknown integer of this application; the same role gives the same unknown.
  virtual Dim Fresh(uint32_t role, int64_t min, int64_t max) = 0;
  virtual Shape FreshShape(uint32_t role, int min_rank, int max_rank) = 0;
  // Queries of the facts.
  virtual Truth Query(const Literal& literal, FactFilter filter) = 0;
  virtual Truth Query(const Clause& clause, FactFilter filter) = 0;
  // Returns an answer that needs no guards of other nodes and, with `as_given`, no assumed facts. A
  // requirement that holds in this sense leaves no guard.
  Truth QueryStrictly(const Literal& literal, bool as_given) {
    const Truth truth = Query(literal, FactFilter::kEverything);
    if (truth == Truth::kMaybe) return truth;
    if (analysis().facts().has_checked() && Query(literal, FactFilter::kWithoutChecked) != truth)
      return Truth::kMaybe;
    return as_given && Query(literal, FactFilter::kWithoutAssumed) != truth ? Truth::kMaybe : truth;
  }
  // Returns the simplest form of d that the facts prove without guards of other nodes.
  virtual Dim Simplify(Dim d) { return d; }
  // Requires a condition: adds an error, a guard, or nothing.
  virtual Status Require(const Condition& condition, Words words, Code code) = 0;
  // States a condition that holds.
  virtual void Ensure(const Condition& condition) = 0;
  // Returns the types of the results of a region for these operand types, or nullopt if they are unknown.
  virtual Result<std::optional<std::vector<Type>>> InferRegion(std::string_view, std::span<const Type>) {
    return std::optional<std::vector<Type>>();
  }
  // Returns the number that d equals, if the host fixes one, for a rule that can only continue with a
  // constant; else d.
  virtual Dim Pin(Dim d) { return d; }
  // Returns whether d is a constant, whatever its value.
  virtual bool IsNumber(Dim d) { return d.is_constant(); }
  // Returns whether an expression represents a constant, so that every query about it has an answer.
  virtual bool RepresentsNumber(Dim) { return false; }
  // Notes that the rule depends on an undecided condition that cannot be expressed over sizes.
  virtual void LeaveOpen() {}
};

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_EVALUATE_RULE_HOST_H_
