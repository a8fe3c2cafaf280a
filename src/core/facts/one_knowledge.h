// A FactSource of the facts that are derived so far, for the clauses that they are derived from.
#ifndef DIMWISE_CORE_FACTS_ONE_KNOWLEDGE_H_
#define DIMWISE_CORE_FACTS_ONE_KNOWLEDGE_H_

#include <tsl/robin_map.h>

#include <optional>

#include "core/facts/entailment.h"
#include "core/facts/knowledge.h"

namespace dimwise {

class OneKnowledge : public FactSource {
 public:
  OneKnowledge(const DimTable& table, const Knowledge& knowledge) : table_(table), knowledge_(knowledge) {}
  Interval OfSymbol(Dim symbol) const override {
    const SymbolInfo info = table_.GetSymbol(symbol);
    return Interval::FromInt64(info.min, info.max).Intersect(knowledge_.OfForm(symbol));
  }
  Interval OfForm(Dim form) const override { return knowledge_.OfForm(form); }
  bool has_forms() const override { return true; }
  const Knowledge* KnowledgeAbout(Dim) const override { return &knowledge_; }
  std::optional<Truth> Recall(const Literal& l) const override {
    const auto it = decided_.find(l);
    return it == decided_.end() ? std::nullopt : std::optional(it->second);
  }
  void Keep(const Literal& l, Truth truth) const override { decided_[l] = truth; }

 private:
  struct LiteralHash {
    size_t operator()(const Literal& l) const {
      return static_cast<size_t>(l.value.bits()) * 8 + static_cast<size_t>(l.relation);
    }
  };
  const DimTable& table_;
  const Knowledge& knowledge_;
  mutable tsl::robin_map<Literal, Truth, LiteralHash> decided_;
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_FACTS_ONE_KNOWLEDGE_H_
