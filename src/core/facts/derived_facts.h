// DerivedFacts denotes the facts that follow from one set of constraints on connected symbols.
//
// It is built from the whole set and immutable. Constraints are taken in an order that depends only on their
// content, so the result is a function of the set. Building proceeds in rounds, at most kMaxRounds
// (limits.h):
// - Equalities solve symbols. The symbol that comes last in the order of names is expressed by the others.
// - `p - m*floordiv(p, m) == r` is the congruence p % m == r.
// - Inequalities bound canonical forms. An interval with one number is a new equality.
// - In an equality, floordiv(p, m) is (p - r)/m if p % m is known to be r.
// - A bound on floordiv(p, m) or max(0, t) bounds p or t. broadcast(a, b) == r implies that a is 1 or r, and
//   the same for b.
// - A clause with one literal that is not false implies this literal.
// - broadcastable(a, b, ...) where b is not 1 implies that each other size is 1 or b.
// Each derived fact stores one constraint that it follows from, so that a contradiction can name two.
#ifndef DIMWISE_CORE_FACTS_DERIVED_FACTS_H_
#define DIMWISE_CORE_FACTS_DERIVED_FACTS_H_

#include <tsl/robin_map.h>

#include <optional>
#include <span>
#include <vector>

#include "core/base/function_ref.h"
#include "core/dims/bounds.h"
#include "core/dims/interval.h"
#include "core/dims/sample_points.h"
#include "dimwise/condition.h"
#include "dimwise/facts.h"

namespace dimwise {

struct SourcedClause {
  Clause clause;
  ConstraintId source;
  OwnerId owner;
};

// Returns whether clause a is taken before clause b. The order depends only on contents and owners.
bool ComesFirst(const DimTable& table, const Clause& a, OwnerId owner_of_a, const Clause& b,
                OwnerId owner_of_b);

// Returns whether `symbol` is replaced by `other` if the two are equal.
bool IsReplacedBy(const DimTable& table, Dim symbol, Dim other);

class DerivedFacts {
 public:
  struct FormFact {
    Dim form;
    Interval interval;
    ConstraintId lo_source{}, hi_source{};
  };
  struct ResidueFact {
    Congruence congruence;
    ConstraintId source{};
  };
  struct Solution {
    Dim value;
    ConstraintId source{};
  };
  struct Conflict {
    ConstraintId first, second;
  };

  // Derives all facts. REQUIRES: the clauses are normal (see Normalize) and in order (see ComesFirst).
  static DerivedFacts Build(DimTable& table, std::vector<SourcedClause> clauses);

  // Returns the facts that follow from further clauses too: the same that Build derives from all clauses.
  // Returns nullopt if a further clause affects existing facts. `is_new` returns whether no clause so far
  // mentions a symbol. REQUIRES: no clause mentions a symbol that has a definition.
  std::optional<DerivedFacts> Extended(DimTable& table, std::span<const SourcedClause> more,
                                       FunctionRef<bool(Dim)> is_new) const;

  // An ID of the set of clauses. Two sets with the same ID are equal. Equal sets have the same ID as long as
  // they are cached.
  uint32_t number() const { return number_; }
  void set_number(uint32_t number) { number_ = number; }

  const std::optional<Conflict>& conflict() const { return conflict_; }
  // Returns the value of a solved symbol, or none.
  Dim SolutionOf(Dim symbol) const;
  // Returns the representative of the symbols with the same solution, if the solution is neither a constant
  // nor a symbol. Returns none for the representative.
  Dim EqualSymbolOf(Dim symbol) const;
  Interval OfForm(Dim form) const;
  Congruence ResidueOf(Dim form) const;
  // The quotients with a known remainder: H//4 if (H//4) % 7 is known.
  std::span<const Dim> divided_quotients() const { return divided_quotients_; }
  std::span<const FormFact> forms() const { return forms_; }
  // Values that are not 0, in normal form; clauses of several literals that are not decided.
  std::span<const Dim> not_zero() const { return not_zero_; }
  std::span<const Clause> open_clauses() const { return open_; }
  // The known conditions that three or more sizes broadcast: the conflicts (DimTable::Conflict) that are 0.
  std::span<const Dim> no_conflicts() const { return no_conflicts_; }
  // The sample points at which all clauses hold.
  PointSet points() const { return points_; }

 private:
  friend class DerivedFactsBuilder;
  friend class DerivedFactsExtender;
  tsl::robin_map<Dim, Solution, std::hash<Dim>> solutions_;
  tsl::robin_map<Dim, Dim, std::hash<Dim>> equal_symbols_;
  std::vector<FormFact> forms_;
  tsl::robin_map<Dim, uint32_t, std::hash<Dim>> form_index_;
  tsl::robin_map<Dim, ResidueFact, std::hash<Dim>> residues_;
  std::vector<Dim> divided_quotients_;
  std::vector<Dim> not_zero_;
  std::vector<Clause> open_;
  std::vector<Dim> no_conflicts_;
  std::optional<Conflict> conflict_;
  PointSet points_ = kAllPoints;
  uint32_t number_ = 0;
  bool is_settled_ = false;         // no clause was derived from others
  bool depends_on_bounds_ = false;  // a tighter bound may have consequences
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_FACTS_DERIVED_FACTS_H_
