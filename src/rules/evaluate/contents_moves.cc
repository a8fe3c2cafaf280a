// Functions of contents that only move elements: each element of the result is an element of an operand.
#include <algorithm>

#include "core/base/wide.h"
#include "rules/evaluate/contents_indices.h"
#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {
namespace {

constexpr size_t kNowhere = SIZE_MAX;  // an unknown index

// The part of an axis that a slice takes.
struct Cut {
  int64_t first = 0, step = 1, length = 0;
};

// REQUIRES: size > 0, step != 0.
Cut CutOf(int64_t size, int64_t start, int64_t end, int64_t step) {
  const auto place = [&](int64_t v) { return v < 0 ? v + size : v; };
  const bool forward = step > 0;
  const int64_t last = forward ? size : size - 1;
  const int64_t first = std::clamp<int64_t>(place(start), 0, last);
  const int64_t stop = std::clamp<int64_t>(place(end), forward ? 0 : -1, last);
  const int64_t span = forward ? stop - first : first - stop;
  const Wide stride = forward ? Wide{step} : -Wide{step};
  return {first, step, span > 0 ? static_cast<int64_t>((span - 1) / stride) + 1 : 0};
}

std::vector<int64_t> Copy(std::span<const int64_t> dims) { return {dims.begin(), dims.end()}; }

bool HasAxis(std::span<const int64_t> dims, Dim axis) {
  return axis.is_constant() && axis.constant() >= 0 && std::cmp_less(axis.constant(), dims.size());
}

}  // namespace

// Returns the elements of one operand at these indices.
Evaluator::Contents Evaluator::Reindex(const Contents& a, std::span<const int64_t> dims,
                                       const std::vector<size_t>& from) {
  Contents c = a;
  c.dims = StoreAll(Copy(dims));
  c.floats_of = Value();
  if (a.is_float) {
    std::vector<Float> floats;
    for (size_t i : from) floats.push_back(i == kNowhere ? Float() : a.floats[i]);
    c.floats = StoreAll(std::move(floats));
  } else {
    std::vector<Dim> ints;
    for (size_t i : from) ints.push_back(i == kNowhere ? Dim() : a.integers[i]);
    c.integers = StoreAll(std::move(ints));
  }
  return c;
}

// Replaces the axis by the axes of `at`.
Evaluator::Contents Evaluator::Gather(const Contents& data, const Contents& at, Dim axis) {
  if (!data.known || !at.known || at.is_float || !HasAxis(data.dims, axis)) return {};
  const auto k = static_cast<size_t>(axis.constant());
  const std::span<const int64_t> before = data.dims.first(k), after = data.dims.subspan(k + 1);
  std::vector<int64_t> dims = Copy(before);
  dims.insert(dims.end(), at.dims.begin(), at.dims.end());
  dims.insert(dims.end(), after.begin(), after.end());
  const int64_t count = CountOf(dims);
  if (count > ContentsLimit::current()) return {};
  std::vector<size_t> from;
  if (count == 0) return Reindex(data, dims, from);
  const int64_t size = data.dims[k], rows = CountOf(before), length = CountOf(after);
  for (int64_t row = 0; row < rows; ++row) {
    for (Dim element : at.integers) {
      const Dim d = Pinned(element);
      if (!d.is_constant()) {
        from.insert(from.end(), static_cast<size_t>(length), kNowhere);
        continue;
      }
      if (d.constant() < -size || d.constant() >= size) return {};
      const int64_t place = d.constant() < 0 ? d.constant() + size : d.constant();
      for (int64_t i = 0; i < length; ++i)
        from.push_back(static_cast<size_t>((row * size + place) * length + i));
    }
  }
  return Reindex(data, dims, from);
}

Evaluator::Contents Evaluator::Concat(std::span<const Contents> parts, Dim axis) {
  if (parts.empty() || !HasAxis(parts[0].dims, axis)) return {};
  const auto k = static_cast<size_t>(axis.constant());
  std::vector<int64_t> dims = Copy(parts[0].dims);
  dims[k] = 0;
  for (const Contents& part : parts) {
    if (!part.known || part.is_float != parts[0].is_float || part.dims.size() != dims.size()) return {};
    if (__builtin_add_overflow(dims[k], part.dims[k], &dims[k])) return {};
    std::vector<int64_t> others = Copy(part.dims);
    others[k] = dims[k];
    if (others != dims) return {};
  }
  if (CountOf(dims) > ContentsLimit::current()) return {};
  // For each row, append the elements of each part in that row.
  const auto rows = static_cast<size_t>(CountOf(std::span<const int64_t>(dims).first(k)));
  std::vector<Dim> ints;
  std::vector<Float> floats;
  for (size_t row = 0; row < rows; ++row) {
    for (const Contents& part : parts) {
      const size_t length = part.size() / rows;
      for (size_t i = row * length; i < (row + 1) * length; ++i) {
        if (part.is_float) floats.push_back(part.floats[i]);
        if (!part.is_float) ints.push_back(part.integers[i]);
      }
    }
  }
  return parts[0].is_float ? MakeFloats(parts[0].element, dims, std::move(floats))
                           : MakeInts(parts[0].element, dims, std::move(ints));
}

// Splits contents into parts of these sizes along an axis.
std::vector<Evaluator::Contents> Evaluator::Split(const Contents& data, std::span<const int64_t> parts,
                                                  Dim axis) {
  if (!data.known || !HasAxis(data.dims, axis)) return {};
  const auto k = static_cast<size_t>(axis.constant());
  std::vector<Contents> all;
  int64_t begin = 0;
  for (int64_t size : parts) {
    if (size < 0 || size > data.dims[k] - begin) return {};
    std::vector<int64_t> dims = Copy(data.dims);
    dims[k] = size;
    std::vector<size_t> from;
    ForEachElement(dims, [&](std::span<const int64_t> place) {
      std::vector<int64_t> index = Copy(place);
      index[k] += begin;
      int64_t flat = 0;
      for (size_t i = 0; i < index.size(); ++i) flat = flat * data.dims[i] + index[i];
      from.push_back(static_cast<size_t>(flat));
    });
    all.push_back(Reindex(data, dims, from));
    begin += size;
  }
  return all;
}

Evaluator::Contents Evaluator::Stack(std::vector<Contents> parts, Dim axis) {
  if (parts.empty() || !parts[0].known || !axis.is_constant()) return {};
  std::vector<int64_t> dims = Copy(parts[0].dims);
  if (axis.constant() < 0 || axis.constant() > static_cast<int64_t>(dims.size())) return {};
  const auto same_dims = [&](const Contents& part) { return std::ranges::equal(part.dims, dims); };
  if (!std::ranges::all_of(parts, same_dims)) return {};
  dims.insert(dims.begin() + axis.constant(), 1);
  for (Contents& part : parts) part.dims = dims;
  return Concat(parts, axis);
}

std::vector<Evaluator::Contents> Evaluator::Unstack(const Contents& data, Dim axis) {
  if (!data.known || !HasAxis(data.dims, axis)) return {};
  const auto k = static_cast<std::ptrdiff_t>(axis.constant());
  const auto count = static_cast<size_t>(data.dims[static_cast<size_t>(k)]);
  std::vector<Contents> all = Split(data, std::vector<int64_t>(count, 1), axis);
  for (Contents& part : all) {
    std::vector<int64_t> dims = Copy(part.dims);
    dims.erase(dims.begin() + k);
    part = part.is_float ? MakeFloats(part.element, dims, {part.floats.begin(), part.floats.end()})
                         : MakeInts(part.element, dims, {part.integers.begin(), part.integers.end()});
  }
  return all;
}

Evaluator::Contents Evaluator::Slice(const Contents& data, const SliceLists& lists) {
  const std::optional<std::vector<int64_t>> starts = ConstantsOf(lists.starts),
                                            ends = ConstantsOf(lists.ends), axes = ConstantsOf(lists.axes),
                                            steps = ConstantsOf(lists.steps);
  if (!data.known || !starts || !ends || !axes || !steps || starts->size() != ends->size() ||
      axes->size() != starts->size() || steps->size() != starts->size())
    return {};
  std::vector<int64_t> dims = Copy(data.dims);
  std::vector<Cut> cuts(dims.size());
  for (size_t i = 0; i < axes->size(); ++i) {
    if (!HasAxis(dims, (*axes)[i]) || (*steps)[i] == 0) return {};
    const auto axis = static_cast<size_t>((*axes)[i]);
    if (data.dims[axis] == 0) continue;  // no elements
    cuts[axis] = CutOf(data.dims[axis], (*starts)[i], (*ends)[i], (*steps)[i]);
    dims[axis] = cuts[axis].length;
  }
  const std::vector<int64_t> strides = StridesOf(data.dims);
  std::vector<size_t> from;
  ForEachElement(dims, [&](std::span<const int64_t> index) {
    int64_t at = 0;
    for (size_t k = 0; k < dims.size(); ++k)
      at += (cuts[k].first + (index[k] == 0 ? 0 : index[k] * cuts[k].step)) * strides[k];
    from.push_back(static_cast<size_t>(at));
  });
  return Reindex(data, dims, from);
}

Evaluator::Contents Evaluator::Transpose(const Contents& data, List order) {
  const std::optional<std::vector<int64_t>> axes = ConstantsOf(order);
  if (!data.known || !axes || axes->size() != data.dims.size()) return {};
  std::vector<int64_t> dims;
  for (int64_t axis : *axes) {
    if (!HasAxis(data.dims, axis)) return {};
    dims.push_back(data.dims[static_cast<size_t>(axis)]);
  }
  const std::vector<int64_t> strides = StridesOf(data.dims);
  std::vector<size_t> from;
  ForEachElement(dims, [&](std::span<const int64_t> index) {
    int64_t at = 0;
    for (size_t k = 0; k < dims.size(); ++k) at += index[k] * strides[static_cast<size_t>((*axes)[k])];
    from.push_back(static_cast<size_t>(at));
  });
  return Reindex(data, dims, from);
}

Evaluator::Contents Evaluator::Reshape(Contents data, List sizes) {
  const std::optional<std::vector<int64_t>> dims = ConstantsOf(sizes);
  if (!data.known || !dims || std::cmp_not_equal(CountOf(*dims), data.size())) return {};
  data.dims = StoreAll(*dims);
  return data;
}

Evaluator::Contents Evaluator::Expand(const Contents& data, List sizes) {
  const std::optional<std::vector<int64_t>> wanted = ConstantsOf(sizes);
  if (!data.known || !wanted) return {};
  const std::optional<std::vector<int64_t>> dims = BroadcastIndices(data.dims, *wanted);
  if (!dims) return {};
  std::vector<size_t> from;
  ForEachElement(*dims, [&](std::span<const int64_t> index) { from.push_back(PlaceOf(data.dims, index)); });
  return Reindex(data, *dims, from);
}

Evaluator::Contents Evaluator::Filled(List sizes, const Contents& number) {
  const std::optional<std::vector<int64_t>> dims = ConstantsOf(sizes);
  if (!number.known || number.size() != 1 || !dims || CountOf(*dims) > ContentsLimit::current()) return {};
  return Reindex(number, *dims, std::vector<size_t>(static_cast<size_t>(CountOf(*dims)), 0));
}

Evaluator::Contents Evaluator::Tile(const Contents& data, List times) {
  const std::optional<std::vector<int64_t>> repeats = ConstantsOf(times);
  if (!data.known || !repeats || repeats->size() != data.dims.size()) return {};
  std::vector<int64_t> dims;
  for (size_t i = 0; i < repeats->size(); ++i) {
    if ((*repeats)[i] < 0 || __builtin_mul_overflow(data.dims[i], (*repeats)[i], &dims.emplace_back()))
      return {};
  }
  if (CountOf(dims) > ContentsLimit::current()) return {};
  std::vector<size_t> from;
  ForEachElement(dims, [&](std::span<const int64_t> place) {
    std::vector<int64_t> index = Copy(place);
    for (size_t k = 0; k < index.size(); ++k) index[k] %= data.dims[k];
    from.push_back(PlaceOf(data.dims, index));
  });
  return Reindex(data, dims, from);
}

}  // namespace dimwise::rules
