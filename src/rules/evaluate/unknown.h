// Unknown values of rules, and comparisons of values that may be unknown.
//
// The elements of a list, or its length, may be unknown; an empty list is known.
#ifndef DIMWISE_RULES_EVALUATE_UNKNOWN_H_
#define DIMWISE_RULES_EVALUATE_UNKNOWN_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "dimwise/condition.h"
#include "dimwise/element_type.h"

namespace dimwise::rules {

template <typename T>
std::span<const T> UnknownList() {
  static const T nothing{};
  return {&nothing, 0};
}
// A nan that no computation produces.
inline constexpr double kUnknownReal = std::bit_cast<double>(uint64_t{0x7FF8'0000'4449'4D57});

template <typename T>
T Unknown() {
  if constexpr (std::is_same_v<T, double>) return kUnknownReal;
  return T();
}

template <typename T>
bool IsUnknown(std::span<const T> list) {
  return list.empty() && list.data() == UnknownList<T>().data();
}
inline bool IsUnknown(std::string_view text) { return text.data() == nullptr; }
inline bool IsUnknown(double real) {
  return std::bit_cast<uint64_t>(real) == std::bit_cast<uint64_t>(kUnknownReal);
}
inline bool IsUnknown(ElementType type) { return type == ElementType::kUnknown; }

// Returns whether two values are equal.
template <typename T>
Truth Same(const T& a, const T& b) {
  if (IsUnknown(a) || IsUnknown(b)) return Truth::kMaybe;
  return a == b ? Truth::kYes : Truth::kNo;
}
template <typename T>
Truth Same(std::span<const T> a, std::span<const T> b) {
  if (IsUnknown(a) || IsUnknown(b)) return Truth::kMaybe;
  if (a.size() != b.size()) return Truth::kNo;
  Truth all = Truth::kYes;
  for (size_t i = 0; i < a.size(); ++i) all = std::min(all, Same(a[i], b[i]));
  return all;
}

// Returns whether an element is in a list.
template <typename T>
Truth IsIn(const T& element, std::span<const T> list) {
  if (IsUnknown(list)) return Truth::kMaybe;
  Truth any = Truth::kNo;
  for (const T& other : list) any = std::max(any, Same(element, other));
  return any;
}

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_EVALUATE_UNKNOWN_H_
