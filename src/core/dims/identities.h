// The identities of the algebra: every law by which expressions and conditions are rewritten, one per row.
//
// A row states: wherever `condition` holds, `pattern` equals `result` (for conditions: both are true or both
// are false). The section of the row names the function that rewrites the pattern to the result.
//
// Rows are written in the syntax of expressions (docs/sizes.md), with two kinds of variables:
// - c, d, k, m, n, r are integer constants. A part of the condition about constants only is tested before the
//   row is applied.
// - p, q, t, x, y, z are expressions. A part of the condition about expressions is a fact that must be
//   proved.
//   Only the sections that use facts have such parts.
//
// The rows serve readers and tests. The code that applies them works on terms of interned sums, and each
// function names its rows. core/facts/identities_test.cc tests each row with random integers against plain
// integer arithmetic, and with random expressions against the function that applies it.
#ifndef DIMWISE_CORE_DIMS_IDENTITIES_H_
#define DIMWISE_CORE_DIMS_IDENTITIES_H_

#include <string_view>

namespace dimwise {

struct Identity {
  std::string_view name, pattern, result, condition;
};

// ---- The normal form of sums and products: DimTable::Add, Subtract, Multiply ----
inline constexpr Identity kSumIdentities[] = {
    {"LikeTerms", "c*p + d*p", "(c + d)*p", ""},
    {"ProductOfSums", "(p + q)*(x - t)", "p*x + q*x - p*t - q*t", ""},
    {"TwoHalves", "p//(2*m) + (p + m)//(2*m)", "p//m", "m >= 1"},
    {"WholeLessUpperHalf", "p//m - (p + m)//(2*m)", "p//(2*m)", "m >= 1"},
    {"WholeLessLowerHalf", "p//m - p//(2*m)", "(p + m)//(2*m)", "m >= 1"},
    {"FloorToCeiling", "p//m + min(p % m, 1)", "(p + m - 1)//m", "m >= 2"},
    {"RemainderToCeiling", "(m - p % m)*min(p % m, 1)", "m*((p + m - 1)//m) - p", "m >= 3"},
};

// ---- The normal form of floor divisions: DimTable::FloorDivide ----
inline constexpr Identity kFloorDivideIdentities[] = {
    {"QuotientOfMultiple", "(m*q + p)//m", "q + p//m", "m >= 1"},
    {"NegativeDivisor", "p//(-m)", "(-p)//m", "m >= 1"},
    {"NegativeDividend", "(-p)//m", "-((p + m - 1)//m)", "m >= 1"},
    {"CommonFactor", "(c*p + k)//(c*m)", "(p + k//c)//m", "c >= 1 and m >= 1"},
    {"NestedQuotient", "(p//m + k)//n", "(p + m*k)//(m*n)", "m >= 1 and n >= 1"},
    {"RemainderBesideMultiples", "(p % m + m*q)//(m*n)", "q//n", "m >= 3 and n >= 1"},
    {"OppositeRounding", "(c*p + k)//m", "p - ((m - c)*p + m - 1 - k)//m", "1 <= c and c < m"},
    {"QuotientOfMaximum", "(c*max(p, 0) + k)//m", "max((c*p + k)//m, 0)",
     "1 <= c and c < m and 0 <= k and k < m"},
};

// ---- The normal form of maxima and minima: DimTable::Max, Min ----
inline constexpr Identity kMaxIdentities[] = {
    {"MaximumByDifference", "max(p, q)", "q + max(p - q, 0)", ""},
    {"MinimumByDifference", "min(p, q)", "p - max(p - q, 0)", ""},
    {"MaximumOfNonNegative", "max(p % m, 0)", "p % m", "m >= 1"},
    {"MaximumOfNonPositive", "max(-(p % m), 0)", "0", "m >= 1"},
    {"MaximumOfMultiple", "max(c*t, 0)", "c*max(t, 0)", "c >= 1"},
    {"MaximumOfOpposite", "max(-t, 0)", "max(t, 0) - t", ""},
    {"MaximumOfMaximum", "max(c*max(t, 0) - k, 0)", "max(c*t - k, 0)", "c >= 1 and k >= 0"},
    {"MaximumOfMinimum", "max(min(t, k), 0)", "min(max(t, 0), k)", "k >= 1"},
};

// ---- The normal form of broadcasts: DimTable::Broadcast. The operands are sizes, so they are >= 0. ----
inline constexpr Identity kBroadcastIdentities[] = {
    {"BroadcastOfOne", "broadcast(x, 1)", "x", ""},
    {"BroadcastOfEqual", "broadcast(x, x)", "x", ""},
    {"BroadcastOfBroadcast", "broadcast(z, broadcast(x, y))", "broadcast(x, y, z)", ""},
    {"BroadcastOfConstant", "broadcast(x, k)", "k", "k >= 2"},
    {"BroadcastOfMaximum", "broadcast(x, max(x, k))", "x", "k <= 1"},
    {"BroadcastOfMinimum", "broadcast(x, min(x, k))", "x", "k >= 1"},
    {"BroadcastOfOneTogether", "broadcast(x, m*x - m + 1)", "x", "m >= 2"},
};

// ---- Choices: Select. select(w, a, b) is a where w holds, else b. ----
inline constexpr Identity kChoiceIdentities[] = {
    {"ChoiceOfEqual", "select(p >= 0, x, x)", "x", ""},
    {"ChoiceByRemainder", "select(p % m == 0, 0, m - p % m)", "m*((p + m - 1)//m) - p", "m >= 3"},
    {"ChoiceAsOr", "select(p >= 0, 1, min(max(q + 1, 0), 1))",
     "max(min(max(p + 1, 0), 1), min(max(q + 1, 0), 1))", ""},
    {"ChoiceAsAnd", "select(p >= 0, min(max(q + 1, 0), 1), 0)", "min(max(p + 1, 0), 1)*min(max(q + 1, 0), 1)",
     ""},
    {"ChoiceByConstantDifference", "select(p >= 0, x + k, x)", "x + k*min(max(p + 1, 0), 1)", ""},
    {"ChoiceWhereDivisionIsExact", "select(p % m != 0 or q % n != 0, m*((p + m - 1)//m), p)",
     "m*((p + m - 1)//m)", "m >= 3 and n >= 3"},
    {"ChoiceByEquality", "select(x == y, x, y)", "y", ""},
    {"ChoiceWhereBothAreEqual", "select(x > k, min(x, k), x)", "min(x, k)", ""},
    {"ChoiceOfSmaller", "select(x <= y, x, y)", "min(x, y)", ""},
    {"ChoiceOfLarger", "select(x <= y, y, x)", "max(x, y)", ""},
};

// ---- The normal form of conditions: Normalize ----
inline constexpr Identity kConditionIdentities[] = {
    {"EqualityOfMultiples", "c*p == c*k", "p == k", "c >= 1"},
    {"EqualityWithoutSolution", "c*p == k", "1 == 0", "c >= 1 and k % c != 0"},
    {"BoundOfMultiple", "c*p + k >= 0", "p + k//c >= 0", "c >= 1"},
    {"LowerBoundOfQuotient", "p//m >= k", "p >= k*m", "m >= 1"},
    {"UpperBoundOfQuotient", "p//m <= k", "p <= k*m + m - 1", "m >= 1"},
    {"LowerBoundOfMaximum", "c*max(t, 0) >= k", "c*t >= k", "c >= 1 and k >= 1"},
    {"UpperBoundOfMaximum", "c*max(t, 0) <= k", "c*t <= k", "c >= 1 and k >= 0"},
    {"LowerBoundOfClamp", "min(max(t, 0), m) >= k", "t >= k", "1 <= k and k <= m"},
    {"UpperBoundOfClamp", "min(max(t, 0), m) <= k", "t <= k", "0 <= k and k < m"},
    {"ClampWithin", "min(max(t, 0), m) == k", "t == k", "1 <= k and k < m"},
    {"ClampAtLeast", "min(max(t, 0), m) == 0", "t <= 0", "m >= 1"},
    {"ClampAtMost", "min(max(t, 0), m) == m", "t >= m", "m >= 1"},
    {"MaximumIsLower", "max(t, 0) == 0", "t <= 0", ""},
    {"MaximumIsAbove", "max(t, 0) == k", "t == k", "k >= 1"},
    {"MaximumIsOperand", "max(x, k) == x", "x >= k", ""},
    {"MinimumIsBelow", "min(x, k) == r", "x == r", "r < k"},
    {"MinimumIsOperand", "min(x, k) == x", "x <= k", ""},
    {"CeilingIsExact", "m*((p + m - 1)//m) == p", "p % m == 0", "m >= 2"},
    {"ComplementaryBounds", "x >= k or x <= k - c", "0 == 0", "c <= 1"},
    {"ImpliedAlternative", "x == r or x >= k", "x >= k", "r >= k"},
    {"BroadcastablePair", "broadcastable(x, y)", "x == y or x == 1 or y == 1", ""},
    {"BroadcastableWithOne", "broadcastable(x, y, 1, z)", "broadcastable(x, y, z)", ""},
    {"BroadcastableWithEqual", "broadcastable(x, y, x, z)", "broadcastable(x, y, z)", ""},
    {"BroadcastableOfBroadcast", "broadcastable(z, broadcast(x, y))", "broadcastable(x, y, z)", ""},
    {"BroadcastableOfConstants", "broadcastable(x, m, n)", "1 == 0", "m >= 2 and n > m"},
    {"BroadcastableSubset", "broadcastable(x, y, z, k) or broadcastable(x, y, z)", "broadcastable(x, y, z)",
     "k >= 2"},
};

// ---- Simplification by facts: Facts::Simplify ----
inline constexpr Identity kFactIdentities[] = {
    {"EqualSymbols", "x + z", "y + z", "x == y"},
    {"QuotientOfProduct", "(x*y)//y", "x", "y != 0"},
    {"QuotientOfMultiples", "(x*y + z)//y", "x + z//y", "y != 0"},
    {"QuotientWithCommonFactor", "(x*z)//(y*z)", "x//y", "z != 0"},
    {"QuotientOfKnownRemainder", "(x + k)//(m*n)", "x//(m*n)",
     "x % m == 0 and 0 <= k and k < m and m >= 1 and n >= 1"},
    {"QuotientOfSmaller", "x//y", "0", "0 <= x and x < y"},
    {"MultipleOfExactQuotient", "z*m*(x//m)", "z*x", "x % m == 0 and m >= 2"},
    {"MultipleOfRoundedQuotient", "m*((x + k)//m)", "x - r",
     "x % m == r and 0 <= r and r + k < m and 0 <= k"},
    {"MultipleOfNestedQuotient", "n*(x//(m*n))", "x//m", "(x//m) % n == 0 and m >= 2 and n >= 2"},
    {"ProductOfExactQuotient", "y*(x//y)", "x", "x % y == 0"},
    {"MaximumWherePositive", "max(x - y, 0)", "x - y", "x >= y"},
    {"MaximumWhereNegative", "max(x - y, 0)", "0", "x <= y"},
    {"BroadcastWithOne", "broadcast(x, y)", "x", "y == 1"},
    {"BroadcastOfNotOne", "broadcast(x, y)", "x", "x >= 2"},
    {"BroadcastOfLarger", "broadcast(x, y)", "x", "1 <= y and y <= x"},
    {"BroadcastOfMinimumWithSize", "broadcast(x, min(x, y))", "x", "y >= 1"},
};

// ---- Conditions of sizes in parts: PartsOf, WithoutBroadcasts ----
inline constexpr Identity kPartIdentities[] = {
    {"SharedFactor", "x*y == k*x", "y == k", "x >= 1"},
    {"SharedFactorOfBound", "x*y >= k*x", "y >= k", "x >= 1"},
    {"ProductOfFloors", "x*y == m*n*(x//m)*(y//n)", "x % m == 0 and y % n == 0",
     "x >= 1 and y >= 1 and m >= 2 and n >= 2"},
    {"ProductOfCeilings", "x*y == m*n*((x + m - 1)//m)*((y + n - 1)//n)", "x % m == 0 and y % n == 0",
     "x >= 1 and y >= 1 and m >= 2 and n >= 2"},
    {"FloorIsCeiling", "(x + m - 1)//m == x//m", "x % m == 0", "m >= 2"},
    {"ProductIsOne", "k*x*y == k", "x == 1 and y == 1", "x >= 1 and y >= 1 and k >= 1"},
    {"QuotientIsConstant", "(x + k)//m == r", "x + k >= m*r and x + k <= m*r + m - 1",
     "m >= 2 and r >= 1 and k >= 0"},
    {"QuotientOfConstantIsZero", "k//y == 0", "y >= k + 1", "y >= 1 and k >= 1"},
    {"MaximumOfSizeIsIdle", "x == max(min(x, k - y), 0)", "x + y <= k", "x >= 1"},
    {"BoundOfMinimum", "min(x, y) >= k", "x >= k and y >= k", "k >= 1"},
    {"BoundOfMaximum", "z >= max(x, y)", "z >= x and z >= y", ""},
    {"BroadcastIsOperand", "x == broadcast(x, y, z)", "(y == 1 or y == x) and (z == 1 or z == x)", ""},
};

// ---- Conditions that facts prove: Facts::Holds. The result is always `0 == 0`, which is true. ----
inline constexpr Identity kProvedIdentities[] = {
    {"QuotientAndRemainder", "m*(p//m) <= p and m*(p//m) >= p - m + 1", "0 == 0", "m >= 1"},
    {"SymbolicQuotient", "y*(x//y) <= x", "0 == 0", "y >= 1"},
    {"PositiveQuotient", "x//y >= 1", "0 == 0", "x % y == 0 and x >= 1 and y >= 1"},
    {"ProductOfExactQuotients", "z*(x//m)*(y//n) == z*(x*y//(m*n))", "0 == 0",
     "x % m == 0 and y % n == 0 and m >= 2 and n >= 2"},
    {"ClampIsBounded", "max(t, 0) - max(t - k, 0) >= 0 and max(t, 0) - max(t - k, 0) <= k", "0 == 0",
     "k >= 1"},
    {"MinimumOfTwo", "min(x, y) <= x and min(x, y) <= y", "0 == 0", ""},
    {"MaximumOfTwo", "max(x, y) >= x and max(x, y) >= y", "0 == 0", ""},
    {"LargerOfTwo", "max(x, y) >= k", "0 == 0", "x >= k"},
    {"CommonFactorOfBound", "x*y >= k*x", "0 == 0", "y >= k and x >= 0"},
    {"ProductOfLeast", "x*y + 1 >= x + y", "0 == 0", "x >= 1 and y >= 1"},
    {"ProductOfBounds", "x*y >= k*m", "0 == 0", "x >= k and y >= m and k >= 0 and m >= 0"},
    {"CombinationOfFacts", "x + z >= y + k", "0 == 0", "x >= y + k and z >= 0"},
    {"BoundWithRemainder", "x >= m + r", "0 == 0", "x % m == r and x >= r + 1 and 0 <= r and r < m"},
    {"CombinedRemainders", "x % (3*m) == r", "0 == 0",
     "x % m == r and x % 3 == r % 3 and m % 3 != 0 and 0 <= r and r < m"},
    {"RemainderOfDivisor", "x % m == r % m", "0 == 0",
     "x % (m*n) == r and 0 <= r and r < m*n and m >= 1 and n >= 1"},
    {"PairOfBroadcastable", "x == y or x == 1 or y == 1", "0 == 0", "broadcastable(x, y, z)"},
    {"BroadcastableWithoutOnes", "broadcastable(x, y, z)", "0 == 0", "broadcastable(x, y) and z == 1"},
    {"BroadcastableByOneSize", "broadcastable(x, y, z)", "0 == 0",
     "broadcastable(x, y) and broadcastable(x, z) and x >= 2"},
    {"BroadcastableByPairs", "broadcastable(x, y, z)", "0 == 0",
     "broadcastable(x, y) and broadcastable(x, z) and broadcastable(y, z)"},
    {"CommonSizeOfBroadcastable", "x == y", "0 == 0", "broadcastable(x, y, z) and x >= 2 and y >= 2"},
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_IDENTITIES_H_
