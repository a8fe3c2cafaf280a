#include "infer/engine/control/branch_choices.h"

#include <algorithm>
#include <optional>

namespace dimwise {
namespace {

constexpr size_t kMaxChoices = 64;  // of one condition

}  // namespace

void BranchChoices::Add(ValueNumber condition, const Choice& choice) {
  std::vector<Choice>& choices = choices_[Index(condition)];
  if (choices.size() < kMaxChoices) choices.push_back(choice);
}

Dim BranchChoices::Find(DimTable& dims, ValueNumber condition, Dim if_true, Dim if_false,
                        FunctionRef<Accepts> accepts) const {
  const auto it = choices_.find(Index(condition));
  if (it == choices_.end()) return Dim();
  const Dim difference = dims.Subtract(if_true, if_false);
  for (const Choice& choice : it->second) {
    const std::optional<Dim> factor =
        dims.DivideExactly(difference, dims.Subtract(choice.if_true, choice.if_false));
    if (!factor || !factor->is_constant()) continue;
    const Dim added = dims.Multiply(*factor, dims.Subtract(choice.chosen, choice.if_false));
    const Dim expression = dims.Add(if_false, added);
    if (!expression.is_none() && accepts(choice, expression)) return expression;
  }
  return Dim();
}

std::vector<Clause> BranchChoices::FactsWhere(DimTable& dims, ValueNumber condition, bool is_true) const {
  std::vector<Clause> clauses;
  const auto it = choices_.find(Index(condition));
  if (it == choices_.end()) return clauses;
  for (const Choice& choice : it->second)
    clauses.push_back({Equal(dims, choice.chosen, is_true ? choice.if_true : choice.if_false)});
  return clauses;
}

Dim BranchChoices::Resolve(DimTable& dims, ValueNumber condition, Dim d, bool is_true) const {
  const auto it = choices_.find(Index(condition));
  if (it == choices_.end()) return d;
  return dims.Substitute(d, [&](Dim atom) -> Dim {
    const auto choice = std::ranges::find(it->second, atom, &Choice::chosen);
    return choice == it->second.end() ? Dim() : is_true ? choice->if_true : choice->if_false;
  });
}

}  // namespace dimwise
