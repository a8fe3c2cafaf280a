#include "infer/engine/branch_choices.h"

#include <algorithm>
#include <optional>

namespace dimwise {
namespace {

constexpr size_t kMostChoices = 64;  // of a condition that are kept

}  // namespace

void BranchChoices::Add(uint64_t condition, const Choice& choice) {
  std::vector<Choice>& made = made_[condition];
  if (made.size() < kMostChoices) made.push_back(choice);
}

Dim BranchChoices::Find(DimTable& dims, uint64_t condition, Dim then, Dim otherwise,
                        const std::function<bool(const Choice&, Dim)>& suits) const {
  const auto made = made_.find(condition);
  if (made == made_.end()) return Dim();
  const Dim apart = dims.Subtract(then, otherwise);
  for (const Choice& choice : made->second) {
    const std::optional<Dim> times = dims.DivideExactly(apart, dims.Subtract(choice.then, choice.otherwise));
    if (!times || !times->is_constant()) continue;
    const Dim more = dims.Multiply(*times, dims.Subtract(choice.chosen, choice.otherwise));
    const Dim expression = dims.Add(otherwise, more);
    if (!expression.is_none() && suits(choice, expression)) return expression;
  }
  return Dim();
}

std::vector<Clause> BranchChoices::Where(DimTable& dims, uint64_t condition, bool is_true) const {
  std::vector<Clause> clauses;
  const auto made = made_.find(condition);
  if (made == made_.end()) return clauses;
  for (const Choice& choice : made->second)
    clauses.push_back({Equal(dims, choice.chosen, is_true ? choice.then : choice.otherwise)});
  return clauses;
}

Dim BranchChoices::Written(DimTable& dims, uint64_t condition, Dim d, bool is_true) const {
  const auto made = made_.find(condition);
  if (made == made_.end()) return d;
  return dims.Substitute(d, [&](Dim atom) -> Dim {
    const auto choice = std::ranges::find(made->second, atom, &Choice::chosen);
    return choice == made->second.end() ? Dim() : is_true ? choice->then : choice->otherwise;
  });
}

}  // namespace dimwise
