// What follows from facts: bounds, congruences, simpler expressions, yes or no or maybe.
//
// The facts come from a FactSource: a Knowledge for each connected set of symbols. Nothing here writes to it.
#ifndef DIMWISE_CORE_ENTAILMENT_H_
#define DIMWISE_CORE_ENTAILMENT_H_

#include "core/bounds.h"
#include "core/knowledge.h"
#include "dimwise/condition.h"

namespace dimwise {

class FactSource : public BoundsSource {
 public:
  // The knowledge that speaks of a symbol, or null.
  virtual const Knowledge* KnowledgeAbout(Dim symbol) const = 0;

  // What was simplified while this source is asked (its facts do not change meanwhile): plainly, and solved.
  using Simplified = tsl::robin_map<Dim, Dim, std::hash<Dim>>;
  virtual Simplified& simplified(bool solve) const { return simplified_[solve ? 1 : 0]; }

 private:
  mutable Simplified simplified_[2];
};

// Interval evaluation, look-up of forms, and one combination of d with a known form.
Interval BoundsByFacts(DimTable& table, const FactSource& source, Dim d);

Congruence CongruenceByFacts(DimTable& table, const FactSource& source, Dim d);

// See Facts::Simplify.
Dim SimplifyByFacts(DimTable& table, const FactSource& source, Dim d, bool solve);

Truth Entails(DimTable& table, const FactSource& source, const Literal& literal);
Truth Entails(DimTable& table, const FactSource& source, const Clause& clause);

}  // namespace dimwise

#endif  // DIMWISE_CORE_ENTAILMENT_H_
