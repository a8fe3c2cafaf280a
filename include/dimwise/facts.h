// Facts denotes what is known to hold between sizes: a set of constraints, and what follows from it.
//
// A constraint is a clause (see condition.h) with a kind, an owner and a scope.
//  - Kind. Given: the operator guarantees it, or the user said so. Checked: it holds because a kept check
//  comes
//    first. Assumed: a default of ours, which may simplify but not choose a branch or decide a rank; a
//    question with Trust::kWithoutAssumed leaves those out. Trust::kWithoutChecked leaves the checked ones
//    out, so that two checks never excuse each other. Pending: a check of a transaction that is not over, for
//    which it counts as given; it becomes a checked one when its scope is committed.
//  - Owner. The node that asserted it, or whoever: a number. Owners retract their own constraints.
//  - Scope. What holds in a scope holds in the scopes inside it, and nowhere else.
//
// Invariants:
//  1. Answers are a function of the set of constraints, not of the order in which they came or went.
//  2. A fact is never written back into an interned expression.
//  3. Entailment is interval evaluation, a look-up, and one combination of two facts; it is sound, not
//  complete:
//     kMaybe means "not shown", never "both happen".
//  4. A contradictory set answers from nothing: every question that touches it is answered without facts.
//
// Thread safety: owned by one analysis and used by one thread at a time.
#ifndef DIMWISE_FACTS_H_
#define DIMWISE_FACTS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dimwise/condition.h"
#include "dimwise/shape.h"

namespace dimwise {

enum class FactKind : uint8_t { kGiven, kChecked, kAssumed, kPending };
enum class Trust : uint8_t { kEverything, kWithoutAssumed, kWithoutChecked };

enum class ScopeId : uint32_t { kRoot = 0 };
enum class ConstraintId : uint32_t {};
using OwnerId = uint32_t;

// What is shown of a size; nothing where it is not bounded.
struct SizeBounds {
  std::optional<int64_t> min, max;
  bool operator==(const SizeBounds&) const = default;
};

// d % modulus == remainder; modulus 1 says nothing, modulus 0 that d is the constant `remainder`.
struct Congruence {
  int64_t modulus = 1;
  int64_t remainder = 0;
  bool operator==(const Congruence&) const = default;
};

class NotedSymbols;

// Two constraints that cannot both hold (the same one twice where it fails by itself).
struct Contradiction {
  ConstraintId first, second;
  OwnerId first_owner, second_owner;
  std::string first_text, second_text;
};

// How many questions were asked so far: of the constraints, as against answered from the expressions alone.
struct QuestionCount {
  uint32_t all = 0;
  uint32_t of_checked = 0;  // in which what is checked had a say
  uint32_t open = 0;        // whose answers more facts could change: all but yes and no
  bool operator==(const QuestionCount&) const = default;
};

// What somebody asked: so that he can ask again, in the same words, instead of finding out once more what to
// ask.
struct QuestionLog {
  struct Question {
    uint32_t size = 0;  // how many of the literals are its clause
    Trust trust{};
    bool is_open = false;         // he was told neither yes nor no
    bool is_requirement = false;  // then all that matters is whether it is refused by now
  };
  std::vector<Literal> literals;
  std::vector<Question> questions;
  bool is_complete = true;  // no question of another form was asked

  void Clear() {
    literals.clear();
    questions.clear();
    is_complete = true;
  }
};

class DIMWISE_API Facts {
 public:
  explicit Facts(DimTable& dims);
  ~Facts();
  Facts(const Facts&) = delete;
  Facts& operator=(const Facts&) = delete;

  // ---- Scopes ----
  ScopeId NewScope(ScopeId parent);
  // Forgets the scope, what it holds and the scopes inside it.
  void DropScope(ScopeId scope);
  // Moves what a scope holds into its parent, then drops it.
  void CommitScope(ScopeId scope);

  // ---- The set of constraints ----
  ConstraintId Assert(const Clause& clause, FactKind kind, OwnerId owner, ScopeId scope = ScopeId::kRoot);
  void Assert(const Condition& condition, FactKind kind, OwnerId owner, ScopeId scope = ScopeId::kRoot);
  void Retract(ConstraintId id);
  void RetractAll(OwnerId owner);
  size_t constraint_count() const;
  // Grows with each change of what a scope can see. A constraint that is there already, of the same kind and
  // scope, changes nothing, nor does its going while another says the same.
  uint64_t version(ScopeId scope) const;
  QuestionCount question_count() const;
  // What somebody asked since that count, at that version: a number for the following; 0 where he asked
  // nothing.
  uint64_t AskedSince(const QuestionCount& count, uint64_t version) const;
  // Whether he might be answered otherwise by now: at all, or about the symbols of d. Who trusted in nothing
  // that is checked is not concerned by what was checked since, and who was told yes and no only by what was
  // taken back.
  bool HaveChangedSince(uint64_t asked, ScopeId scope) const;
  bool HaveChangedSince(uint64_t asked, Dim d, ScopeId scope) const;
  bool HaveChangedSince(uint64_t asked, std::span<const Dim> dims, ScopeId scope) const;
  // The same asked again now.
  uint64_t AskedAgain(uint64_t asked, ScopeId scope) const;
  // From now on the symbols that are asked about are added to `symbols`; null ends that. Answers what was
  // there before.
  NotedSymbols* NoteSymbols(NotedSymbols* symbols);
  // From now on questions are kept in `log`; null ends that. Answers what was there before.
  QuestionLog* Keep(QuestionLog* log);
  // The last question was for a requirement.
  void MarkRequirement();
  // Whether who asked that would be told the same by now. `asked` is what AskedSince said of all that he
  // asked.
  bool WouldAnswerTheSame(const QuestionLog& log, ScopeId scope, uint64_t asked);
  // Whether trust in what is checked makes a difference.
  bool has_checked() const;
  // d counts as asked about, by one who asked in the way of `asked`, if symbols are noted.
  void Note(Dim d, ScopeId scope, uint64_t asked);
  // Each distinct constraint that is there, in the order of coming.
  void ForEach(const std::function<void(const Clause&, FactKind, OwnerId, ScopeId)>& visit) const;
  // A conflict among the constraints that a scope sees, if there is one.
  std::optional<Contradiction> FindContradiction(ScopeId scope);

  // ---- Questions ----
  Truth Holds(const Literal& literal, ScopeId scope = ScopeId::kRoot, Trust trust = Trust::kEverything);
  Truth Holds(const Clause& clause, ScopeId scope = ScopeId::kRoot, Trust trust = Trust::kEverything);
  Truth Holds(const Condition& condition, ScopeId scope = ScopeId::kRoot, Trust trust = Trust::kEverything);
  Truth Equal(Dim a, Dim b, ScopeId scope = ScopeId::kRoot, Trust trust = Trust::kEverything);
  Truth AtLeast(Dim a, Dim b, ScopeId scope = ScopeId::kRoot, Trust trust = Trust::kEverything);
  SizeBounds Bounds(Dim d, ScopeId scope = ScopeId::kRoot, Trust trust = Trust::kEverything);
  Congruence CongruenceOf(Dim d, ScopeId scope = ScopeId::kRoot, Trust trust = Trust::kEverything);

  // d in the shortest form that the facts show: equal symbols and constants put in, exact divisions carried
  // out, max, min and broadcast decided. For proofs, equalities such as N == 2*M are used too (`solve`); for
  // printing they are not.
  Dim Simplify(Dim d, ScopeId scope = ScopeId::kRoot, Trust trust = Trust::kEverything, bool solve = false);

  // An expression that bounds a symbol from above or below, where one was asserted (u <= N*M); none
  // otherwise.
  Dim SymbolicMin(Dim symbol, ScopeId scope = ScopeId::kRoot);
  Dim SymbolicMax(Dim symbol, ScopeId scope = ScopeId::kRoot);

  DimTable& dims() const;

 private:
  struct Impl;
  Truth Answer(const Literal& literal, ScopeId scope, Trust trust);
  Truth Kept(std::span<const Literal> clause, Trust trust, Truth answer);

  std::unique_ptr<Impl> impl_;
};

}  // namespace dimwise

#endif  // DIMWISE_FACTS_H_
