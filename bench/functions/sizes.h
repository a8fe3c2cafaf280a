// Arithmetic on sizes without facts: a decision made here does not depend on facts that may be retracted.
#ifndef DIMWISE_BENCH_FUNCTIONS_SIZES_H_
#define DIMWISE_BENCH_FUNCTIONS_SIZES_H_

#include "dimwise/inference_context.h"

namespace dimwise {

// The operations of DimTable, with a fast path for constants.
inline Dim Plus(DimTable& dims, Dim a, Dim b) {
  int64_t sum = 0;
  const bool numbers = a.is_constant() && b.is_constant();
  return numbers && !__builtin_add_overflow(a.constant(), b.constant(), &sum) ? Dim(sum) : dims.Add(a, b);
}
inline Dim Minus(DimTable& dims, Dim a, Dim b) {
  int64_t difference = 0;
  const bool numbers = a.is_constant() && b.is_constant();
  return numbers && !__builtin_sub_overflow(a.constant(), b.constant(), &difference) ? Dim(difference)
                                                                                     : dims.Subtract(a, b);
}
inline Dim Times(DimTable& dims, Dim a, Dim b) {
  int64_t product = 0;
  const bool numbers = a.is_constant() && b.is_constant();
  return numbers && !__builtin_mul_overflow(a.constant(), b.constant(), &product) ? Dim(product)
                                                                                  : dims.Multiply(a, b);
}
// REQUIRES: b > 0.
inline Dim FloorOver(DimTable& dims, Dim a, int64_t b) {
  return a.is_constant() && a.constant() >= 0 ? Dim(a.constant() / b) : dims.FloorDivide(a, b);
}

// Returns whether a >= b in every run.
bool CertainlyAtLeast(DimTable& dims, Dim a, Dim b);
// Returns the smaller size, simplified if the order is certain.
Dim Smaller(DimTable& dims, Dim a, Dim b);
// Returns the product of the sizes.
Dim Product(DimTable& dims, std::span<const Dim> sizes);

}  // namespace dimwise

#endif  // DIMWISE_BENCH_FUNCTIONS_SIZES_H_
