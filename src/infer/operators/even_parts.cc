#include "infer/operators/even_parts.h"

#include <vector>

#include "core/dims/symbol_walk.h"
#include "core/types/known_parts.h"

namespace dimwise {
namespace {

constexpr size_t kMostMaxima = 8;  // of a size that are looked at

// The t of each max(0, t) among the terms of a sum, and inside of these.
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

// Of the maxima that a size is made of, one is that of part + place*part - whole and 0, or of
// whole - place*part - 1 and 0, by the form that the table gives it. What is read out of it is put together
// again, so that the size is nothing else.
std::optional<EvenParts> ReadSize(DimTable& dims, Dim size, Dim place) {
  for (const Dim t : MaximaOfSum(dims, size)) {
    const auto at = [&](int64_t number) {
      return dims.Substitute(t, [&](Dim atom) { return atom == place ? Dim(number) : Dim(); });
    };
    const Dim first = at(0), step = dims.Subtract(at(1), first);
    for (const bool counts_up : {true, false}) {
      const Dim part = counts_up ? step : dims.Negate(step);
      const EvenParts parts{0, counts_up ? dims.Subtract(part, first) : dims.Add(first, 1), part, place};
      if (parts.part.is_none() || parts.whole.is_none()) continue;
      if (parts.SizeAt(dims, place) == size) return parts;
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
  const Dim place = inside.each[0];
  if (dims.GetSymbol(place).of_user) return std::nullopt;  // what it stands for is not known
  std::optional<EvenParts> found;
  const Shape shape = inside.elements[0].shape;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (!Mentions(dims, shape[axis], place)) continue;
    if (found) return std::nullopt;
    found = ReadSize(dims, shape[axis], place);
    if (!found) return std::nullopt;
    found->axis = axis;
  }
  // Where one was taken out, which places the others have is not known.
  if (found && found->Count(dims) != inside.length) return std::nullopt;
  return found;
}

}  // namespace dimwise
