#include "infer/program/dim_sum.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dimwise {

void DimSum::Add(Dim d, int64_t times) {
  const auto bits = [](const Summand& s) { return s.d.bits(); };
  const auto at = std::ranges::lower_bound(summands_, d.bits(), {}, bits);
  if (at == summands_.end() || at->d != d) {
    if (times != 0) summands_.insert(at, {d, times});
  } else if ((at->times += times) == 0) {
    summands_.erase(at);
  }
}

template <typename Visitor>
void DimSum::Merge(const DimSum& a, const DimSum& b, const Visitor& visit) {
  auto x = a.summands_.begin(), y = b.summands_.begin();
  const auto end_a = a.summands_.end(), end_b = b.summands_.end();
  while (x != end_a || y != end_b) {
    if (y == end_b || (x != end_a && x->d.bits() < y->d.bits())) {
      visit(x->d, x->times, int64_t{0});
      ++x;
    } else if (x == end_a || y->d.bits() < x->d.bits()) {
      visit(y->d, int64_t{0}, y->times);
      ++y;
    } else {
      visit(x->d, x->times, y->times);
      ++x;
      ++y;
    }
  }
}

void DimSum::Add(const DimSum& other) {
  DimSum sum;
  Merge(*this, other, [&](Dim d, int64_t here, int64_t there) {
    if (here + there != 0) sum.summands_.push_back({d, here + there});
  });
  *this = std::move(sum);
}

DimSum DimSum::Difference(const DimSum& a, const DimSum& b) {
  DimSum difference;
  Merge(a, b, [&](Dim d, int64_t in_a, int64_t in_b) {
    if (in_a != in_b) difference.summands_.push_back({d, in_a - in_b});
  });
  return difference;
}

bool DimSum::is_positive() const {
  return std::ranges::all_of(summands_, [](const Summand& s) { return s.times > 0; });
}

size_t DimSum::expression_count() const {
  return static_cast<size_t>(
      std::ranges::count_if(summands_, [](const Summand& s) { return s.d.is_expression(); }));
}

Dim DimSum::Total(DimTable& dims) const {
  Dim total = 0;
  for (const auto& [d, times] : summands_) total = dims.Add(total, dims.Multiply(d, times));
  return total;
}

std::string DimSum::Text(DimTable& dims) const {
  const Dim total = Total(dims);
  const bool hidden =
      total.is_expression() && std::ranges::any_of(dims.SymbolsOf(total), [&](Dim s) {
        return dims.GetDefinition(s) != nullptr && dims.GetDefinition(s)->operation == Operation::kAdd;
      });
  if (!hidden) return dims.ToString(total);
  std::string text;
  for (const auto& [d, count] : summands_) {
    const std::string one = dims.ToString(d);
    text += text.empty() ? "" : " + ";
    text += count == 1 ? one : fmt::format("{}*({})", count, one);
  }
  return text;
}

}  // namespace dimwise
