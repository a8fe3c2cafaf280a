// InputAssumptions holds the assumptions about the inputs: conditions that the user states, and the default
// that each size of an input is at least 1. They are facts without an owner, and can be withdrawn.
#ifndef DIMWISE_INFER_ENGINE_STATE_INPUT_ASSUMPTIONS_H_
#define DIMWISE_INFER_ENGINE_STATE_INPUT_ASSUMPTIONS_H_

#include <tsl/robin_set.h>

#include <vector>

#include "core/facts/derived_facts_cache.h"
#include "dimwise/analysis.h"

namespace dimwise {

class InputAssumptions {
 public:
  struct Entry {
    Clause clause;
    FactKind kind = FactKind::kGiven;  // kGiven: of the user; kAssumed: the default
    ConstraintId constraint{};
  };

  InputAssumptions(Analysis& analysis, ScopeId scope) : analysis_(analysis), scope_(scope) {}

  // Adds a condition of the user. A lower bound of a symbol replaces the default for this symbol.
  void State(const Condition& condition);
  // Adds the default for a size, unless the user bounds it below.
  void AssumeNotEmpty(Dim size);

  // The assumptions without duplicates, in the order in which they were added.
  const std::vector<Entry>& entries() const { return entries_; }
  // Removes an assumption from the facts, or adds it again.
  void Withdraw(uint32_t index);
  void Restore(uint32_t index);

 private:
  void Add(const Clause& clause, FactKind kind);

  Analysis& analysis_;
  const ScopeId scope_;
  std::vector<Entry> entries_;
  std::vector<Dim> bounded_below_;  // by the user
  tsl::robin_set<Clause, ClauseHash> stated_, assumed_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_STATE_INPUT_ASSUMPTIONS_H_
