// A Condition denotes a yes or no about sizes: a conjunction of clauses, each of which is a disjunction of
// literals, each of which compares an expression with 0.
//
//     N == M or N == 1 or M == 1        one clause of three literals
//     seq <= 4096 and seq % 8 == 0      two clauses of one literal
//
// Thread safety: values; the Dims in them belong to one DimTable.
#ifndef DIMWISE_CONDITION_H_
#define DIMWISE_CONDITION_H_

#include <string>
#include <string_view>
#include <vector>

#include "dimwise/dim.h"

namespace dimwise {

enum class Relation : uint8_t { kEqual, kNotEqual, kAtLeast };

// `value` == 0, != 0 or >= 0.
struct Literal {
  Dim value;
  Relation relation = Relation::kEqual;
  bool operator==(const Literal&) const = default;
};

// One of these holds; none at all is false.
using Clause = std::vector<Literal>;

// All of these hold; none at all is true.
struct Condition {
  std::vector<Clause> clauses;
  bool operator==(const Condition&) const = default;
};

enum class Truth : uint8_t { kNo, kMaybe, kYes };

// Literals in words: a == b, a != b, a >= b, a > b, ...
DIMWISE_API Literal Equal(DimTable& table, Dim a, Dim b);
DIMWISE_API Literal NotEqual(DimTable& table, Dim a, Dim b);
DIMWISE_API Literal AtLeast(DimTable& table, Dim a, Dim b);
DIMWISE_API Literal AtMost(DimTable& table, Dim a, Dim b);
DIMWISE_API Literal LessThan(DimTable& table, Dim a, Dim b);
DIMWISE_API Literal Not(DimTable& table, Literal literal);

// The literal in its normal form: gcd divided out (with the constant of >= rounded inwards), the sign of ==
// and
// != fixed, max(0, N - 8) == 0 as N <= 8. What is decided without any fact becomes 0 == 0 or 1 == 0.
DIMWISE_API Literal Normalize(DimTable& table, Literal literal);
// The clause with its literals normal, sorted by what they say, without false ones and without those that
// imply another; a clause with a true literal is the single literal 0 == 0.
DIMWISE_API Clause Normalize(DimTable& table, const Clause& clause);

// Python: `N == M or N == 1`, `seq % 8 == 0`.
DIMWISE_API std::string ToString(DimTable& table, const Literal& literal);
DIMWISE_API std::string ToString(DimTable& table, const Clause& clause);
DIMWISE_API std::string ToString(DimTable& table, const Condition& condition);

// Reads comparisons (also chained: `1 <= N < 8`) joined by `and`, `or`, `not`, parentheses, and commas, which
// mean `and` at the outermost level.
DIMWISE_API Result<Condition> ParseCondition(DimTable& table, std::string_view text);

}  // namespace dimwise

#endif  // DIMWISE_CONDITION_H_
