// The limits of the derivation of facts and the sizes of its caches.
//
// A limit bounds the time of a query on facts that no known model has. Beyond a limit a query is open or an
// expression stays as it is: answers get weaker, never wrong.
#ifndef DIMWISE_CORE_FACTS_LIMITS_H_
#define DIMWISE_CORE_FACTS_LIMITS_H_

#include <cstddef>
#include <cstdint>

#include "core/base/wide.h"

namespace dimwise {

// ---- Rounds ----
// Rounds of derivation, since new equalities can lead to new bounds without end.
inline constexpr int kMaxRounds = 8;
// Passes over one expression, each of which can enable the next one.
inline constexpr int kMaxSimplifierPasses = 4;
// Divisions that are removed from the sums of one query: each removal multiplies the coefficients.
inline constexpr int kMaxClearedDivisions = 6;

// ---- Searches ----
// Known forms that are combined with one query, and components whose forms are combined.
inline constexpr size_t kMaxCombinations = 32;
inline constexpr size_t kMaxCombinedComponents = 8;
// Operands of a broadcast that are compared with each other: n*n queries for n operands.
inline constexpr size_t kMaxComparedOperands = 4;
// Minima inside minima that are split into parts.
inline constexpr int kMaxNestedMinima = 3;
// Definitions inside definitions of a symbol whose operands are simplified.
inline constexpr uint32_t kMaxSimplifiedDefinitions = 4;
// Definitions whose operands are visited for one expression. Chains of definitions can have any length.
inline constexpr int kMaxVisitedDefinitions = 8;

// ---- Enumeration of one size ----
// The first size of a repeating set plus its period, and the magnitude of the numbers in it.
inline constexpr uint64_t kMaxSizeSetSpan = 16384;
inline constexpr Wide kMaxSizeSetNumber = Wide{1} << 40;

}  // namespace dimwise

#endif  // DIMWISE_CORE_FACTS_LIMITS_H_
