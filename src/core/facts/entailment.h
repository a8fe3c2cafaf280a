// Derives from facts: bounds, congruences, simpler expressions, and whether a literal or clause holds.
//
// The facts come from a FactSource: one DerivedFacts for each connected set of symbols. Queries do not change
// the facts. kProvedIdentities (core/dims/identities.h) lists the laws by which literals are proved.
#ifndef DIMWISE_CORE_FACTS_ENTAILMENT_H_
#define DIMWISE_CORE_FACTS_ENTAILMENT_H_

#include <optional>
#include <span>

#include "core/dims/bounds.h"
#include "core/dims/sample_points.h"
#include "core/facts/derived_facts.h"
#include "dimwise/condition.h"

namespace dimwise {

class FactSource : public BoundsSource {
 public:
  // Returns the facts about a symbol, or null.
  virtual const DerivedFacts* DerivedFactsAbout(Dim symbol) const = 0;

  // Caches of answers. A source is used only while its facts do not change.
  virtual std::optional<Truth> Recall(const Literal&) const { return std::nullopt; }
  virtual void Store(const Literal&, Truth) const {}
  virtual std::optional<Dim> RecallSimplified(Dim d, bool solve) const {
    const auto it = simplified_[solve ? 1 : 0].find(d);
    return it == simplified_[solve ? 1 : 0].end() ? std::nullopt : std::optional(it->second);
  }
  virtual void StoreSimplified(Dim d, bool solve, Dim result) const {
    simplified_[solve ? 1 : 0][d] = result;
  }

  // The stack of expressions that are being simplified, innermost first.
  struct UnderWay {
    Dim d;
    bool solve;
    const UnderWay* outer;
  };
  mutable const UnderWay* under_way = nullptr;

 private:
  mutable tsl::robin_map<Dim, Dim, std::hash<Dim>> simplified_[2];
};

// Returns the coefficient of the product with these factors, or 0. REQUIRES: the factors are those of a term;
// products are interned, so the address identifies the product.
int64_t CoefficientOf(const DimTable& table, Dim d, std::span<const Dim> factors);

// Returns bounds by interval evaluation, lookup of forms, and one combination of d with a known form
// (CombinationOfFacts).
Interval BoundsByFacts(DimTable& table, const FactSource& source, Dim d,
                       const EnoughBounds* enough = nullptr);

// Returns the sample points at which all facts about the symbols of d hold.
PointSet PointsByFacts(const DimTable& table, const FactSource& source, Dim d);

Congruence CongruenceByFacts(DimTable& table, const FactSource& source, Dim d);

// See Facts::Simplify.
Dim SimplifyByFacts(DimTable& table, const FactSource& source, Dim d, bool solve);

Truth Entails(DimTable& table, const FactSource& source, const Literal& literal);
Truth Entails(DimTable& table, const FactSource& source, const Clause& clause);

}  // namespace dimwise

#endif  // DIMWISE_CORE_FACTS_ENTAILMENT_H_
