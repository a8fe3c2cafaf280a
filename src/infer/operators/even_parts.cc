#include "infer/operators/even_parts.h"

#include <vector>

#include "core/dims/symbol_walk.h"
#include "core/types/known_parts.h"

namespace dimwise {
namespace {

constexpr size_t kMostMaxima = 8;  // maxima in a size that are examined

// Returns the t of each max(0, t) in the terms of a sum, including nested maxima.
std::vector<Dim> MaximaOfSum(const DimTable& dims, Dim sum) {
  std::vector<Dim> found, sums = {sum};
  while (!sums.empty() && found.size() < kMostMaxima) {
    const Dim next = sums.back();
    sums.pop_back();
    for (size_t i = 0; i < dims.TermCount(next); ++i) {
      const Term term = dims.GetTerm(next, i);
      if (term.factors.size() != 1 || dims.Kind(term.factors[0]) != DimKind::kMaxZero) continue;
      found.push_back(dims.Operands(term.factors[0])[0]);
      sums.push_back(found.back());
    }
  }
  return found;
}

// Reads `part` and `whole` from a size. Its normal form contains a maximum of 0 and either part + index*part
// - whole or whole - index*part - 1. SizeAt of the result must equal the size, so that no other size is
// accepted.
std::optional<EvenParts> ReadSize(DimTable& dims, Dim size, Dim index) {
  for (const Dim t : MaximaOfSum(dims, size)) {
    const auto at = [&](int64_t number) {
      return dims.Substitute(t, [&](Dim atom) { return atom == index ? Dim(number) : Dim(); });
    };
    const Dim first = at(0), step = dims.Subtract(at(1), first);
    for (const bool counts_up : {true, false}) {
      const Dim part = counts_up ? step : dims.Negate(step);
      const EvenParts parts{0, counts_up ? dims.Subtract(part, first) : dims.Add(first, 1), part, index};
      if (parts.part.is_none() || parts.whole.is_none()) continue;
      if (parts.SizeAt(dims, index) == size) return parts;
    }
  }
  return std::nullopt;
}

}  // namespace

Dim EvenParts::SizeAt(DimTable& dims, Dim at) const {
  return dims.Max(dims.Min(part, dims.Subtract(whole, dims.Multiply(at, part))), 1);
}

std::optional<EvenParts> EvenPartsOf(DimTable& dims, const Type& sequence) {
  if (sequence.kind != TypeKind::kSequence) return std::nullopt;
  const Container& inside = *sequence.container;
  if (inside.each.size() != 1 || inside.elements.size() != 1 || !IsRanked(inside.elements[0]))
    return std::nullopt;
  const Dim index = inside.each[0];
  if (dims.GetSymbol(index).of_user) return std::nullopt;  // a symbol of the user may have any value
  std::optional<EvenParts> found;
  const Shape shape = inside.elements[0].shape;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (!Mentions(dims, shape[axis], index)) continue;
    if (found) return std::nullopt;
    found = ReadSize(dims, shape[axis], index);
    if (!found) return std::nullopt;
    found->axis = axis;
  }
  // If an element was removed, the indices of the others are unknown.
  if (found && found->Count(dims) != inside.length) return std::nullopt;
  return found;
}

}  // namespace dimwise
