// A Site denotes the place where a rule is applied: the analysis around it, its facts, and what becomes of
// what the rule says. The inference context is one; a question without a report is another. With concrete
// sizes a rule needs none.
#ifndef DIMWISE_RULES_EVALUATE_SITE_H_
#define DIMWISE_RULES_EVALUATE_SITE_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/function_ref.h"
#include "dimwise/analysis.h"
#include "dimwise/result.h"

namespace dimwise::rules {

// The words of an error, made only when someone is to read them.
using Words = FunctionRef<std::string()>;

class Site {
 public:
  virtual ~Site() = default;
  virtual Analysis& analysis() = 0;
  // An unknown integer that belongs to this place; the same role is the same unknown.
  virtual Dim Fresh(uint32_t role, int64_t min, int64_t max) = 0;
  virtual Shape FreshShape(uint32_t role, int min_rank, int max_rank) = 0;
  // What the facts say.
  virtual Truth Ask(const Literal& literal, Trust trust) = 0;
  virtual Truth Ask(const Clause& clause, Trust trust) = 0;
  // Whoever is trusted: yes and no are so with and without the checks of other nodes, and with `as_given`
  // also without what is only assumed. So requiring what holds would leave nothing behind.
  Truth AskStrictly(const Literal& literal, bool as_given) {
    const Truth truth = Ask(literal, Trust::kEverything);
    if (truth == Truth::kMaybe) return truth;
    if (analysis().facts().has_checked() && Ask(literal, Trust::kWithoutChecked) != truth)
      return Truth::kMaybe;
    return as_given && Ask(literal, Trust::kWithoutAssumed) != truth ? Truth::kMaybe : truth;
  }
  // Must hold: an error, a check, or nothing.
  virtual Status Require(const Condition& condition, Words words, Code code) = 0;
  // Holds.
  virtual void Ensure(const Condition& condition) = 0;
  // What the region of that name gives for operands of these types; nothing where that cannot be known.
  virtual Result<std::optional<std::vector<Type>>> InferRegion(std::string_view, std::span<const Type>) {
    return std::optional<std::vector<Type>>();
  }
  // Where a rule can go on only with a number: the number that d is, if the site holds to one; else d.
  virtual Dim Pin(Dim d) { return d; }
  // Whether d is a number, whichever it is.
  virtual bool IsNumber(Dim d) { return d.is_constant(); }
  // Whether an expression stands for a number here, of which every question is answered.
  virtual bool StandsForNumber(Dim) { return false; }
  // The rule leaves something undecided that no condition says.
  virtual void LeaveOpen() {}
};

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_EVALUATE_SITE_H_
