#include "bench/functions/sizes.h"

#include <algorithm>

#include "core/dims/bounds.h"

namespace dimwise {

bool CertainlyAtLeast(DimTable& dims, Dim a, Dim b) {
  if (a.is_constant() && b.is_constant()) return a.constant() >= b.constant();
  return IntrinsicBounds(dims, dims.Subtract(a, b)).lo >= 0;
}

Dim Smaller(DimTable& dims, Dim a, Dim b) {
  if (CertainlyAtLeast(dims, b, a)) return a;
  if (CertainlyAtLeast(dims, a, b)) return b;
  return dims.Min(a, b);
}

Dim Product(DimTable& dims, std::span<const Dim> sizes) {
  if (std::find(sizes.begin(), sizes.end(), Dim(0)) != sizes.end()) return 0;
  Dim product = 1;
  for (const Dim size : sizes) {
    if (size != Dim(1)) product = product == Dim(1) ? size : Times(dims, product, size);
  }
  return product;
}

}  // namespace dimwise
