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

  // Caches of answers. A source is used only while its facts do not change. An answer has the number of steps
  // that it took when it was computed.
  template <typename T>
  struct Known {
    T answer;
    uint32_t steps = 0;
  };
  virtual std::optional<Known<Truth>> Recall(const Literal&) const { return std::nullopt; }
  virtual void Store(const Literal&, Known<Truth>) const {}
  virtual std::optional<Known<Dim>> RecallSimplified(Dim d, bool solve) const {
    const auto it = simplified_[solve ? 1 : 0].find(d);
    return it == simplified_[solve ? 1 : 0].end() ? std::nullopt : std::optional(it->second);
  }
  virtual void StoreSimplified(Dim d, bool solve, Known<Dim> result) const {
    simplified_[solve ? 1 : 0][d] = result;
  }

  // The budget of one query and of the queries nested in it. An answer from a cache costs the steps of its
  // first computation. A nested query that exceeds the budget is open. Answers therefore do not depend on
  // what is cached.
  void CountSteps(uint32_t steps) const override { steps_ += steps; }
  uint64_t steps() const { return steps_; }
  bool is_exhausted() const { return steps_ > max_steps_; }
  // Gives the queries that follow a budget of their own.
  void StartQuery() const { steps_ = 0; }

  // The stack of expressions that are being simplified, innermost first.
  struct UnderWay {
    Dim d;
    bool solve;
    const UnderWay* outer;
  };
  mutable const UnderWay* under_way = nullptr;

 protected:
  explicit FactSource(uint64_t max_steps) : max_steps_(max_steps) {}

 private:
  const uint64_t max_steps_;
  mutable uint64_t steps_ = 0;
  mutable tsl::robin_map<Dim, Known<Dim>, std::hash<Dim>> simplified_[2];
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
