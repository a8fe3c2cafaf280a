#include "infer/program/dim_sum.h"

#include <fmt/format.h>

#include <algorithm>

namespace dimwise {

void DimSum::Add(Dim d, int64_t times) {
  if (times == 0) return;
  const auto [at, is_new] = times_.insert({d, times});
  if (!is_new && (at.value() += times) == 0) times_.erase(at);
}

void DimSum::Add(const DimSum& other, int64_t times) {
  for (const auto& [d, count] : other.times_) Add(d, count * times);
}

size_t DimSum::expression_count() const {
  return static_cast<size_t>(
      std::ranges::count_if(times_, [](const auto& s) { return s.first.is_expression(); }));
}

std::vector<std::pair<Dim, int64_t>> DimSum::Summands() const {
  std::vector<std::pair<Dim, int64_t>> summands(times_.begin(), times_.end());
  std::ranges::sort(summands, {}, [](const auto& s) { return s.first.bits(); });
  return summands;
}

Dim DimSum::Total(DimTable& dims) const {
  Dim total = 0;
  for (const auto& [d, times] : Summands()) total = dims.Add(total, dims.Multiply(d, times));
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
  for (const auto& [d, count] : Summands()) {
    const std::string one = dims.ToString(d);
    text += text.empty() ? "" : " + ";
    text += count == 1 ? one : fmt::format("{}*({})", count, one);
  }
  return text;
}

}  // namespace dimwise
