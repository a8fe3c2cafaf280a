// Arithmetic of congruences: derives the remainders of an expression from those of its parts.
#ifndef DIMWISE_CORE_FACTS_RESIDUE_H_
#define DIMWISE_CORE_FACTS_RESIDUE_H_

#include <functional>

#include "dimwise/facts.h"

namespace dimwise {

// Returns the remainder in 0 .. modulus-1. REQUIRES: modulus > 0.
int64_t PositiveMod(int64_t a, int64_t modulus);

// Combines two congruences that both hold into *a. Returns false if they contradict each other. If the joint
// modulus does not fit int64_t, keeps the congruence with the larger modulus.
bool Combine(Congruence* a, const Congruence& b);

// Returns the congruence of d, given the congruences of canonical forms and of atoms ({1, 0}: unknown).
Congruence CongruenceOfSum(DimTable& table, Dim d, const std::function<Congruence(Dim form)>& of_form);

// Computes the congruence of x from that of scale*x + constant. Returns false if no x satisfies it.
bool SolveCongruence(const Congruence& given, int64_t scale, int64_t constant, Congruence* x);

}  // namespace dimwise

#endif  // DIMWISE_CORE_FACTS_RESIDUE_H_
