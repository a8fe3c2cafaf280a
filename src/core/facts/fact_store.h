// The set of constraints, scope by scope, and the knowledge derived from it on demand.
//
// A scope's constraints fall into components: sets connected by shared symbols. The root keeps its components
// up to date piece by piece: a new constraint joins the components that it touches, a retracted one splits
// its own, and knowledge is derived again only for a component that changed and is asked about. A scope
// inside another is small and short-lived: its view (its own constraints with the outer components that they
// touch) grows with it, and is made anew when it loses one or an outer scope has changed; symbols that it
// does not touch are asked of the outer scope.
#ifndef DIMWISE_CORE_FACTS_FACT_STORE_H_
#define DIMWISE_CORE_FACTS_FACT_STORE_H_

#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "core/base/hash_mix.h"
#include "core/dims/symbol_set.h"
#include "core/facts/answer_memory.h"
#include "core/facts/entailment.h"
#include "core/facts/knowledge_memory.h"
#include "core/facts/query_tracking.h"
#include "dimwise/facts.h"

namespace dimwise {

struct Facts::Impl {
  struct Constraint {
    Clause clause;  // normal
    FactKind kind = FactKind::kGiven;
    OwnerId owner = 0;
    ScopeId scope{};
    bool live = true;
    bool counts = true;   // the first of those that say the same; only it is among the members of a component
    uint64_t since = 0;   // the moment of its coming
    uint32_t number = 0;  // of the clause, in the memory of knowledge
  };

  // When something last changed: at all, and apart from what is checked.
  struct Moments {
    uint64_t any = 0, firm = 0;
    void Raise(uint64_t when, bool is_firm) {
      any = std::max(any, when);
      if (is_firm) firm = std::max(firm, when);
    }
    void Raise(const Moments& other) {
      any = std::max(any, other.any);
      firm = std::max(firm, other.firm);
    }
  };
  static bool IsFirm(const Constraint& c) { return c.kind != FactKind::kChecked; }

  // Constraints that say the same: what they have in common.
  struct Saying {
    ScopeId scope{};
    FactKind kind{};
    Clause clause;
    bool operator==(const Saying&) const = default;
  };
  struct SayingHash {
    size_t operator()(const Saying& s) const {
      return HashMix(ClauseHash()(s.clause),
                     static_cast<uint64_t>(s.scope) << 3 | static_cast<uint64_t>(s.kind));
    }
  };

  // Constraints connected by shared symbols, and what follows from them.
  struct Component {
    std::vector<ConstraintId> members;
    size_t in_order = 0;  // as many of the first members are in the order in which knowledge takes them
    std::vector<Dim> symbols;
    std::vector<Dim> defined;                       // those of the symbols that have a definition
    std::shared_ptr<const Knowledge> knowledge[3];  // by trust
    // What was known before the last members came; only where there are many members.
    struct Earlier {
      std::shared_ptr<const Knowledge> knowledge;
      size_t symbols = 0;               // it speaks of the first ones
      std::vector<ConstraintId> since;  // those that came
    };
    std::array<Earlier, 3> earlier;  // by trust
    size_t place = 0;                // in its view
    Moments changed;                 // the last change

    void Forget() {
      for (auto& k : knowledge) k.reset();
      for (Earlier& e : earlier) e = {};
    }
    // Before these become members.
    void Expect(std::span<const ConstraintId> more);
  };

  struct View {
    std::vector<std::unique_ptr<Component>> components;
    tsl::robin_map<Dim, Component*, std::hash<Dim>> of_symbol;

    Component* Add() {
      Component* c = components.emplace_back(std::make_unique<Component>()).get();
      c->place = components.size() - 1;
      return c;
    }
    std::unique_ptr<Component> Take(Component* c) {
      const size_t place = c->place;
      std::swap(components[place], components.back());
      components[place]->place = place;
      std::unique_ptr<Component> taken = std::move(components.back());
      components.pop_back();
      return taken;
    }
  };

  struct Scope {
    ScopeId parent{};
    bool live = true;
    uint32_t inside = 0;  // how many scopes it is the parent of
    uint64_t version = 1;
    Moments lost;                   // since when nothing was taken from it
    std::vector<ConstraintId> own;  // the root keeps none: its view has them
    View view;
    uint64_t viewed_version =
        0;  // of what the scope sees, when the view was made; the root's is always current
    uint64_t viewed_outer = 0;  // of what the scope around it sees, at that time
    size_t viewed_own = 0;      // how many of its own are in the view
  };

  explicit Impl(DimTable& table) : dims(table) { scopes.emplace_back(); }

  DimTable& dims;
  std::vector<Constraint> constraints;
  std::vector<Scope> scopes;
  std::vector<uint32_t> free_scopes;
  KnowledgeMemory memory;
  size_t live_constraints = 0;
  std::array<size_t, 4> live_of_kind{};  // by FactKind
  uint64_t moment = 1;
  QueryCount queries;
  QueryLog* log = nullptr;               // null: queries are not logged
  SymbolSet* queried_symbols = nullptr;  // null: symbols are not recorded
  tsl::robin_map<Dim, Moments, std::hash<Dim>>
      forgotten;  // when the root ceased to know anything of a symbol
  // Those that say the same; the first one counts.
  tsl::robin_map<Saying, std::vector<ConstraintId>, SayingHash> said;

  Constraint& At(ConstraintId id) { return constraints[static_cast<uint32_t>(id)]; }
  size_t& OfKind(FactKind kind) { return live_of_kind[static_cast<size_t>(kind)]; }
  // Where there is nothing to leave out, all trust is the same: a question is answered once for all.
  Trust Effective(Trust trust) {
    if (trust == Trust::kWithoutAssumed && OfKind(FactKind::kAssumed) == 0) trust = Trust::kEverything;
    return trust == Trust::kEverything && OfKind(FactKind::kChecked) == 0 ? Trust::kWithoutChecked : trust;
  }
  Scope& At(ScopeId id) { return scopes[static_cast<uint32_t>(id)]; }
  const Scope& At(ScopeId id) const { return scopes[static_cast<uint32_t>(id)]; }

  // The moment of the last change of what a scope sees. No two states of a scope share it, since every change
  // of any scope takes a new moment.
  uint64_t VersionSeen(ScopeId id) const {
    uint64_t latest = At(id).version;
    while (id != ScopeId::kRoot) {
      id = At(id).parent;
      latest = std::max(latest, At(id).version);
    }
    return latest;
  }
  void Touch(Scope* scope) { scope->version = ++moment; }

  AnswerMemory answers;
  uint32_t knowledge_count = 0;  // so far; their numbers
  // On what an answer about d rests: found anew when something changed.
  struct FoundGrounds {
    int64_t value = 0;  // the bits of an expression
    uint64_t version = 0;
    ScopeId scope{};
    Trust trust{};
    Grounds grounds;
  };
  std::array<FoundGrounds, 32> found_grounds{};
  // What was answered last: many ask the same before anything changes.
  struct LastAnswer {
    int64_t value = 0;  // the bits of an expression
    uint64_t version = 0;
    ScopeId scope{};
    Relation relation{};
    Trust trust{};
    Truth answer{};
  };
  std::array<LastAnswer, 128> last_answers{};
  const Grounds& GroundsOf(Dim d, ScopeId scope, Trust trust) {
    const uint64_t version = VersionSeen(scope);
    FoundGrounds& slot = found_grounds[d.id() & (found_grounds.size() - 1)];
    if (slot.value != d.bits() || slot.version != version || slot.scope != scope || slot.trust != trust) {
      slot = {d.bits(), version, scope, trust, GroundsAnew(d, scope, trust)};
    }
    return slot.grounds;
  }
  Grounds GroundsAnew(Dim d, ScopeId scope, Trust trust);
  bool AddGrounds(Dim d, ScopeId scope, Trust trust, int depth, Grounds* grounds);
  bool AddGroundsOfDefinition(Dim symbol, ScopeId scope, Trust trust, int depth, Grounds* grounds);

  // Puts a constraint into a view, joining the components that share a symbol with it.
  void Insert(View* view, ConstraintId id);
  // Those of a component that was taken out of the view, but for one.
  void InsertAll(View* view, Component* component, ConstraintId except);
  // A component of another view, of which this one has nothing.
  void Copy(View* view, Component* component);
  void PutInOrder(Component* component);
  static Component* Join(View* view, Component* a, Component* b);
  void Remove(View* view, ConstraintId id);
  Component* HomeOf(View* view, ConstraintId id) const;
  // Puts one that says the same in the place of another.
  void Replace(View* view, ConstraintId id, ConstraintId heir);
  View& ViewOf(ScopeId id);
  // Puts a live constraint among those of its scope.
  void Settle(ConstraintId id);
  // Takes a constraint off the list of those that say the same; answers who counts in its place, or itself.
  ConstraintId Unsay(ConstraintId id);
  ConstraintId Bury(ConstraintId id);

  const Knowledge& Derived(Component& component, Trust trust) {
    std::shared_ptr<const Knowledge>& slot = component.knowledge[static_cast<size_t>(trust)];
    if (slot == nullptr) slot = Derive(component, trust);
    return *slot;
  }
  std::shared_ptr<const Knowledge> Derive(Component& component, Trust trust);
  // Whether one that counts, and is none of these, says the same where that constraint is seen.
  bool IsSaidBesides(const Constraint& c, Trust trust, std::span<const ConstraintId> except);
  // From what was known earlier; null where that is not enough.
  std::shared_ptr<const Knowledge> DeriveFromEarlier(Component& component, Trust trust);

  // What a scope sees of the symbols of these last changed then.
  Moments ChangeOf(std::span<const Dim> expressions, ScopeId scope);
  // Something that a scope saw was last taken back then.
  Moments LossOf(ScopeId scope) const {
    Moments latest = At(ScopeId::kRoot).lost;
    for (ScopeId s = scope; s != ScopeId::kRoot; s = At(s).parent) latest.Raise(At(s).lost);
    return latest;
  }
  // ---- Tracking of queries (query_tracking.h) ----
  void CountQuery(Dim d, ScopeId scope, bool of_checked) {
    ++queries.all;
    if (of_checked) ++queries.of_checked;
    if (queried_symbols != nullptr) RecordSymbols(d, scope);
  }
  // Counts a query that is no clause; the log does not contain it.
  void CountOtherQuery() {
    ++queries.open;
    if (log != nullptr) log->is_complete = false;
  }
  Truth CountAnswer(Truth answer) {
    if (answer == Truth::kMaybe) ++queries.open;
    return answer;
  }
  // Adds a query and its answer to the log, if there is one. Returns the answer.
  Truth Log(std::span<const Literal> clause, Trust trust, Truth answer) {
    if (log == nullptr) return answer;
    log->literals.insert(log->literals.end(), clause.begin(), clause.end());
    log->queries.push_back({static_cast<uint32_t>(clause.size()), trust, answer == Truth::kMaybe});
    return answer;
  }
  // Adds the symbols that an answer about d depends on to queried_symbols.
  void RecordSymbols(Dim d, ScopeId scope);

  // The component that speaks of a symbol, in the innermost scope that touches it.
  Component* ComponentOf(Dim symbol, ScopeId scope) {
    while (true) {
      View& view = ViewOf(scope);
      if (const auto it = view.of_symbol.find(symbol); it != view.of_symbol.end()) return it->second;
      if (scope == ScopeId::kRoot) return nullptr;
      scope = At(scope).parent;
    }
  }
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_FACTS_FACT_STORE_H_
