// Congruences of expressions: which remainders they leave, from those of their parts.
#ifndef DIMWISE_CORE_FACTS_RESIDUE_H_
#define DIMWISE_CORE_FACTS_RESIDUE_H_

#include <functional>

#include "dimwise/facts.h"

namespace dimwise {

// The remainder in 0 .. modulus-1. REQUIRES: modulus > 0.
int64_t PositiveMod(int64_t a, int64_t modulus);

// Both hold; false where they cannot. Where the joint modulus does not fit, the larger of the two is kept.
bool Combine(Congruence* a, const Congruence& b);

// One of them holds: the gcd of the moduli and of the difference.
Congruence Join(const Congruence& a, const Congruence& b);

// What remainders d leaves, given those of canonical forms and of atoms ({1, 0} where nothing is known).
Congruence CongruenceOfSum(DimTable& table, Dim d, const std::function<Congruence(Dim form)>& of_form);

// The congruence of x when scale*x + constant is congruent as given; false where there is none.
bool SolveCongruence(const Congruence& given, int64_t scale, int64_t constant, Congruence* x);

}  // namespace dimwise

#endif  // DIMWISE_CORE_FACTS_RESIDUE_H_
