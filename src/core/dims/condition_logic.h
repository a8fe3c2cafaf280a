// Conjunction, disjunction and negation of conditions in conjunctive normal form. The result is nullopt if it
// would have too many clauses.
#ifndef DIMWISE_CORE_DIMS_CONDITION_LOGIC_H_
#define DIMWISE_CORE_DIMS_CONDITION_LOGIC_H_

#include <optional>

#include "core/dims/limits.h"
#include "dimwise/condition.h"

namespace dimwise {

std::optional<Condition> EitherOf(const Condition& a, const Condition& b);
std::optional<Condition> NotOf(DimTable& table, const Condition& a);

// Returns whether `from` implies `what`, as far as this follows without facts.
bool IsImpliedBy(DimTable& table, const Literal& what, const Literal& from);

// Returns whether a literal with this constant value holds.
constexpr bool IsTrueFor(Relation relation, int64_t value) {
  return relation == Relation::kEqual      ? value == 0
         : relation == Relation::kNotEqual ? value != 0
                                           : value >= 0;
}

inline constexpr Literal kTrueLiteral{Dim(0), Relation::kEqual};
inline constexpr Literal kFalseLiteral{Dim(1), Relation::kEqual};

// Returns the condition that holds for no sizes.
inline Condition Never() { return Condition{{Clause{kFalseLiteral}}}; }
inline bool IsNever(const Clause& clause) { return clause.size() == 1 && clause[0] == kFalseLiteral; }
inline bool IsNever(const Condition& condition) {
  return condition.clauses.size() == 1 && IsNever(condition.clauses[0]);
}

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_CONDITION_LOGIC_H_
