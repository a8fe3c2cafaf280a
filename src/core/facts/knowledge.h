// Knowledge denotes what follows from one set of constraints, all of which speak of connected symbols.
//
// It is built from the set at once and never changed: constraints are taken in an order that depends only on
// what they say, so the result is a function of the set. Building goes in rounds, at most kMaxRounds:
//  - equalities solve symbols (the one that comes last in the order of names is written by the others);
//  - `p - m*floordiv(p, m) == r` is the congruence p % m == r;
//  - inequalities bound canonical forms; a bound that closes on one number is a new equality;
//  - in an equality, floordiv(p, m) is (p - r)/m where p % m == r is known;
//  - a bound on floordiv(p, m) or max(0, t) bounds what stands inside; broadcast(a, b) == r makes a and b 1
//  or r;
//  - a clause all but one of whose literals are false is that literal.
// Each derived piece knows one constraint that it came from, so that a contradiction can name two.
#ifndef DIMWISE_CORE_FACTS_KNOWLEDGE_H_
#define DIMWISE_CORE_FACTS_KNOWLEDGE_H_

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

// The order in which clauses are taken, which depends only on what they say and who says it.
bool ComesFirst(const DimTable& table, const Clause& a, OwnerId owner_of_a, const Clause& b,
                OwnerId owner_of_b);

// Whether of two equal symbols the first is written by the other.
bool IsWrittenBy(const DimTable& table, Dim symbol, Dim other);

class Knowledge {
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

  // Derives everything. REQUIRES: the clauses are normal (see Normalize) and in order (see ComesFirst).
  static Knowledge Build(DimTable& table, std::vector<SourcedClause> clauses);

  // What follows from further clauses besides, where these leave all that is known as it is: the same that
  // Build finds from all of them. Else none. `is_new`: whether none of the clauses so far speaks of a symbol.
  // REQUIRES: no clause, so far or further, speaks of a symbol that has a definition.
  std::optional<Knowledge> Extended(DimTable& table, std::span<const SourcedClause> more,
                                    FunctionRef<bool(Dim)> is_new) const;

  // The same clauses have the same number, as long as they are remembered; no others have it.
  uint32_t number() const { return number_; }
  void set_number(uint32_t number) { number_ = number; }

  const std::optional<Conflict>& conflict() const { return conflict_; }
  // The solved value of a symbol, else none.
  Dim SolutionOf(Dim symbol) const;
  // Of the symbols with the same solution, which is neither a number nor a symbol, the one that is told; none
  // for that one itself.
  Dim EqualSymbolOf(Dim symbol) const;
  Interval OfForm(Dim form) const;
  Congruence ResidueOf(Dim form) const;
  // The quotients that leave a known remainder by something: H//4 where (H//4) % 7 is known.
  std::span<const Dim> divided_quotients() const { return divided_quotients_; }
  std::span<const FormFact> forms() const { return forms_; }
  // Values that are known not to be 0, in normal form; clauses that are still open.
  std::span<const Dim> not_zero() const { return not_zero_; }
  std::span<const Clause> open_clauses() const { return open_; }
  // Sample points at which all the clauses hold.
  PointSet points() const { return points_; }

 private:
  friend class KnowledgeBuilder;
  friend class KnowledgeExtender;
  tsl::robin_map<Dim, Solution, std::hash<Dim>> solutions_;
  tsl::robin_map<Dim, Dim, std::hash<Dim>> equal_symbols_;
  std::vector<FormFact> forms_;
  tsl::robin_map<Dim, uint32_t, std::hash<Dim>> form_index_;
  tsl::robin_map<Dim, ResidueFact, std::hash<Dim>> residues_;
  std::vector<Dim> divided_quotients_;
  std::vector<Dim> not_zero_;
  std::vector<Clause> open_;
  std::optional<Conflict> conflict_;
  PointSet points_ = kAllPoints;
  uint32_t number_ = 0;
  bool is_settled_ = false;       // each clause is taken as it is; none led to another, none is idle
  bool asks_for_bounds_ = false;  // a bound that is raised may have consequences
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_FACTS_KNOWLEDGE_H_
