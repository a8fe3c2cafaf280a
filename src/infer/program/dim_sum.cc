#include "infer/program/dim_sum.h"

#include <fmt/format.h>

#include <algorithm>

namespace dimwise {

void DimSum::Add(Dim d, int64_t times) {
  int64_t& count = times_[d];
  count += times;
  if (count == 0) times_.erase(d);
}

void DimSum::Add(const DimSum& other, int64_t times) {
  for (const auto& [d, count] : other.times_) Add(d, count * times);
}

bool DimSum::is_positive() const {
  return std::ranges::all_of(times_, [](const auto& entry) { return entry.second > 0; });
}

size_t DimSum::expression_count() const {
  return static_cast<size_t>(
      std::ranges::count_if(times_, [](const auto& entry) { return entry.first.is_expression(); }));
}

Dim DimSum::Total(DimTable& dims) const {
  Dim total = 0;
  for (const auto& [d, count] : times_) total = dims.Add(total, dims.Multiply(d, count));
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
  for (const auto& [d, count] : times_) {
    const std::string one = dims.ToString(d);
    text += text.empty() ? "" : " + ";
    text += count == 1 ? one : fmt::format("{}*({})", count, one);
  }
  return text;
}

}  // namespace dimwise
