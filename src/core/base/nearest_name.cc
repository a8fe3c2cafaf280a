#include "core/base/nearest_name.h"

#include <algorithm>
#include <array>

namespace dimwise {
namespace {

// Longer names are not compared: typing errors in them are rare, and the rows below fit on the stack.
constexpr size_t kMaxLength = 127;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

size_t CaseDistance(std::string_view a, std::string_view b) {
  size_t distance = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) distance += a[i] != b[i] ? size_t{1} : size_t{0};
  return distance;
}

}  // namespace

// Optimal string alignment distance, with the rows i - 2, i - 1 and i.
size_t EditDistance(std::string_view a, std::string_view b, size_t limit) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit) return limit + 1;
  if (a.size() > kMaxLength || b.size() > kMaxLength) return limit + 1;
  std::array<std::array<size_t, kMaxLength + 1>, 3> rows;
  for (size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    const auto& before = rows[(i + 2) % 3];
    auto& row = rows[i % 3];
    row[0] = i;
    size_t least = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const char x = Lower(a[i - 1]);
      const char y = Lower(b[j - 1]);
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + (x == y ? 0 : 1)});
      if (i > 1 && j > 1 && x == Lower(b[j - 2]) && Lower(a[i - 2]) == y) {
        row[j] = std::min(row[j], rows[(i + 1) % 3][j - 2] + 1);
      }
      least = std::min(least, row[j]);
    }
    // A transposition uses the row before the previous one, so it may cost one less than the minimum of this
    // row.
    if (least > limit + 1) return limit + 1;
  }
  return std::min(rows[a.size() % 3][b.size()], limit + 1);
}

std::string_view NearestName(std::string_view name, std::span<const std::string_view> candidates) {
  const size_t limit = std::min<size_t>(3, std::max<size_t>(1, name.size() / 3));
  std::string_view nearest;
  size_t best = limit + 1;
  size_t best_case = 0;
  for (const std::string_view candidate : candidates) {
    const size_t distance = EditDistance(name, candidate, std::min(limit, best));
    const size_t by_case = CaseDistance(name, candidate);
    if (distance > limit || distance > best || (distance == best && by_case >= best_case)) continue;
    nearest = candidate;
    best = distance;
    best_case = by_case;
  }
  return nearest;
}

}  // namespace dimwise
