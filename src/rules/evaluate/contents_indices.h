// Sizes, strides and indices of small tensors: contents have at most ContentsLimit::current() elements.
#ifndef DIMWISE_RULES_EVALUATE_CONTENTS_INDICES_H_
#define DIMWISE_RULES_EVALUATE_CONTENTS_INDICES_H_

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "core/types/element_count.h"
#include "core/values/contents_limit.h"
#include "dimwise/value.h"
#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {

// Returns the number of elements. If it exceeds the limit or a size is negative, returns the limit plus 1.
inline int64_t CountOf(std::span<const int64_t> dims) {
  const int64_t too_many = ContentsLimit::current() + 1;
  return std::min(ElementCount(dims).value_or(too_many), too_many);
}

// Returns the strides. All are 0 if there are no elements, because then sizes may be arbitrarily large.
inline std::vector<int64_t> StridesOf(std::span<const int64_t> dims) {
  std::vector<int64_t> strides(dims.size(), 0);
  if (CountOf(dims) == 0) return strides;
  int64_t s = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    strides[i] = s;
    s *= dims[i];
  }
  return strides;
}

// Calls f(index) for each element of a tensor of these sizes, in row-major order.
template <typename F>
void ForEachElement(std::span<const int64_t> dims, F&& f) {
  std::vector<int64_t> index(dims.size(), 0);
  const int64_t n = CountOf(dims);
  for (int64_t i = 0; i < n; ++i) {
    f(std::span<const int64_t>(index));
    for (size_t k = dims.size(); k-- > 0;) {
      if (++index[k] < dims[k]) break;
      index[k] = 0;
    }
  }
}

// Returns the sizes that two tensors broadcast to, if contents can have them.
inline std::optional<std::vector<int64_t>> BroadcastIndices(std::span<const int64_t> a,
                                                            std::span<const int64_t> b) {
  std::vector<int64_t> out(std::max(a.size(), b.size()));
  for (size_t i = 0; i < out.size(); ++i) {
    const int64_t x = i + a.size() < out.size() ? 1 : a[i + a.size() - out.size()];
    const int64_t y = i + b.size() < out.size() ? 1 : b[i + b.size() - out.size()];
    if (x != y && x != 1 && y != 1) return std::nullopt;
    out[i] = x == 1 ? y : x;
  }
  if (CountOf(out) > ContentsLimit::current()) return std::nullopt;
  return out;
}

// Returns the flat index in a tensor of sizes `dims` that broadcasts to `index`.
inline size_t PlaceOf(std::span<const int64_t> dims, std::span<const int64_t> index) {
  int64_t at = 0;
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t k = index[index.size() - dims.size() + i];
    at = at * dims[i] + (dims[i] == 1 ? 0 : k);
  }
  return static_cast<size_t>(at);
}

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_EVALUATE_CONTENTS_INDICES_H_
