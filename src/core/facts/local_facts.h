// A FactSource of the facts that are derived so far, for the clauses that they are derived from.
#ifndef DIMWISE_CORE_FACTS_LOCAL_FACTS_H_
#define DIMWISE_CORE_FACTS_LOCAL_FACTS_H_

#include <tsl/robin_map.h>

#include <optional>

#include "core/facts/derived_facts.h"
#include "core/facts/entailment.h"

namespace dimwise {

class LocalFacts : public FactSource {
 public:
  LocalFacts(const DimTable& table, const DerivedFacts& derived_facts)
      : FactSource(Facts::kDefaultQuerySteps), table_(table), derived_facts_(derived_facts) {}
  Interval OfSymbol(Dim symbol) const override {
    const SymbolInfo info = table_.GetSymbol(symbol);
    return Interval::FromInt64(info.min, info.max).Intersect(derived_facts_.OfForm(symbol));
  }
  Interval OfForm(Dim form) const override { return derived_facts_.OfForm(form); }
  bool has_forms() const override { return true; }
  const DerivedFacts* DerivedFactsAbout(Dim) const override { return &derived_facts_; }
  std::optional<Known<Truth>> Recall(const Literal& l) const override {
    const auto it = decided_.find(l);
    return it == decided_.end() ? std::nullopt : std::optional(it->second);
  }
  void Store(const Literal& l, Known<Truth> truth) const override { decided_[l] = truth; }

 private:
  struct LiteralHash {
    size_t operator()(const Literal& l) const {
      return static_cast<size_t>(l.value.bits()) * 8 + static_cast<size_t>(l.relation);
    }
  };
  const DimTable& table_;
  const DerivedFacts& derived_facts_;
  mutable tsl::robin_map<Literal, Known<Truth>, LiteralHash> decided_;
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_FACTS_LOCAL_FACTS_H_
