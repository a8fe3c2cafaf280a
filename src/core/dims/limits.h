// The limits of the algebra of sizes and the sizes of its caches.
//
// A limit bounds time or memory for expressions that no known model has. Beyond a limit an expression stays
// as it is, an interval is wider, or a query is open: answers get weaker, never wrong. The limits of the
// normal form are part of the interface: DimTable::kMaxTerms and others in dimwise/dim.h.
#ifndef DIMWISE_CORE_DIMS_LIMITS_H_
#define DIMWISE_CORE_DIMS_LIMITS_H_

#include <cstddef>
#include <cstdint>

#include "core/base/wide.h"

namespace dimwise {

// ---- Recursion ----
// Nested conditions and parentheses in a text, because the parser recurses.
inline constexpr int kMaxParserNesting = 100;
// The length of a text with an expression.
inline constexpr size_t kMaxExpressionText = size_t{1} << 16;
// Nested choices that Unfold expands.
inline constexpr int kMaxUnfoldedChoices = 8;
// Definitions inside definitions that the order compares, and that bounds enter. Chains of definitions can
// have any length.
inline constexpr int kMaxOrderedDefinitions = 4;
inline constexpr int kMaxBoundedDefinitions = 2;

// ---- Products of cases ----
// Clauses of a condition: a disjunction multiplies the numbers of clauses.
inline constexpr size_t kMaxClauses = 64;
// Rewritings of one sum for its bounds. Each maximum doubles the number of cases.
inline constexpr int kMaxRewritings = 48;
// Atoms and rewritten sums that are visited for the bounds of one expression. Beyond it, sums are evaluated
// plainly and definitions are not entered. Real models need at most 64.
inline constexpr uint32_t kMaxBoundSteps = 128;
// A sum with this many maxima is first divided into parts without a common symbol.
inline constexpr int kManyMaxima = 4;
// A sum with more terms is bounded by plain evaluation if it is an operand of a definition: the symbol of the
// definition was bounded by a search when it was created.
inline constexpr uint32_t kMaxTermsInDefinition = 8;
// Factors of a product that is expanded into lower bounds and remainders: 2^n terms for n factors.
inline constexpr uint32_t kMaxExpandedFactors = 3;
// Different remainders in a sum whose signs are removed, and divisions in the difference of two operands of a
// choice: each one is substituted in the whole sum.
inline constexpr size_t kMaxRemainderSigns = 2;
inline constexpr size_t kMaxDivisionsOfChoice = 4;
// Maxima of a condition, including nested ones, whose signs may decide a choice.
inline constexpr size_t kMaxSignsOfCondition = 4;
// The highest power of a quotient that is replaced by its dividend.
inline constexpr int kMaxPowerOfQuotient = 4;
// Definitions that are evaluated for one expression at the sample points.
inline constexpr int kMaxSampledDefinitions = 8;

// Float steps in the definition of one number, because its text repeats steps that it contains several times.
inline constexpr size_t kMaxFloatSteps = 24;
// Choices nested deeper than this compute both operands in compiled code, because blocks of code nest.
inline constexpr size_t kMaxOpenBlocks = 24;

// ---- Overflow ----
// The common multiple of the divisors in a sum, and the magnitude of a lower bound that is substituted.
// Products of these with coefficients must fit 64 bits in most sums.
inline constexpr Wide kMaxCommonMultiple = Wide{1} << 40;
inline constexpr Wide kMaxSubstitutedBound = Wide{1} << 20;

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_LIMITS_H_
