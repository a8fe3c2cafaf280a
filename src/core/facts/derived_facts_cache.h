// A cache of the facts that were derived from sets of clauses. A node that is evaluated again asserts the
// same clauses, and the clauses of a transaction are asserted again in the outer scope when it is committed.
// Clauses have IDs, and whole sets of IDs are compared.
//
// Contradictory sets are not cached, because a contradiction names constraints. Other results depend on the
// clauses only.
#ifndef DIMWISE_CORE_FACTS_DERIVED_FACTS_CACHE_H_
#define DIMWISE_CORE_FACTS_DERIVED_FACTS_CACHE_H_

#include <tsl/robin_map.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/hash_mix.h"
#include "core/facts/derived_facts.h"

namespace dimwise {

struct ClauseHash {
  size_t operator()(const Clause& clause) const {
    uint64_t h = clause.size();
    for (const Literal& l : clause) {
      h = HashMix(h, static_cast<uint64_t>(l.value.bits()) * 4 + static_cast<uint64_t>(l.relation));
    }
    return static_cast<size_t>(h);
  }
};

class DerivedFactsCache {
 public:
  using Clauses = std::vector<uint32_t>;  // sorted IDs

  uint32_t NumberOf(const Clause& clause) {
    return numbers_.insert({clause, static_cast<uint32_t>(numbers_.size())}).first->second;
  }
  // Returns the facts derived from these clauses, or null.
  std::shared_ptr<const DerivedFacts> Find(const Clauses& clauses) const {
    const auto it = known_.find(clauses);
    return it == known_.end() ? nullptr : it->second;
  }
  void Insert(Clauses clauses, std::shared_ptr<const DerivedFacts> derived_facts) {
    if (derived_facts->conflict()) return;
    size_ += clauses.size();
    if (size_ > kMaxSize) {
      known_.clear();
      size_ = clauses.size();
    }
    known_.insert({std::move(clauses), std::move(derived_facts)});
  }

 private:
  static constexpr size_t kMaxSize = size_t{1} << 14;  // clauses of all sets together

  struct ClausesHash {
    size_t operator()(const Clauses& clauses) const {
      uint64_t h = clauses.size();
      for (const uint32_t c : clauses) h = HashMix(h, c);
      return static_cast<size_t>(h);
    }
  };

  tsl::robin_map<Clause, uint32_t, ClauseHash> numbers_;
  tsl::robin_map<Clauses, std::shared_ptr<const DerivedFacts>, ClausesHash> known_;
  size_t size_ = 0;
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_FACTS_DERIVED_FACTS_CACHE_H_
