// What follows from facts: bounds, congruences, simpler expressions, yes or no or maybe.
//
// The facts come from a FactSource: a Knowledge for each connected set of symbols. Nothing here writes to it.
#ifndef DIMWISE_CORE_FACTS_ENTAILMENT_H_
#define DIMWISE_CORE_FACTS_ENTAILMENT_H_

#include <optional>
#include <span>

#include "core/dims/bounds.h"
#include "core/dims/sample_points.h"
#include "core/facts/knowledge.h"
#include "dimwise/condition.h"

namespace dimwise {

class FactSource : public BoundsSource {
 public:
  // The knowledge that speaks of a symbol, or null.
  virtual const Knowledge* KnowledgeAbout(Dim symbol) const = 0;

  // What was answered before (its facts do not change while a source is asked).
  virtual std::optional<Truth> Recall(const Literal&) const { return std::nullopt; }
  virtual void Keep(const Literal&, Truth) const {}
  virtual std::optional<Dim> RecallSimplified(Dim d, bool solve) const {
    const auto it = simplified_[solve ? 1 : 0].find(d);
    return it == simplified_[solve ? 1 : 0].end() ? std::nullopt : std::optional(it->second);
  }
  virtual void KeepSimplified(Dim d, bool solve, Dim result) const { simplified_[solve ? 1 : 0][d] = result; }

  // What is being simplified, from the inside out.
  struct UnderWay {
    Dim d;
    bool solve;
    const UnderWay* outer;
  };
  mutable const UnderWay* under_way = nullptr;

 private:
  mutable tsl::robin_map<Dim, Dim, std::hash<Dim>> simplified_[2];
};

// The coefficient of the product with these factors, which are those of a term (products are interned: the
// same place is the same product).
int64_t CoefficientOf(const DimTable& table, Dim d, std::span<const Dim> factors);

// Interval evaluation, look-up of forms, and one combination of d with a known form.
Interval BoundsByFacts(DimTable& table, const FactSource& source, Dim d,
                       const EnoughBounds* enough = nullptr);

// The sample points at which all holds that is known of the symbols of d.
PointSet PointsByFacts(const DimTable& table, const FactSource& source, Dim d);

Congruence CongruenceByFacts(DimTable& table, const FactSource& source, Dim d);

// See Facts::Simplify.
Dim SimplifyByFacts(DimTable& table, const FactSource& source, Dim d, bool solve);

Truth Entails(DimTable& table, const FactSource& source, const Literal& literal);
Truth Entails(DimTable& table, const FactSource& source, const Clause& clause);

}  // namespace dimwise

#endif  // DIMWISE_CORE_FACTS_ENTAILMENT_H_
