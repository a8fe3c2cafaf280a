// Facts stores a set of constraints between sizes and answers queries about what follows from them.
//
// A constraint is a clause (see condition.h) with a kind, an owner and a scope.
// - Kind. Given: guaranteed by an operator or stated by the user. Checked: it holds because a guard is tested
//   before it is used. Assumed: a default of Dimwise, which may simplify but not select a branch or decide a
//   rank; FactFilter::kWithoutAssumed excludes these facts from a query. FactFilter::kWithoutChecked excludes
//   the checked facts, so that guards never prove each other. Pending: a guard of an open transaction,
//   which counts as given inside the transaction; it becomes checked when its scope is committed.
// - Owner. A number, usually of the node that asserted the constraint. Owners retract their own constraints.
// - Scope. A constraint holds in its scope and in the scopes inside it, and nowhere else.
//
// Invariants:
// 1. Answers are a function of the set of constraints, not of the order of changes.
// 2. A fact is never written back into an interned expression.
// 3. Entailment is interval evaluation, a lookup, and one combination of two facts. It is sound, not
//    complete: kMaybe means "not proved", never "both are possible".
// 4. Nothing is derived from a contradictory set: queries that depend on it are answered without facts.
//
// Thread safety: owned by one analysis and used by one thread at a time.
#ifndef DIMWISE_FACTS_H_
#define DIMWISE_FACTS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dimwise/condition.h"
#include "dimwise/shape.h"

namespace dimwise {

enum class FactKind : uint8_t { kGiven, kChecked, kAssumed, kPending };
enum class FactFilter : uint8_t { kEverything, kWithoutAssumed, kWithoutChecked };

enum class ScopeId : uint32_t { kRoot = 0 };
enum class ConstraintId : uint32_t {};
using OwnerId = uint32_t;

// Proved bounds of a size; nullopt if there is no bound.
struct SizeBounds {
  std::optional<int64_t> min, max;
  bool operator==(const SizeBounds&) const = default;
};

// d % modulus == remainder. Modulus 1 states nothing; modulus 0 states that d is the constant `remainder`.
struct Congruence {
  int64_t modulus = 1;
  int64_t remainder = 0;
  bool operator==(const Congruence&) const = default;
};

// Two constraints that cannot both hold. Both are equal if one constraint is contradictory by itself.
struct Contradiction {
  ConstraintId first, second;
  OwnerId first_owner, second_owner;
  std::string first_text, second_text;
};

class DIMWISE_API Facts {
 public:
  explicit Facts(DimTable& dims);
  ~Facts();
  Facts(const Facts&) = delete;
  Facts& operator=(const Facts&) = delete;

  // ---- Scopes ----
  ScopeId NewScope(ScopeId parent);
  // Removes the scope, its constraints and the scopes inside it.
  void DropScope(ScopeId scope);
  // Moves the constraints of a scope into its parent and removes the scope.
  void CommitScope(ScopeId scope);

  // ---- The set of constraints ----
  ConstraintId Assert(const Clause& clause, FactKind kind, OwnerId owner, ScopeId scope = ScopeId::kRoot);
  void Assert(const Condition& condition, FactKind kind, OwnerId owner, ScopeId scope = ScopeId::kRoot);
  void Retract(ConstraintId id);
  void RetractAll(OwnerId owner);
  size_t constraint_count() const;
  // Returns a number that grows with each change of the constraints visible in a scope. Adding a duplicate of
  // the same kind and scope changes nothing, nor does removing one of several duplicates.
  uint64_t version(ScopeId scope) const;
  // Returns whether there are checked facts, so that trusting them makes a difference.
  bool has_checked() const;
  // Visits each distinct constraint, in insertion order.
  void ForEach(const std::function<void(const Clause&, FactKind, OwnerId, ScopeId)>& visit) const;
  // Returns a conflict among the constraints visible in a scope, if there is one.
  std::optional<Contradiction> FindContradiction(ScopeId scope);

  // ---- Limit of queries ----
  // Sets how many steps a query may take. A step is a visit of a part of an expression, so the limit depends
  // neither on the machine nor on earlier queries. Beyond the limit a query is open, and an expression is not
  // simplified.
  static constexpr uint64_t kDefaultQuerySteps = 2048;  // real models need at most 128
  void SetMaxQuerySteps(uint64_t steps);
  // Returns the number of queries that exceeded the limit, and the steps of all queries.
  uint64_t unfinished_queries() const;
  uint64_t query_steps() const;

  // ---- Queries ----
  Truth Holds(const Literal& literal, ScopeId scope = ScopeId::kRoot,
              FactFilter filter = FactFilter::kEverything);
  Truth Holds(const Clause& clause, ScopeId scope = ScopeId::kRoot,
              FactFilter filter = FactFilter::kEverything);
  Truth Holds(const Condition& condition, ScopeId scope = ScopeId::kRoot,
              FactFilter filter = FactFilter::kEverything);
  Truth Equal(Dim a, Dim b, ScopeId scope = ScopeId::kRoot, FactFilter filter = FactFilter::kEverything);
  Truth AtLeast(Dim a, Dim b, ScopeId scope = ScopeId::kRoot, FactFilter filter = FactFilter::kEverything);
  SizeBounds Bounds(Dim d, ScopeId scope = ScopeId::kRoot, FactFilter filter = FactFilter::kEverything);
  Congruence CongruenceOf(Dim d, ScopeId scope = ScopeId::kRoot, FactFilter filter = FactFilter::kEverything);

  // Returns the simplest form of d that the facts prove: equal symbols and constants are substituted, exact
  // divisions computed, and max, min and broadcast decided. With `solve`, equalities such as N == 2*M are
  // used too. Proofs set it; printing does not.
  Dim Simplify(Dim d, ScopeId scope = ScopeId::kRoot, FactFilter filter = FactFilter::kEverything,
               bool solve = false);

  // Return an expression that bounds a symbol below or above, if one was asserted (u <= N*M); else none.
  Dim SymbolicMin(Dim symbol, ScopeId scope = ScopeId::kRoot);
  Dim SymbolicMax(Dim symbol, ScopeId scope = ScopeId::kRoot);

  DimTable& dims() const;

 private:
  friend class QueryTracking;  // core/facts/query_tracking.h
  struct Impl;
  Truth Answer(const Literal& literal, ScopeId scope, FactFilter filter);

  std::unique_ptr<Impl> impl_;
};

}  // namespace dimwise

#endif  // DIMWISE_FACTS_H_
