#include "infer/engine/state/input_assumptions.h"

#include <algorithm>

#include "core/dims/condition_logic.h"

namespace dimwise {

void InputAssumptions::Add(const Clause& clause, FactKind kind) {
  const Clause normal = Normalize(analysis_.dims(), clause);
  if (!(kind == FactKind::kAssumed ? assumed_ : stated_).insert(normal).second) return;
  entries_.push_back({normal, kind, analysis_.facts().Assert(normal, kind, /*owner=*/0, scope_)});
}

void InputAssumptions::State(const Condition& condition) {
  const DimTable& dims = analysis_.dims();
  for (const Clause& clause : condition.clauses) {
    Add(clause, FactKind::kGiven);
    if (clause.size() != 1 || clause[0].relation != Relation::kAtLeast || !clause[0].value.is_expression())
      continue;
    const Dim form = analysis_.dims().WithoutConstant(clause[0].value);
    if (form.is_expression() && dims.Kind(form) == DimKind::kSymbol) bounded_below_.push_back(form);
  }
}

void InputAssumptions::AssumeNotEmpty(Dim size) {
  if (!size.is_expression() || std::ranges::find(bounded_below_, size) != bounded_below_.end()) return;
  Add(Clause{AtLeast(analysis_.dims(), size, 1)}, FactKind::kAssumed);
}

void InputAssumptions::Withdraw(uint32_t index) { analysis_.facts().Retract(entries_[index].constraint); }

void InputAssumptions::Restore(uint32_t index) {
  Entry& e = entries_[index];
  e.constraint = analysis_.facts().Assert(e.clause, e.kind, /*owner=*/0, scope_);
}

}  // namespace dimwise
