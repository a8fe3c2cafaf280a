#include "infer/context/certain_size.h"

#include <algorithm>

#include "core/dims/bounds.h"

namespace dimwise {
namespace {

// Expressions share subexpressions, so a deeper recursion could visit a shared part many times.
constexpr int kMaxFormDepth = 3;

// Returns whether the form shows that d >= 0: a sum of products of sizes, a size divided by a positive
// number, max(0, a), or a broadcast of sizes.
bool IsSizeByForm(const DimTable& dims, Dim d, int depth) {
  if (d.is_constant()) return d.constant() >= 0;
  if (d.is_none() || depth == 0) return false;
  const auto is_size = [&](Dim part) { return IsSizeByForm(dims, part, depth - 1); };
  switch (dims.Kind(d)) {
    case DimKind::kSymbol:
      return dims.GetSymbol(d).min >= 0;
    case DimKind::kMaxZero:
    case DimKind::kConflict:
      return true;
    case DimKind::kFloorDiv: {
      const Dim divisor = dims.Operands(d)[1];
      return divisor.is_constant() && divisor.constant() > 0 && is_size(dims.Operands(d)[0]);
    }
    case DimKind::kBroadcast:
      return std::ranges::all_of(dims.Operands(d), is_size);
    case DimKind::kSum:
      for (size_t i = 0; i < dims.TermCount(d); ++i) {
        const Term term = dims.GetTerm(d, i);
        if (term.coefficient < 0 || !std::ranges::all_of(term.factors, is_size)) return false;
      }
      return true;
    case DimKind::kConstant:
      break;
  }
  return false;
}

}  // namespace

bool IsCertainlySize(DimTable& dims, Dim d) {
  return IsSizeByForm(dims, d, kMaxFormDepth) || (d.is_expression() && IntrinsicBounds(dims, d).lo >= 0);
}

}  // namespace dimwise
