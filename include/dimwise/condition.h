// A Condition denotes a predicate on sizes: a conjunction of clauses. A clause is a disjunction of literals,
// and a literal compares an expression with 0.
//
//     N == M or N == 1 or M == 1        one clause of three literals
//     seq <= 4096 and seq % 8 == 0      two clauses of one literal
//     broadcastable(N, M, K)            one literal: all arguments other than 1 are equal
//
// Thread safety: values; their Dims belong to one DimTable.
#ifndef DIMWISE_CONDITION_H_
#define DIMWISE_CONDITION_H_

#include <span>
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

// A disjunction; the empty clause is false.
using Clause = std::vector<Literal>;

// A conjunction; the empty condition is true.
struct Condition {
  std::vector<Clause> clauses;
  bool operator==(const Condition&) const = default;
};

enum class Truth : uint8_t { kNo, kMaybe, kYes };

// Return literals for a == b, a != b, a >= b, a <= b, a < b, and the negation of a literal.
DIMWISE_API Literal Equal(DimTable& table, Dim a, Dim b);
DIMWISE_API Literal NotEqual(DimTable& table, Dim a, Dim b);
DIMWISE_API Literal AtLeast(DimTable& table, Dim a, Dim b);
DIMWISE_API Literal AtMost(DimTable& table, Dim a, Dim b);
DIMWISE_API Literal LessThan(DimTable& table, Dim a, Dim b);
DIMWISE_API Literal Not(DimTable& table, Literal literal);

// Returns the clause that all sizes other than 1 are equal: `N == M or N == 1 or M == 1` for two sizes, one
// literal for more. The sizes of a broadcast count one by one.
DIMWISE_API Clause Broadcastable(DimTable& table, std::span<const Dim> sizes);

// Returns the normal form of a literal. The gcd is divided out, and the constant of >= is rounded inwards.
// The sign of == and != is fixed, and max(0, N - 8) == 0 becomes N <= 8. A literal that is decided without
// facts becomes 0 == 0 or 1 == 0.
DIMWISE_API Literal Normalize(DimTable& table, Literal literal);
// Returns the clause with normalized literals in a structural order. False literals and literals that imply
// another one are removed. A clause with a true literal becomes the single literal 0 == 0.
DIMWISE_API Clause Normalize(DimTable& table, const Clause& clause);

// Return Python text: `N == M or N == 1`, `seq % 8 == 0`, `broadcastable(N, M, K)`.
DIMWISE_API std::string ToString(DimTable& table, const Literal& literal);
DIMWISE_API std::string ToString(DimTable& table, const Clause& clause);
DIMWISE_API std::string ToString(DimTable& table, const Condition& condition);

// Parses comparisons, also chained as in `1 <= N < 8`, and `broadcastable(N, M, ...)`, joined by `and`, `or`,
// `not` and parentheses. Commas at the outermost level mean `and`.
DIMWISE_API Result<Condition> ParseCondition(DimTable& table, std::string_view text);

}  // namespace dimwise

#endif  // DIMWISE_CONDITION_H_
